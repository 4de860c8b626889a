"""A judge that asks a person at the terminal."""

from __future__ import annotations

from collections.abc import Callable

from distrl.errors import DistrlError, JudgeError, boundary
from distrl.tasks.judges.evidence import Case, case_of, declared, no_evidence, undeclared, void
from distrl.types import Episode, Verdict

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class HumanJudge:
    """Shows the case to a person and reads yes or no; anything else is void."""

    name = "human"

    def __init__(self, ask: Callable[[Case], str]) -> None:
        """`ask` shows a case and returns what the person typed."""
        self._ask = ask

    def judge(self, episode: Episode) -> Verdict:
        """The person's verdict."""
        case = case_of(episode)
        if case is None:
            return no_evidence(self.name)
        if declared(episode) is None:
            return undeclared(self.name)
        try:
            with boundary(JudgeError, "asking a person"):
                typed = self._ask(case)
        except DistrlError as error:
            return void(self.name, str(error))
        success = _ANSWERS.get(typed.strip().lower())
        reason = "" if success is not None else f"neither yes nor no: {typed[:80]!r}"
        return Verdict(judge=self.name, success=success, reason=reason)
