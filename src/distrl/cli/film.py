"""`distrl film`: a moving picture of what a run's policy did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.cli.arguments import parse, require_at_least
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.replay.store.sqlite import StoreReader

_FORMATS = (".gif", ".webp")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Make a moving picture of a run's newest successful episodes, each of another template."""

    run: Annotated[str, tyro.conf.Positional]
    """Folder of the run."""
    out: Path = Path("film.gif")
    """Picture to write, .gif or .webp."""
    episodes: int = 3
    """Number of episodes."""
    steps: int = 4
    """Leave out episodes of fewer steps, which show little."""
    any: bool = False
    """Take failed episodes too."""
    episode: tuple[str, ...] = ()
    """Ids of the episodes to show, instead of the newest."""


def main(argv: Sequence[str]) -> int:
    """Write the picture."""
    arguments = parse(Arguments, argv, prog="distrl film")
    if arguments.out.suffix not in _FORMATS:
        raise ConfigError(f"--out must end in {' or '.join(_FORMATS)}, got {arguments.out}")
    if not arguments.out.parent.is_dir():
        raise ConfigError(f"there is no folder {arguments.out.parent}")
    from distrl.replay.store.sqlite import StoreReader
    from distrl.run.report.moving import write_moving_picture
    from distrl.run.state.folder import RunFolder

    require_at_least("--episodes", arguments.episodes, at_least=1)
    store = RunFolder(Path(arguments.run)).episodes
    if not store.is_file():
        raise ConfigError(f"there are no episodes in {arguments.run}")
    with StoreReader(store) as reader:
        chosen = arguments.episode or _choose(reader, arguments)
        if not chosen:
            raise ConfigError(
                f"no success in {arguments.run} has {arguments.steps} steps or more; "
                "lower --steps, or say --any"
            )
        try:
            episodes = [reader.get(name) for name in chosen]
        except KeyError as missing:
            raise ConfigError(f"there is no episode {missing} in {arguments.run}") from None
        frames = write_moving_picture(episodes, arguments.out)
    print(f"{arguments.out}: {frames} frames of {', '.join(chosen)}")
    return 0


def _choose(reader: StoreReader, arguments: Arguments) -> tuple[str, ...]:
    """The newest successes of enough steps, one of each template."""
    found: dict[str, str] = {}
    for summary in reversed(reader.summaries(limit=-1)):
        wanted = arguments.any or summary.outcome == "succeeded"
        if wanted and summary.steps >= arguments.steps:
            found.setdefault(summary.template, summary.id)
        if len(found) == arguments.episodes:
            break
    return tuple(found.values())
