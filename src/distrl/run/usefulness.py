"""Whether a run could do its job, from what it collected and what it measured at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from distrl.collect.evaluation.evaluate import Report
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.run_state import summaries_of
from distrl.types import Episode, Outcome

_TIME_TO_PLAY = 30.0
"""Seconds in which any device should have ended an episode; a run of less was not meant to."""
_DECIDED = (Outcome.SUCCEEDED, Outcome.FAILED, Outcome.FALSE_COMPLETE)
_CAUSES = 3
"""Faults that are told; those of one device are mostly alike."""


@dataclass(frozen=True, slots=True)
class Collected:
    """How much a run has collected, and episodes worth a look."""

    episodes: int
    steps: int
    trainable: int
    """Episodes that can be learned from: no fault ended them, and no void verdict of a judge."""
    decided: int = 0
    """Those of them that ended by a declaration, which somebody found right or wrong."""
    undecided: int = 0
    """Episodes of which nobody could tell."""
    faults: Sequence[str] = ()
    """Why some cannot be learned from, the most frequent reason first."""
    best: Sequence[Episode] = ()
    worst: Sequence[Episode] = ()


def collected_in(store: StoreReader) -> Collected:
    """What is stored of a run, in figures."""
    steps = 0
    outcomes: Counter[Outcome] = Counter()
    faults: Counter[str] = Counter()
    for summary in summaries_of(store):
        steps += summary.steps
        outcomes[summary.outcome] += 1
        if not summary.outcome.trainable:
            faults[summary.fault] += 1
    return Collected(
        outcomes.total(),
        steps,
        trainable=sum(count for outcome, count in outcomes.items() if outcome.trainable),
        decided=sum(outcomes[outcome] for outcome in _DECIDED),
        undecided=outcomes[Outcome.TASK_ERROR],
        faults=tuple(fault for fault, _ in faults.most_common() if fault),
    )


def why_useless(
    after: Report,
    collected: Collected,
    seconds: float,
    out_of_use: Mapping[str, str],
    *,
    rewarding: str | None = None,
) -> str:
    """Why a run could not do its job; empty if it could.

    Its job is to collect episodes that it can learn from, if it had the time, and to measure the
    policy at the end. `rewarding` names the judge that rewards, if one does: without any opinion
    of it, all that is learned is that time runs out.
    """
    causes = [f"{device}: {reason}" for device, reason in out_of_use.items()]
    if after.overall.success is None:
        causes = list(dict.fromkeys([*causes, *after.faults]))
        problem = "no episode of the evaluation counts, so nothing is known of the policy"
    elif collected.episodes and not collected.trainable:
        causes += collected.faults
        problem = f"none of the {collected.episodes} episodes can be learned from"
    elif rewarding is not None and collected.undecided and not collected.decided:
        causes += collected.faults
        problem = (
            f"the judge {rewarding}, which rewards, could decide on none of "
            f"{collected.undecided} episodes"
        )
    elif not collected.episodes and seconds >= _TIME_TO_PLAY:
        problem = f"no episode was played in {seconds / 60.0:.1f} minutes of training"
    else:
        return ""
    more = f"; and {len(causes) - _CAUSES} more" if len(causes) > _CAUSES else ""
    return f"{problem}: {'; '.join(causes[:_CAUSES]) or 'no device reported a fault'}{more}"
