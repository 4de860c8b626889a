"""`distrl runs`: all runs in a table, as the page of runs of `distrl watch` shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.cli.arguments import parse
from distrl.cli.output import print_json, print_table

if TYPE_CHECKING:
    from distrl.web.runs_page.summary import RunSummary

_COLUMNS = ("run", "suite", "algorithm", "seed", "state", "minutes", "episodes", "before", "after")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """List runs with where they are and how well they do, the newest first.

    A folder that cannot be read is listed as broken, with the reason.
    """

    folders: Annotated[tuple[str, ...], tyro.conf.Positional] = ("runs",)
    """Folders of runs, or folders that contain them."""
    json: bool = False
    """Print one JSON object instead of a table."""


def main(argv: Sequence[str]) -> int:
    """Print the table."""
    arguments = parse(Arguments, argv, prog="distrl runs")
    # Imported here: numpy takes longer than a mistyped option should wait for.
    from distrl.web.runs import Runs, State
    from distrl.web.runs_page.summary import Summaries

    runs = Runs([Path(folder) for folder in arguments.folders])
    lines = Summaries().of_all(runs)
    runs.close()
    if arguments.json:
        count = {state.value: sum(line.state is state for line in lines) for state in State}
        print_json(
            {
                "runs": len(lines),
                "newest": lines[0].run,
                **count,
                "rows": [{**asdict(line), "problems": list(line.problems)} for line in lines],
            }
        )
        return 0
    print_table(
        [column.replace("_", " ") for column in (*_COLUMNS, "95 % interval")],
        [(*(getattr(line, column) for column in _COLUMNS), _interval(line)) for line in lines],
        title="runs",
    )
    for line in lines:
        for problem in line.problems:
            print(f"{line.run}: {problem}")
    return 0


def _interval(line: RunSummary) -> str | None:
    if line.after_low is None or line.after_high is None:
        return None
    return f"{line.after_low:.3f} to {line.after_high:.3f}"
