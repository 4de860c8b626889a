"""Majority vote of several judges."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.errors import ConfigError
from distrl.interfaces import Judge
from distrl.tasks.judges.evidence import void
from distrl.types import Episode, Verdict


class VoteJudge:
    """Decides by more than half of its judges; those that are void count as against either."""

    def __init__(self, judges: Sequence[Judge], *, name: str = "vote") -> None:
        """At least two judges, of different names."""
        names = [judge.name for judge in judges]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ConfigError(f"a vote needs two or more different judges, got {names}")
        self._judges = tuple(judges)
        self._name = name

    @property
    def name(self) -> str:
        """What its verdicts are filed under."""
        return self._name

    def judge(self, episode: Episode) -> Verdict:
        """Success or failure if more than half say so, else void."""
        return counted(self._name, [judge.judge(episode) for judge in self._judges])


def counted(name: str, verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of several; all side effects that one of them saw are in it."""
    words = {True: "success", False: "failure", None: "void"}
    reason = ", ".join(f"{verdict.judge}: {words[verdict.success]}" for verdict in verdicts)
    for answer in (True, False):
        if 2 * sum(verdict.success is answer for verdict in verdicts) > len(verdicts):
            effects = dict.fromkeys(e for verdict in verdicts for e in verdict.side_effects)
            return Verdict(judge=name, success=answer, reason=reason, side_effects=tuple(effects))
    return void(name, reason)
