"""`distrl bench factors`: success by factor of robustness, for the results page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from distrl.cli.bench_speed import keep_figures
from distrl.cli.bench_virtual import make_room
from distrl.cli.eval_tables import print_factors
from distrl.cli.output import print_json, progress_bar


@dataclass(frozen=True, kw_only=True)
class FactorsArguments:
    """Play the same tasks under each factor of robustness: dark theme, font size, language and on.

    Takes about a minute for each suite of embedded phones.
    """

    policy: str = "pretrained"
    """What to evaluate, as in `distrl eval --policy`."""
    suites: tuple[str, ...] = ("general",)
    """Suites of embedded phones."""
    split: str = "test"
    """Split of each suite."""
    tasks: int | None = None
    """At most this many tasks of each; the whole split by default."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


def run(arguments: FactorsArguments, *, command: str) -> int:
    """Measure, keep the figures and print them."""
    make_room(arguments.out)
    from distrl.bench.factors import measure_factors

    with progress_bar() as progress:
        found = measure_factors(
            arguments.policy,
            arguments.suites,
            arguments.split,
            tasks=arguments.tasks,
            progress=progress,
        )
    keep_figures(asdict(found), arguments.out, command)
    if arguments.json:
        print_json(asdict(found))
        return 0
    for suite in found.suites:
        print_factors(f"{arguments.policy} on {suite.suite}/{arguments.split}", suite.rows)
    return 0
