"""`distrl bench splits`: what of a policy carries over, for the results page."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from distrl.cli.bench_speed import keep_figures
from distrl.cli.bench_virtual import make_room
from distrl.cli.output import print_json, print_table, progress_bar


@dataclass(frozen=True, kw_only=True)
class SplitsArguments:
    """Play every split that is not for training: new values, words, compositions, templates, apps.

    Takes about three minutes.
    """

    policy: str = "pretrained"
    """What to evaluate, as in `distrl eval --policy`."""
    suites: tuple[str, ...] = ("general", "shopping")
    """Suites to play."""
    tasks: int | None = None
    """At most this many tasks of each split; the whole split by default."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


def run(arguments: SplitsArguments, *, command: str) -> int:
    """Measure, keep the figures and print them."""
    make_room(arguments.out)
    from distrl.bench.splits import SplitRow, measure_splits

    with progress_bar() as progress:
        found = measure_splits(
            arguments.policy, arguments.suites, tasks=arguments.tasks, progress=progress
        )
    keep_figures(asdict(found), arguments.out, command)
    if arguments.json:
        print_json(asdict(found))
        return 0
    columns = tuple(field.name.replace("_", " ") for field in fields(SplitRow))
    print_table(columns, [astuple(row) for row in found.rows], title=f"{arguments.policy}")
    return 0
