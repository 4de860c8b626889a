"""Questions posed on a quiet phone whose content a test decides, for tests of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.tasks.general.posed import Posed

from distrl.types import Kind, Outcome

_MOST_STEPS = 20


class Asked(Posed):
    """A driver on a phone that a question was asked on."""

    suite = "questions"

    def arrange(self, *path: str, to: Any) -> None:
        """Let the phone have held something else when the question was asked."""
        self.change(*path, to=to)
        self.referee.resume((self.referee.task, self.state))

    def accepts(self, said: str) -> bool:
        """Whether an answer is right."""
        return self.referee.answered(said) is Outcome.SUCCEEDED

    def find_out(self) -> str:
        """Let the oracle look; its answer."""
        for _ in range(_MOST_STEPS):
            action = self.next_action()
            if action.kind is Kind.ANSWER:
                return action.text
            self.perform(action)
        raise AssertionError(f"no answer in {_MOST_STEPS} actions")


@dataclass(frozen=True)
class Case:
    """A question, what the phone holds, and what may be answered."""

    template: str
    parameters: Mapping[str, str]
    right: Sequence[str]
    """The first is what stands on the screen, unless it is yes, no or none."""
    wrong: Sequence[str]
    held: Mapping[tuple[str, ...], Any] = field(default_factory=dict)
    """Values of the state by their paths, in place of what the set-up draws."""

    def ask(self, seed: int = 5) -> Asked:
        """The question on a phone of its own."""
        asked = Asked(self.template, seed, **self.parameters)
        for path, value in self.held.items():
            asked.arrange(*path, to=value)
        return asked

    def __str__(self) -> str:
        """The test's id."""
        return f"{self.template}-{self.right[0]}"


def misjudged(case: Case) -> Iterator[str]:
    """Right answers that are refused, and wrong ones that are accepted."""
    asked = case.ask()
    yield from (f"refused: {said}" for said in case.right if not asked.accepts(said))
    # Nothing said and the words of the question are no answer to anything.
    empty = ("", " ", "?", *case.parameters.values())
    yield from (f"accepted: {said}" for said in (*case.wrong, *empty) if asked.accepts(said))
    if asked.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED:
        yield "completed without an answer"


def unseen(case: Case, seeds: Sequence[int] = (5, 6)) -> Iterator[str]:
    """Phones on which the oracle finds no right answer, or answers what it has not seen."""
    for seed in seeds:
        asked = case.ask(seed)
        said = asked.find_out()
        if not asked.accepts(said):
            yield f"seed {seed}: {said!r} is wrong"
        if case.right[0] not in ("yes", "no", "none") and not asked.shows(case.right[0]):
            yield f"seed {seed}: {case.right[0]!r} is not on the screen: {asked.texts()}"
        if asked.side_effects:
            yield f"seed {seed}: {asked.side_effects}"
