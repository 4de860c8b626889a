"""What a report tells: the figures before and after, how long it took, and some episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.statistics import Row
from distrl.config.run import RunConfig
from distrl.monitor.gauges import EVALUATED, EVALUATED_HIGH, EVALUATED_LOW, MINUTES
from distrl.types import Episode, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The same tasks at the start and at the end."""

    name: str
    """Suite and split, e.g. `general/test`."""
    before: Report | None
    """None where the start was not evaluated."""
    after: Report

    @property
    def rows(self) -> tuple[tuple[Row | None, Row], ...]:
        """Both rows of each template: the largest gains first, then what succeeds least."""
        earlier = {row.template: row for row in self.before.rows} if self.before else {}
        pairs = [(earlier.get(row.template), row) for row in self.after.rows]
        return tuple(
            sorted(
                pairs,
                key=lambda pair: (
                    -(gain(*pair) or 0.0),
                    pair[1].success or 0.0,
                    pair[1].template,
                ),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How much was done, and in what time."""

    seconds: float
    """Of training, without set-up and evaluation."""
    episodes: int
    steps: int
    updates: int
    phases: Mapping[str, float] = field(default_factory=dict)
    """Seconds of each phase of the run, in order: cloning, training, evaluating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that a report needs beside the metrics in the run's folder."""

    name: str
    """The recipe, or whatever the run is called."""
    config: RunConfig
    comparisons: Sequence[Comparison]
    """The first is the headline."""
    totals: Totals
    best: Sequence[Episode] = ()
    """Episodes worth a look, with their screens."""
    worst: Sequence[Episode] = ()
    repeat: str = ""
    """A command that gives the figures again."""
    problem: str = ""
    """Why the run could not do its job; empty if it could."""


def gain(before: Row | None, after: Row) -> float | None:
    """How much success has grown; None where one of them is not known."""
    if before is None or before.success is None or after.success is None:
        return None
    return after.success - before.success


def evaluation_numbers(
    suite: str, split: str, row: Row, *, minutes: float | None = None
) -> dict[str, float]:
    """An evaluation as the numbers that are recorded and that the curve is drawn from.

    `minutes` are those of training that the evaluated weights had; they matter where weights are
    evaluated later. The step to record it under is the number of episodes at that time.
    """
    if row.success is None or row.low is None or row.high is None:
        return {}
    trained = {} if minutes is None else {MINUTES: minutes}
    return {
        **trained,
        f"{EVALUATED}{suite}/{split}": row.success,
        f"{EVALUATED_LOW}{suite}/{split}": row.low,
        f"{EVALUATED_HIGH}{suite}/{split}": row.high,
    }


def pick_episodes(
    episodes: Iterable[Episode], count: int = 3
) -> tuple[tuple[Episode, ...], tuple[Episode, ...]]:
    """The best and the worst, of different templates as far as possible.

    The best are long ways without a penalty; the worst claimed success, or were penalised most.
    """
    played = [episode for episode in episodes if episode.outcome.trainable and episode.steps]
    best = [episode for episode in played if episode.succeeded]
    worst = [episode for episode in played if not episode.succeeded]
    best.sort(key=lambda episode: (_penalty(episode), -len(episode.steps), episode.id))
    worst.sort(
        key=lambda episode: (
            episode.outcome is not Outcome.FALSE_COMPLETE,
            -_penalty(episode),
            episode.id,
        )
    )
    return _varied(best, count), _varied(worst, count)


def _penalty(episode: Episode) -> float:
    """How much was frowned upon; penalties may be kept with either sign."""
    return sum(abs(value) for step in episode.steps for value in step.penalties.values())


def _varied(ranked: Sequence[Episode], count: int) -> tuple[Episode, ...]:
    """The first of each template, then the rest, in order."""
    firsts: dict[str, Episode] = {}
    for episode in ranked:
        firsts.setdefault(episode.task.template, episode)
    rest = [episode for episode in ranked if firsts[episode.task.template] is not episode]
    return tuple([*firsts.values(), *rest][:count])
