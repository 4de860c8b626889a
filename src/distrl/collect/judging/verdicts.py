"""What a judge says, and what becomes of the episode then.

The first verdict of an episode is that of its environment, which checks the state. Those of judges
stand behind it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from distrl.errors import DistrlError, JudgeError, boundary
from distrl.interfaces import Judge
from distrl.tasks.judges.evidence import void
from distrl.types import Episode, Kind, Outcome, Verdict


def asked(judge: Judge, episode: Episode) -> Verdict:
    """A judge's verdict on an episode; void, with the reason, if the judge fails.

    A judge may be a plug-in: one that raises, or answers with something else, has no opinion.
    """
    try:
        with boundary(JudgeError, f"judging {episode.id}"):
            verdict: object = judge.judge(episode)
        if not isinstance(verdict, Verdict):
            raise JudgeError(f"{judge.name} answered {verdict!r}, which is no Verdict")
    except DistrlError as error:
        return void(judge.name, str(error))
    return verdict


def heard(episode: Episode, verdict: Verdict) -> Episode:
    """The episode with a verdict more, which changes nothing else."""
    return replace(episode, verdicts=(*episode.verdicts, verdict))


def rewarded(episode: Episode, verdict: Verdict) -> Episode:
    """The episode as the judge sees it: its outcome, its last reward, and a verdict more.

    Without an opinion it is neither a success nor a failure, and nobody learns from it.
    """
    *before, last = episode.steps
    return replace(
        heard(episode, verdict),
        outcome=_outcome(episode, verdict.success),
        steps=(*before, replace(last, reward=1.0 if verdict.success else 0.0)),
        fault="" if verdict.success is not None else f"{verdict.judge} is void: {verdict.reason}",
    )


def _outcome(episode: Episode, success: bool | None) -> Outcome:
    if success is None:
        return Outcome.TASK_ERROR
    if success:
        return Outcome.SUCCEEDED
    if not episode.succeeded:
        return episode.outcome
    # What a success is called that is not believed.
    declared = episode.steps[-1].choice.action.kind
    return Outcome.FAILED if declared is Kind.INFEASIBLE else Outcome.FALSE_COMPLETE


def known(episode: Episode) -> bool:
    """Whether the goal was reached as its environment knows it, whoever rewarded it."""
    first = episode.verdicts[0].success if episode.verdicts else None
    return episode.succeeded if first is None else first


def opinions(episode: Episode) -> tuple[bool, bool] | None:
    """What the state and the judge say; None unless both have an opinion."""
    if len(episode.verdicts) < 2:
        return None
    state, judge = episode.verdicts[0].success, episode.verdicts[-1].success
    return None if state is None or judge is None else (state, judge)


def apart(pairs: Collection[tuple[bool, bool]]) -> float:
    """The judge's success rate less that of the state, over at least one pair of opinions."""
    return sum(judge - state for state, judge in pairs) / len(pairs)
