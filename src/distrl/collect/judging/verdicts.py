"""What becomes of an episode when a judge has spoken: pure functions.

The first verdict of an episode is that of its environment, which checks the state. Those of judges
stand behind it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from distrl.types import Episode, Kind, Outcome, Verdict


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
