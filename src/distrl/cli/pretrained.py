"""`distrl pretrained`: the trained policies that ship with the package."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.run.builders.pretrained import Card


@dataclass(frozen=True, kw_only=True)
class MakeArguments:
    """Put the policy of a finished run into the package, for `--policy pretrained:NAME`.

    Its EMA weights are rounded to half precision, evaluated on the test split of the suite that
    they were trained on, and written with a description beside them.
    """

    run: Path
    """Folder of the run."""
    name: str | None = None
    """Name of the policy; that of its suite by default. `general` is what `pretrained` alone
    means."""
    out: Path | None = None
    """Folder to write to; that of the package by default."""
    tasks: int | None = None
    """Evaluate on at most this many tasks; on the whole split by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ListArguments:
    """List the pretrained policies, where they come from and how well they do."""

    out: Path | None = None
    """Folder to look in; that of the package by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class CaptionsArguments:
    """Train the small network that names icons and photos, on pictures drawn by the phone.

    It is measured on the screens of the val splits, and its figures are written into its file.
    """

    out: Path | None = None
    """File to write; that of the package by default."""
    quick: bool = False
    """Draw few pictures and train briefly, to see that it works; it names hardly anything."""
    seed: int = 0
    """Seed of the pictures and of the first weights."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _make(arguments: MakeArguments) -> int:
    # Imported here: torch takes seconds, and a mistyped option should not wait for it.
    from distrl.run.builders.pretrained import make_pretrained

    with progress_bar() as progress:
        name, card = make_pretrained(
            arguments.run,
            name=arguments.name,
            folder=arguments.out,
            tasks=arguments.tasks,
            progress=progress,
        )
    figures = flat(name, card)
    if arguments.json:
        print_json(figures)
    else:
        _print([figures], "made")
    return 0


def _captions(arguments: CaptionsArguments) -> int:
    if arguments.out is not None and (arguments.out.is_dir() or not arguments.out.parent.is_dir()):
        raise ConfigError(f"--out is a file in a folder that is there, got {arguments.out}")
    from distrl.learn.captioner_training import (
        QUICK,
        CaptionSettings,
        train_captioner,
        write_captioner,
    )
    from distrl.run.state.provenance import this_code

    settings = replace(QUICK if arguments.quick else CaptionSettings(), seed=arguments.seed)
    made = train_captioner(settings, lambda line: print(line, file=sys.stderr, flush=True))
    figures = write_captioner(made, arguments.out, code=this_code().label)
    if arguments.json:
        print_json(figures)
    else:
        print_table(tuple(figures), [tuple(figures.values())], title="made")
    return 0


def _list(arguments: ListArguments) -> int:
    from distrl.run.builders.pretrained import PREFIX, pretrained_names, read_card

    if arguments.out is not None and not arguments.out.is_dir():
        raise ConfigError(f"there is no folder {arguments.out} to look in")
    names = pretrained_names(arguments.out)
    rows = [flat(*read_card(f"{PREFIX}:{name}", arguments.out)) for name in names]
    if arguments.json:
        print_json({"count": len(rows), "rows": rows})
    else:
        _print(rows, "pretrained policies")
    return 0


def flat(name: str, card: Card) -> dict[str, object]:
    """The description of a pretrained policy as one flat JSON object."""
    return {
        "name": name,
        "suite": card.suite,
        "split": card.split,
        "success": card.success,
        "low": card.low,
        "high": card.high,
        "tasks": card.tasks,
        "recipe": card.recipe,
        "seed": card.seed,
        "updates": card.updates,
        "parameters": card.parameters,
        "bytes": card.bytes,
        "code": card.code.label,
        "sha256": card.sha256,
    }


def _print(rows: Sequence[dict[str, object]], title: str) -> None:
    columns = ("name", "suite", "success", "low", "high", "tasks", "recipe", "seed", "bytes")
    print_table(columns, [tuple(row[column] for column in columns) for row in rows], title=title)


COMMANDS: Commands = {
    "make": (MakeArguments, _make),
    "captions": (CaptionsArguments, _captions),
    "list": (ListArguments, _list),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl pretrained",
        about="The trained policies that ship with the package.",
    )
