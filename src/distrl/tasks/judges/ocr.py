"""A judge that reads: do the goal's own values stand on the last screen?

It needs no network and no elements, and is a rough one: it cannot see whether something was saved.
`distrl judge audit` says how rough. What it looks for comes from the task alone, so that no word on
a screen can tell it what to find. On a screen that talks about success, and where the values stood
on the first screen already, it does not decide.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from distrl import screens
from distrl.errors import ConfigError, DistrlError, JudgeError, boundary
from distrl.tasks.judges.answers import speaks_to_judge
from distrl.tasks.judges.evidence import case_of, declared, no_evidence, undeclared, void
from distrl.types import Episode, Kind, Pixels, Task, Verdict

Reader: TypeAlias = Callable[[Pixels], Sequence[str]]
"""Reads the lines of text on a screen."""

_SCALE = 3
"""How many times a phone's screen is enlarged: at its own size, letters have six pixels."""
_ALIKE = 0.85
"""From which likeness on a misread line is taken for what was looked for."""
_SHARE = 0.5
"""How much of its line a value has to be: in a sentence that merely names it, it is no evidence."""


class OcrJudge:
    """Looks for the values that the task names."""

    name = "ocr"

    def __init__(
        self,
        read: Reader | None = None,
        *,
        expected: Callable[[Task], tuple[str, ...]] | None = None,
    ) -> None:
        """`read` reads screens, by default with rapidocr; `expected` says what must be there."""
        self._read = read or rapid_reader()
        self._expected = expected or named_values

    def judge(self, episode: Episode) -> Verdict:
        """Success when every value is there, failure when one is not."""
        case = case_of(episode, most_screens=1)
        if case is None:
            return no_evidence(self.name)
        end = declared(episode)
        if end is None:
            return undeclared(self.name)
        if end is Kind.INFEASIBLE:
            return void(self.name, "no text on a screen shows that a goal cannot be reached")
        if end is Kind.ANSWER:
            return void(self.name, "whether an answer is right does not stand on a screen")
        values = self._expected(episode.task)
        if not values:
            return void(self.name, "the goal names nothing that could stand on a screen")
        if screens.is_blank(case.final.screen):
            return void(self.name, "the last screen is blank")
        try:
            verdict = self._decide(self._lines(case.final.screen), values)
            # What stood there before anything was done, such as who calls, shows no effect.
            if verdict.success and not _missing(
                values, self._lines(episode.steps[0].observation.screen)
            ):
                return void(self.name, "it stood on the first screen already")
        except DistrlError as error:
            return void(self.name, str(error))
        return verdict

    def _lines(self, screen: Pixels) -> tuple[str, ...]:
        with boundary(JudgeError, "reading the screen"):
            return tuple(self._read(screen))

    def _decide(self, lines: tuple[str, ...], values: tuple[str, ...]) -> Verdict:
        if any(map(speaks_to_judge, (*lines, " ".join(lines)))):
            return void(self.name, "the last screen talks about success, which is no evidence")
        missing = _missing(values, lines)
        if missing:
            reason = f"not on the last screen: {', '.join(missing)}"
            return Verdict(judge=self.name, success=False, reason=reason)
        reason = f"on the last screen: {', '.join(values)}"
        return Verdict(judge=self.name, success=True, reason=reason)


def named_values(task: Task) -> tuple[str, ...]:
    """The parameters of a task that its goal says word for word."""
    said = _letters(task.goal)
    values = (str(value) for value in task.parameters.values() if not isinstance(value, bool))
    return tuple(value for value in values if _letters(value) and _letters(value) in said)


def _missing(values: Sequence[str], lines: Sequence[str]) -> list[str]:
    return [value for value in values if not stands_in(value, lines)]


def stands_in(value: str, lines: Sequence[str]) -> bool:
    """Whether a value is, but for misread letters, most of one of the lines."""
    wanted = _letters(value)
    for line in map(_letters, lines):
        if wanted in line and len(wanted) >= _SHARE * len(line):
            return True
        if difflib.SequenceMatcher(None, wanted, line).ratio() >= _ALIKE:
            return True
    return False


def rapid_reader(scale: int = _SCALE) -> Reader:
    """A reader by rapidocr, whose models are in its package; ConfigError when it is missing."""
    try:
        from rapidocr import RapidOCR
    except ImportError as cause:
        raise ConfigError(
            f"the ocr judge needs the package rapidocr: pip install 'distrl[ocr]' ({cause})"
        ) from None
    # It would tell every file that it opens.
    engine = RapidOCR(params={"Global.log_level": "critical"})

    def read(screen: Pixels) -> Sequence[str]:
        height, width = screen.shape[:2]
        larger = screens.resize(screen, width * scale, height * scale)
        found: Any = engine(larger[:, :, ::-1])
        return tuple(found.txts or ())

    return read


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
