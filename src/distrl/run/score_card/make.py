"""How a score card is made: its conditions are played, plainly and under every factor."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from distrl.collect.evaluation.evaluate import Progress, Report, select_tasks
from distrl.collect.evaluation.factors import FactorRow, evaluate_factors
from distrl.config.devices import PhoneConfig
from distrl.run.evaluate import Play, player
from distrl.run.named_policy import is_trained
from distrl.run.score_card.card import FORMAT, LeakProof, ScoreCard
from distrl.run.score_card.conditions import Conditions
from distrl.run.state.provenance import this_code, this_machine
from distrl.tasks.leak_check import check_leaks
from distrl.tasks.suites import Suite, load_suite
from distrl.types import Episode


def make_card(conditions: Conditions, file: str, progress: Progress | None = None) -> ScoreCard:
    """Play and write down; ConfigError for conditions that cannot be played."""
    conditions.require_playable()
    suite = load_suite(conditions.suite)
    endings: Counter[str] = Counter()
    report, factors = _play(conditions, endings, progress)
    return ScoreCard(
        format=FORMAT,
        conditions=conditions,
        weights=weights_digest(conditions.policy),
        suite=_suite_digest(suite),
        splits={split: len(suite.tasks(split)) for split in suite.splits},
        leak_proof=_leak_proof(suite),
        overall=report.overall,
        templates=report.rows,
        endings=dict(sorted(endings.items())),
        factors=factors,
        command=conditions.command(file),
        code=this_code(),
        machine=this_machine(),
    )


def weights_digest(policy: str) -> str | None:
    """SHA-256 of a policy's weights; None for one that has none."""
    if not is_trained(policy):
        return None
    # Imported here, for torch comes with them.
    from distrl.run.builders.pretrained import is_pretrained, read_pretrained
    from distrl.run.state.checkpoint import weights_of_run
    from distrl.weights.serialization import digest_of

    if is_pretrained(policy):
        return digest_of(read_pretrained(policy).weights)
    return digest_of(weights_of_run(Path(policy))[0])


def _play(
    conditions: Conditions, endings: Counter[str], progress: Progress | None
) -> tuple[Report, tuple[FactorRow, ...]]:
    tasks = select_tasks(
        conditions.suite, conditions.split, template=conditions.template, tasks=conditions.tasks
    )
    play = player(
        conditions.policy,
        conditions.suite,
        tasks,
        seed=conditions.seed,
        error_rate=conditions.error_rate,
        pixels=False if conditions.without == "pixels" else None,
    )
    phone = conditions.phone()

    def count(episode: Episode) -> None:
        endings[episode.outcome.value] += 1

    if not conditions.has_factors:
        return play(phone=phone, progress=progress, watch=count), ()
    return evaluate_factors(partial(_on, play, phone, count, progress), phone)


def _on(
    play: Play,
    plain: PhoneConfig,
    count: Callable[[Episode], None],
    progress: Progress | None,
    phone: PhoneConfig,
) -> Report:
    """Endings are those on plain phones."""
    return play(phone=phone, progress=progress, watch=count if phone is plain else None)


def _suite_digest(suite: Suite) -> str:
    tasks = [task for split in suite.splits for task in suite.tasks(split)]
    return hashlib.sha256(repr(tasks).encode()).hexdigest()


def _leak_proof(suite: Suite) -> LeakProof:
    reports = check_leaks([suite])
    return LeakProof(
        pairs=len(reports),
        leaks=sum(report.leaks for report in reports),
        unknown=len({name for report in reports for name in report.unknown}),
    )
