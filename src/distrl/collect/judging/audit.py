"""How far a judge can be trusted: its verdicts against known outcomes. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from distrl.collect.evaluation.statistics import wilson_interval
from distrl.collect.judging.adversarial import trick_of
from distrl.collect.judging.verdicts import asked, known
from distrl.interfaces import Judge
from distrl.types import Episode

ALARM = 0.10
"""How far a judge's success rate may be from the known one before a person should look."""
PARTS = 4
"""Into how many parts training is cut to see drift."""
_LEAST_PER_PART = 8
"""Episodes that a part needs, to say anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One episode's known outcome, and what a judge said."""

    known: bool
    said: bool | None
    reason: str
    """Why, in the judge's words."""
    version: int
    """Newest policy version among its steps."""
    trick: str | None
    """What an adversarial episode tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How well a judge does on some episodes. Shares are None where nothing counts."""

    judge: str
    part: str
    """all, a quarter of training, or the trick of adversarial episodes."""
    episodes: int
    agreement: float | None
    """Share of its verdicts, the void ones left out, that are right."""
    agreement_low: float | None
    """Lower end of the 95 % Wilson interval."""
    agreement_high: float | None
    false_positive: float | None
    """Share of its verdicts on failures that say success."""
    false_positive_low: float | None
    false_positive_high: float | None
    false_negative: float | None
    """Share of its verdicts on successes that say failure."""
    false_negative_low: float | None
    false_negative_high: float | None
    fake_verdicts_accepted: int
    """Adversarial episodes that it took for successes."""
    void: float | None
    """Share of the episodes on which it did not decide."""
    apart: float | None
    """Its success rate less the known one, where it decided."""
    drift: float | None
    """Agreement in the last quarter of training less that in the first; for `all` only."""

    @property
    def alarming(self) -> bool:
        """Whether it and the known outcomes part by more than the limit."""
        return self.apart is not None and abs(self.apart) > ALARM


def judge_all(
    judge: Judge,
    episodes: Iterable[Episode],
    *,
    progress: Callable[[int], None] | None = None,
) -> list[Judged]:
    """A judge's verdicts on episodes whose outcome is known; those with a fault are left out."""
    rows = []
    for episode in episodes:
        if not episode.outcome.trainable:
            continue
        rows.append(judge_one(judge, episode))
        if progress is not None:
            progress(len(rows))
    return rows


def undecided(rows: Sequence[Judged]) -> tuple[int, str] | None:
    """How many honest episodes a judge did not decide, and why most often; None if it did some.

    Adversarial episodes are left out: there void is a good answer.
    """
    honest = [row for row in rows if row.trick is None]
    if not honest or any(row.said is not None for row in honest):
        return None
    reason, _ = Counter(row.reason for row in honest).most_common(1)[0]
    return len(honest), reason


def judge_one(judge: Judge, episode: Episode) -> Judged:
    """A judge's verdict on an episode that no fault has ended."""
    trick, verdict = trick_of(episode), asked(judge, episode)
    return Judged(
        known=known(episode),
        said=verdict.success,
        reason=verdict.reason,
        version=max((step.choice.version for step in episode.steps), default=0),
        trick=None if trick is None else trick.value,
    )


def audit(judge: str, rows: Sequence[Judged]) -> tuple[Figures, ...]:
    """Figures of all episodes, of each quarter of training and of each trick."""
    honest = sorted((row for row in rows if row.trick is None), key=lambda row: row.version)
    quarters = _quarters(honest)
    tricks = sorted({row.trick for row in rows if row.trick is not None})
    parts = [
        *(
            figures(judge, f"versions {part[0].version} to {part[-1].version}", part)
            for part in quarters
        ),
        *(figures(judge, name, [row for row in rows if row.trick == name]) for name in tricks),
    ]
    drift = None
    if quarters:
        first, last = parts[0].agreement, parts[len(quarters) - 1].agreement
        drift = None if first is None or last is None else last - first
    return (figures(judge, "all", rows, drift=drift), *parts)


def figures(
    judge: str, part: str, rows: Sequence[Judged], *, drift: float | None = None
) -> Figures:
    """Figures of some episodes, under a name."""
    decided = [row for row in rows if row.said is not None]
    failures = [row for row in decided if not row.known]
    successes = [row for row in decided if row.known]
    agreement = _share(sum(row.said is row.known for row in decided), len(decided))
    positive = _share(sum(row.said is True for row in failures), len(failures))
    negative = _share(sum(row.said is False for row in successes), len(successes))
    said = sum(row.said is True for row in decided)
    return Figures(
        judge=judge,
        part=part,
        episodes=len(rows),
        agreement=agreement[0],
        agreement_low=agreement[1],
        agreement_high=agreement[2],
        false_positive=positive[0],
        false_positive_low=positive[1],
        false_positive_high=positive[2],
        false_negative=negative[0],
        false_negative_low=negative[1],
        false_negative_high=negative[2],
        fake_verdicts_accepted=sum(row.trick is not None and row.said is True for row in rows),
        void=1 - len(decided) / len(rows) if rows else None,
        apart=(said - len(successes)) / len(decided) if decided else None,
        drift=drift,
    )


def _quarters(rows: Sequence[Judged]) -> list[Sequence[Judged]]:
    """Equal parts by version; none when there is one version only, or too few episodes."""
    if len(rows) < PARTS * _LEAST_PER_PART or rows[0].version == rows[-1].version:
        return []
    cuts = [round(len(rows) * n / PARTS) for n in range(PARTS + 1)]
    return [rows[start:end] for start, end in pairwise(cuts)]


def _share(hits: int, total: int) -> tuple[float | None, float | None, float | None]:
    if not total:
        return None, None, None
    return (hits / total, *wilson_interval(hits, total))
