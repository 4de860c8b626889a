"""`distrl results`: make the figures that the project reports, and the page that shows them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.checks import require_seed
from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.cli.signals import terminated_like_interrupted
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.bench.results.plan import Planned
    from distrl.bench.results.record import Result

FOLDER = Path("docs/results")
PAGE = Path("docs/results.md")


@dataclass(frozen=True, kw_only=True)
class RunArguments:
    """Train and evaluate what docs/results.md reports: one JSON file for each row.

    Rows that have a file are not made again. Ctrl-C stops in order, and the same command resumes.
    """

    seeds: str = "0,1,2"
    """Seeds, separated by commas."""
    only: str | None = None
    """Groups or rows to make, separated by commas; all by default. A group is, say,
    cloning, and a row cloning-seed1; --dry-run lists them."""
    out: Path | None = None
    """Folder of the JSON files; docs/results by default, or quick/files in --work with --quick."""
    work: Path | None = None
    """Folder of the runs; one in the user's cache by default."""
    quick: bool = False
    """Make every run small, to see that it works; the figures mean nothing."""
    again: bool = False
    """Make rows that have a file again, from the start."""
    dry_run: bool = False
    """Print what would be made and end."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class WriteArguments:
    """Write the page docs/results.md from the JSON files of its rows."""

    results: Path = FOLDER
    """Folder of the JSON files."""
    page: Path = PAGE
    """Page to write."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _run(arguments: RunArguments) -> int:
    from distrl.bench.results.plan import default_work, plan

    only = tuple(filter(None, (arguments.only or "").split(",")))
    rows = plan(seeds_of(arguments.seeds), only, quick=arguments.quick)
    work = (arguments.work or default_work()) / ("quick" if arguments.quick else "")
    out = arguments.out or (work / "files" if arguments.quick else FOLDER)
    missing = [row for row in rows if arguments.again or not _is_made(row, out)]
    if arguments.dry_run:
        _print_plan(rows, missing, out, work, as_json=arguments.json)
        return 0
    _make(missing, out, work, again=arguments.again)
    from distrl.bench.results.record import load

    results = [load(_file(row, out)) for row in rows]
    _print_results(results, {"made": len(missing), "out": str(out)}, as_json=arguments.json)
    return 0


def _make(missing: Sequence[Planned], out: Path, work: Path, *, again: bool) -> None:
    """Make rows one after the other; each has its file before the next begins."""
    # Imported here: torch takes seconds, and a mistyped option should not wait for it.
    from distrl.bench.results.make import Workshop, save

    for row in missing:
        with terminated_like_interrupted(), progress_bar() as progress:
            workshop = Workshop(work, _tell, progress)
            save(workshop.make(row, again=again), out)


def _write(arguments: WriteArguments) -> int:
    from distrl.bench.experiments.page import sections
    from distrl.bench.results.page import render
    from distrl.bench.results.published import load_published
    from distrl.bench.results.record import load_all

    results = load_all(arguments.results)
    if not results:
        raise ConfigError(f"there is no result in {arguments.results}; distrl results run makes it")
    published = load_published(arguments.results)
    text = render(results, sections(arguments.results), published)
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(text, "utf-8")
    _print_results(results, {"page": str(arguments.page)}, as_json=arguments.json)
    return 0


def seeds_of(text: str) -> tuple[int, ...]:
    """Seeds from `0,1,2`."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise ConfigError(f"--seeds takes whole numbers with commas between them, got {text!r}")
    for word in words:
        require_seed(int(word), "each of --seeds")
    return tuple(int(word) for word in words)


def _file(row: Planned, out: Path) -> Path:
    return out / f"{row.name}.json"


def _is_made(row: Planned, out: Path) -> bool:
    """Whether there is a file, and it is as serious as what is asked for."""
    from distrl.bench.results.record import load

    return _file(row, out).exists() and load(_file(row, out)).quick == row.quick


def _tell(line: str) -> None:
    print(f"distrl results: {line}", file=sys.stderr, flush=True)


def _print_plan(
    rows: Sequence[Planned], missing: Sequence[Planned], out: Path, work: Path, *, as_json: bool
) -> None:
    plans: list[dict[str, object]] = [
        {
            "name": row.name,
            "recipe": row.group.recipe,
            "settings": " ".join(row.settings),
            "minutes": row.config().minutes if row.group.trains else None,
            "make": row in missing,
        }
        for row in rows
    ]
    if as_json:
        print_json(
            {
                "rows_to_make": len(missing),
                "out": str(out),
                "work": str(work),
                "rows": plans,
            }
        )
        return
    print_table(list(plans[0]), [tuple(row.values()) for row in plans], title="the plan")
    print(f"Files go to {out}, runs to {work}.")


def _print_results(results: Sequence[Result], told: dict[str, object], *, as_json: bool) -> None:
    from distrl.bench.results.record import flat

    rows = [flat(result) for result in results]
    if as_json:
        print_json({"count": len(rows), **told, "rows": rows})
        return
    columns = ("name", "success", "low", "high", "unseen", "without_pixels", "without_elements")
    cells = [tuple(row[column] for column in columns) for row in rows]
    print_table([column.replace("_", " ") for column in columns], cells, title="results")
    print(" ".join(f"{name}: {value}" for name, value in told.items()))


COMMANDS: Commands = {
    "run": (RunArguments, _run),
    "write": (WriteArguments, _write),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl results",
        about="The figures that the project reports, and the page that shows them.",
    )
