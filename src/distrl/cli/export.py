"""`distrl export`: policies for devices, episodes for other tools, and episodes from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.errors import ConfigError

_INT8_SHARE = 0.98
"""Share of the screens on which int8, or a merged adapter, has to choose the same action. Not all:
rounding decides between nearly equal actions."""


@dataclass(frozen=True, kw_only=True)
class PolicyArguments:
    """Write a trained policy as ONNX, or a language model as a Hugging Face folder, and compare.

    A pointer is written with its text encoder, in float32 and in int8. Both are compared with the
    policy on screens that it meets. The exit code is 1 when float32 chooses another action on any
    screen, when int8 does on more than 2 of 100, or when float32 does on more than 2 of 100 with
    every text encoded by the exported encoder. A language model is written with its adapter merged;
    the exit code is 1 when that chooses another action on more than 2 of 100 screens.
    """

    policy: str = "pretrained"
    """`pretrained`, which ships with the package, or the folder of a run."""
    out: Path
    """Folder to write to; it must be empty or not exist yet."""
    observations: int | None = None
    """Number of screens to compare on, at least 3; 1000 by default, 100 for a language model."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class EpisodesArguments:
    """Write stored episodes to a Parquet file, a row per step, or such a file back to a store.

    `datasets.load_dataset` and other tools read Parquet files; commands of distrl read both.
    """

    source: Annotated[str, tyro.conf.Positional]
    """Folder of a run, or a file of episodes (.parquet or .sqlite)."""
    out: Path
    """File to write: .parquet, or .sqlite for an episode store of distrl."""
    json: bool = False
    """Print one JSON object instead of a sentence."""


def _policy(arguments: PolicyArguments) -> int:
    if arguments.observations is not None and arguments.observations < 3:
        raise ConfigError(f"--observations must be at least 3, got {arguments.observations}")
    name = arguments.policy
    if name.partition(":")[0] != "pretrained" and not Path(name).is_dir():
        raise ConfigError(
            f"--policy is pretrained, or the folder of a run whose policy was trained, got {name!r}"
        )
    # Imported here: torch takes seconds, and a mistyped name should not wait for it.
    from distrl.run.builders.trained_policy import is_lm
    from distrl.run.export.onnx_policy import export_policy

    if is_lm(name):
        return _merged(arguments)
    with progress_bar("exporting, on screens") as progress:
        figures = export_policy(
            name,
            arguments.out,
            observations=arguments.observations or 1000,
            progress=progress,
        )
    if arguments.json:
        print_json(asdict(figures))
    else:
        many = figures.observations
        rows = [
            (
                *("float32", f"{figures.same_actions} of {many}"),
                f"{figures.same_actions_from_text} of {many}",
                *(figures.size_mb, figures.latency_ms),
                *(figures.text_size_mb, figures.text_latency_ms),
            ),
            (
                *("int8", f"{figures.same_actions_int8} of {many}"),
                f"{figures.same_actions_from_text_int8} of {many}",
                *(figures.size_mb_int8, figures.latency_ms_int8),
                *(figures.text_size_mb_int8, figures.text_latency_ms_int8),
            ),
        ]
        columns = (
            *("weights", "same actions", "same with own reading", "policy, MB", "ms a decision"),
            *("encoder, MB", "ms a text"),
        )
        print_table(columns, rows, title=f"{arguments.policy} in {arguments.out}")
    exact = figures.same_actions == figures.observations
    nearly = min(figures.same_actions_int8, figures.same_actions_from_text)
    return 0 if exact and nearly >= _INT8_SHARE * figures.observations else 1


def _merged(arguments: PolicyArguments) -> int:
    from distrl.run.export.merged_model import export_merged

    with progress_bar("exporting, on screens") as progress:
        figures = export_merged(
            Path(arguments.policy),
            arguments.out,
            observations=arguments.observations or 100,
            progress=progress,
        )
    if arguments.json:
        print_json(asdict(figures))
    else:
        row = (
            f"{figures.same_actions} of {figures.observations}",
            figures.size_mb,
            figures.latency_ms,
        )
        columns = ("same actions", "size, MB", "ms per decision, one core")
        print_table(columns, [row], title=f"{arguments.policy} in {arguments.out}")
    return 0 if figures.same_actions >= _INT8_SHARE * figures.observations else 1


def _episodes(arguments: EpisodesArguments) -> int:
    if arguments.out.suffix not in (".parquet", ".sqlite"):
        raise ConfigError(f"--out must end with .parquet or .sqlite, got {arguments.out}")
    if arguments.out.exists():
        raise ConfigError(f"{arguments.out} is there already")
    if not arguments.out.parent.is_dir():
        raise ConfigError(f"there is no folder {arguments.out.parent}")
    from distrl.replay.parquet import write_parquet
    from distrl.run.state.episode_sources import open_episodes, write_store

    write = write_parquet if arguments.out.suffix == ".parquet" else write_store
    with open_episodes(arguments.source) as source:
        episodes, steps = write(source.episodes, arguments.out)
    size_mb = arguments.out.stat().st_size / 2**20
    if arguments.json:
        print_json({"episodes": episodes, "steps": steps, "size_mb": size_mb})
    else:
        print(f"{episodes} episodes with {steps} steps, {size_mb:.1f} MB, in {arguments.out}")
    return 0


COMMANDS: Commands = {
    "policy": (PolicyArguments, _policy),
    "episodes": (EpisodesArguments, _episodes),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS, argv, prog="distrl export", about="Take policies and episodes elsewhere."
    )
