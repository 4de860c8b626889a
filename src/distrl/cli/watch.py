"""`distrl watch`: look at runs in a browser, while they run and afterwards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from distrl.cli.arguments import parse
from distrl.cli.serving import ServingArguments, print_address
from distrl.cli.signals import signals_noted
from distrl.errors import ConfigError

TOKEN_VARIABLE = "DISTRL_WATCH_TOKEN"  # noqa: S105 - the name of a variable
_MISSING = "distrl watch needs FastAPI, uvicorn and plotly: pip install 'distrl[dashboard]'"


@dataclass(frozen=True, kw_only=True)
class Arguments(ServingArguments):
    """Serve a dashboard of runs to browsers on this machine, behind a token, read-only.

    The address that is printed contains the token. It is a new one every time unless the variable
    DISTRL_WATCH_TOKEN sets it; that one is not shown. From another machine, forward the port, for
    example with `ssh -L`.
    """

    runs: Annotated[tuple[str, ...], tyro.conf.Positional] = ("runs",)
    """Folders of runs, or folders that contain them."""
    port: int = 8321
    """Port to listen on; 0 takes a free one."""
    allow_control: bool = False
    """Let the page quarantine, release and take over devices of a running run."""
    screenshots: str | None = None
    """Write pictures of every page, wide and narrow, into this folder and end."""


def main(argv: Sequence[str]) -> int:
    """Serve until interrupted, or make the pictures."""
    arguments = parse(Arguments, argv, prog="distrl watch")
    try:
        from distrl.web.serve import Place, serving
    except ModuleNotFoundError as cause:
        raise ConfigError(f"{_MISSING} ({cause.name} is missing)") from cause

    place = Place(
        host=arguments.host,
        port=0 if arguments.screenshots else arguments.port,
        names=arguments.allow_host,
        token=os.environ.get(TOKEN_VARIABLE) or None,
        allow_control=arguments.allow_control,
    )
    runs = [Path(run) for run in arguments.runs]
    if arguments.screenshots:
        with serving(runs, place) as served:
            return _take_screenshots(served.address, Path(arguments.screenshots))
    with signals_noted() as until_one_came, serving(runs, place) as served:
        secret = place.token is not None
        shown = f"{served.origin}/?token=${TOKEN_VARIABLE}" if secret else served.address
        print_address(arguments, "Look at it", shown, can="look")
        until_one_came()
    return 0


def _take_screenshots(address: str, folder: Path) -> int:
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"screenshots are written into a folder, and {folder} is none")
    try:
        from distrl.bench.dashboard.screenshots import take_screenshots
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"screenshots need playwright: pip install playwright ({cause.name} is missing)"
        ) from cause
    for path in take_screenshots(address, folder):
        print(path)
    return 0
