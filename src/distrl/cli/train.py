"""`distrl train`: train a policy by a recipe, and measure its success before and after."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from distrl.cli.arguments import parse
from distrl.cli.output import print_json
from distrl.cli.signals import terminated_like_interrupted
from distrl.config import RunConfig, dump, load_run_config
from distrl.errors import ConfigError

DEFAULT_RECIPE = "quickstart"
_INTERRUPTED = 130


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Train a policy, and evaluate it before and after. Ctrl-C stops in order; --resume goes on.

    `engine` says where episodes are collected: on this machine (local), on a Ray cluster (ray), or
    on simulated devices under virtual time (virtual), where the same seed gives the same weights.
    """

    settings: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Settings to change, as section.key=value; --dry-run shows all of them."""
    recipe: str | None = None
    """Name of a recipe, or path of a YAML file; quickstart by default."""
    run_dir: str | None = None
    """Folder of the run; a new one under runs/ by default."""
    resume: bool = False
    """Go on with the run in --run-dir, with its own settings."""
    dry_run: bool = False
    """Print all settings, check that a run could start with them, and end."""
    json: bool = False
    """Print one JSON object at the end instead of a table; progress goes to stderr."""


def main(argv: Sequence[str]) -> int:
    """Train and print what came of it."""
    arguments = parse(Arguments, argv, prog="distrl train")
    config = _config(arguments)
    # Imported here: suites and devices take a second, and a mistyped key should not wait for them.
    from distrl.run.startable import check_startable

    if arguments.dry_run:
        if arguments.json:
            print_json(config.model_dump(mode="json"))
        else:
            print(dump(config), end="")
        sys.stdout.flush()
    check_startable(config, resumed=arguments.resume)
    if arguments.dry_run:
        return 0
    if config.engine == "ray":
        from distrl.run.ray_cluster.inventory import enter_cluster

        enter_cluster(config)
    # Imported here: torch takes seconds, and a mistyped key should not wait for it.
    from rich.console import Console

    from distrl.clock import RealClock
    from distrl.monitor.terminal_view import TerminalView
    from distrl.run.report import print_summary
    from distrl.run.state.folder import new_run_folder
    from distrl.run.train import train_and_tell

    recipe = Path(arguments.recipe or DEFAULT_RECIPE).stem
    root = Path(arguments.run_dir) if arguments.run_dir else new_run_folder(recipe)
    console = Console(stderr=arguments.json)
    view = TerminalView(recipe=root.name, clock=RealClock(), config=config, console=console)
    try:
        with terminated_like_interrupted(), view:
            result, story = train_and_tell(config, root, resume=arguments.resume, view=view)
    except KeyboardInterrupt:
        again = "" if config.engine == "virtual" else f"; go on with: {_resume_command(root)}"
        print(f"distrl: stopped{again}", file=sys.stderr)
        return _INTERRUPTED
    if arguments.json:
        print_json(asdict(result))
    else:
        print_summary(story)
        if config.engine == "virtual":
            print(f"Weights, the same for the same settings and seed: {result.weights}")
        print(f"Look at it: {root / 'report.html'}\nEvaluate it again: {story.repeat}")
    return 0


def _resume_command(root: Path) -> str:
    return f"distrl train --run-dir {root} --resume"


def _config(arguments: Arguments) -> RunConfig:
    if not arguments.resume:
        return load_run_config(arguments.recipe or DEFAULT_RECIPE, arguments.settings)
    if arguments.run_dir is None:
        raise ConfigError("--resume needs the folder of the run: --run-dir DIR")
    if arguments.recipe is not None:
        raise ConfigError("a run goes on by its own settings: leave --recipe out, or fork it")
    root = Path(arguments.run_dir)
    if not root.is_dir():
        raise ConfigError(f"there is no run in {root} to go on with")
    return load_run_config(root, arguments.settings)
