"""`distrl train`: train a policy by a recipe, and measure its success before and after."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.checks import require_path
from distrl.cli.arguments import parse
from distrl.cli.output import print_json
from distrl.cli.settings import print_settings
from distrl.cli.signals import interruption_told
from distrl.config import RunConfig, load_run_config, recipe_names
from distrl.config.load import CONFIG_FILE, setting_rows
from distrl.errors import ConfigError, DistrlError

if TYPE_CHECKING:
    from distrl.run.report import Story
    from distrl.run.train import TrainResult

DEFAULT_RECIPE = "quickstart"
_USELESS = 1
_INTERRUPTED = 130
_STOPPING = "distrl: stopping: episodes under way, the store and a checkpoint are finished first"
_RECIPE = (
    f"Name of a recipe ({', '.join(recipe_names())}), or path of a YAML file; {DEFAULT_RECIPE} by "
    "default."
)


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Train a policy, and evaluate it before and after. Ctrl-C stops in order; --resume goes on.

    `engine` says where episodes are collected: on this machine (local), on a Ray cluster (ray), or
    on simulated devices under virtual time (virtual), where the same seed gives the same weights.
    """

    settings: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Settings to change, as section.key=value; --dry-run shows all of them."""
    recipe: Annotated[str | None, tyro.conf.arg(help=_RECIPE)] = None
    """A recipe by its name or path; --help lists the names."""
    run_dir: str | None = None
    """Folder of the run; a new one under runs/ by default."""
    resume: bool = False
    """Go on with the run in --run-dir, with its own settings."""
    from_scratch: bool = False
    """With --resume: if all checkpoints are damaged, learn anew from the stored episodes."""
    dry_run: bool = False
    """Print and explain all settings, check that a run could start with them, and end."""
    json: bool = False
    """Print one JSON object at the end instead of a table; progress goes to stderr."""


def main(argv: Sequence[str]) -> int:
    """Train and print what came of it; 1 when the run could not do its job."""
    arguments = parse(Arguments, argv, prog="distrl train")
    config = _config(arguments)
    if arguments.dry_run:
        _show(config, arguments)
    _check(config, arguments)
    if not arguments.dry_run:
        return _train(config, arguments)
    if not arguments.json:
        print("a run can start with these settings")
    return 0


def _show(config: RunConfig, arguments: Arguments) -> None:
    rows = setting_rows(config, _recipe(arguments), arguments.settings)
    if arguments.json:
        print_json({**config.model_dump(mode="json"), "rows": [asdict(row) for row in rows]})
    else:
        print_settings(rows)
    sys.stdout.flush()  # the settings come before what may be wrong with them


def _recipe(arguments: Arguments) -> str:
    """What the settings are read from: a recipe, or the folder of the run that goes on."""
    if arguments.resume and arguments.run_dir is not None:
        return arguments.run_dir
    return DEFAULT_RECIPE if arguments.recipe is None else arguments.recipe


def _check(config: RunConfig, arguments: Arguments) -> None:
    """ConfigError that tells what would keep the run from starting; nothing is made."""
    # Imported here: suites and devices take a second, and a mistyped key should not wait for them.
    from distrl.run.startable import check_startable
    from distrl.run.state.folder import RunFolder, require_free

    # On a cluster the same command goes on with a run.
    if arguments.run_dir and not arguments.resume and config.engine != "ray":
        require_free(Path(arguments.run_dir))
    check_startable(config, resumed=arguments.resume)
    if arguments.resume and arguments.run_dir is not None and arguments.dry_run:
        # Imported here, for torch comes with it. The run itself asks the same.
        from distrl.run.train import require_resumable

        root = Path(arguments.run_dir)
        require_resumable(RunFolder(root), config, from_scratch=arguments.from_scratch)
    if config.engine == "ray":
        from distrl.run.ray_cluster.inventory import enter_cluster

        enter_cluster(config)


def _train(config: RunConfig, arguments: Arguments) -> int:
    # Imported here: torch takes seconds, and a run that cannot start should not wait for it.
    from rich.console import Console

    from distrl.clock import RealClock
    from distrl.monitor.terminal_view import TerminalView
    from distrl.run.state.folder import new_run_folder
    from distrl.run.train import train_and_tell

    recipe = Path(arguments.recipe or DEFAULT_RECIPE).stem
    root = Path(arguments.run_dir) if arguments.run_dir else new_run_folder(recipe)
    console = Console(stderr=arguments.json)
    view = TerminalView(recipe=root.name, clock=RealClock(), config=config, console=console)
    try:
        with interruption_told(_STOPPING), view:
            result, story = train_and_tell(
                config,
                root,
                resume=arguments.resume,
                from_scratch=arguments.from_scratch,
                view=view,
            )
    except KeyboardInterrupt:
        again = "" if config.engine == "virtual" else f"; go on with: {_resume_command(root)}"
        print(f"distrl: stopped{again}", file=sys.stderr)
        return _INTERRUPTED
    except (DistrlError, OSError) as error:
        _tell_what_is_kept(root, error)
        raise
    _print_result(result, story, json=arguments.json)
    return _USELESS if story.problem else 0


def _print_result(result: TrainResult, story: Story, *, json: bool) -> None:
    from distrl.run.report import print_summary

    if json:
        print_json(asdict(result))
    else:
        print_summary(story)
        if story.config.engine == "virtual":
            print(f"Weights, the same for the same settings and seed: {result.weights}")
        page = Path(result.run) / "report.html"
        print(f"Look at it: {page}\nEvaluate it again: {story.repeat}")
    if story.problem:
        print(f"distrl: {story.problem}", file=sys.stderr)


def _tell_what_is_kept(root: Path, error: Exception) -> None:
    """Say how to go on, after an error that came while the run was going."""
    from distrl.run.state.folder import RunFolder, has_begun

    # A ConfigError says itself what to do, and may be about a run that is not ours.
    if not isinstance(error, ConfigError) and has_begun(RunFolder(root)):
        print(
            f"distrl: what was collected is kept in {root}; once the cause is removed, go on with: "
            f"{_resume_command(root)}",
            file=sys.stderr,
        )


def _resume_command(root: Path) -> str:
    return f"distrl train --run-dir {root} --resume"


def _config(arguments: Arguments) -> RunConfig:
    if arguments.run_dir is not None:
        require_path("--run-dir", arguments.run_dir)
    if arguments.recipe is not None:
        require_path("--recipe, unless it is the name of one,", arguments.recipe)
    if arguments.from_scratch and not arguments.resume:
        raise ConfigError("--from-scratch is for a run that goes on: add --resume --run-dir DIR")
    if not arguments.resume:
        return load_run_config(_recipe(arguments), arguments.settings)
    if arguments.run_dir is None:
        raise ConfigError("--resume needs the folder of the run: --run-dir DIR")
    if arguments.recipe is not None:
        raise ConfigError("a run goes on by its own settings: leave --recipe out, or fork it")
    root = Path(arguments.run_dir)
    if not (root / CONFIG_FILE).is_file():
        raise ConfigError(f"there is no run in {root} to go on with")
    return load_run_config(root, arguments.settings)
