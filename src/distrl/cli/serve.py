"""`distrl serve`: our devices and tasks for other frameworks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.serving import ServingArguments, print_address
from distrl.cli.signals import signals_noted
from distrl.errors import ConfigError

TOKEN_VARIABLE = "DISTRL_SERVE_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, kw_only=True)
class OpenEnvArguments(ServingArguments):
    """Serve a suite as an OpenEnv environment: sessions side by side, over WebSocket and HTTP.

    Clients send the token that is printed as `Authorization: Bearer TOKEN`. It is a new one every
    time unless the variable DISTRL_SERVE_TOKEN sets it; that one is not shown.
    """

    suite: Annotated[str, tyro.conf.Positional] = "general"
    """Which tasks: general, shopping, miniwob, the YAML file of a web app, or the name of a
    plug-in; SUITE:A,B takes only the templates A and B of a suite."""
    split: str = "train"
    """Split that tasks are drawn from, unless a client names another one."""
    port: int = 8000
    """Port to listen on; 0 takes a free one."""
    sessions: int = 64
    """Most sessions at once."""
    idle: float = 600.0
    """Seconds without a message after which a session is closed."""
    screens: bool = False
    """Send the screen with every observation, also where a client does not ask for it."""


def _openenv(arguments: OpenEnvArguments) -> int:
    try:
        import websockets  # noqa: F401 - uvicorn would only notice at the first connection

        from distrl.integrations.openenv.serve import Offer, serving_openenv
        from distrl.web.serve import Place
    except ModuleNotFoundError as cause:
        raise ConfigError(
            "distrl serve openenv needs FastAPI, uvicorn and websockets: pip install "
            f"'distrl[openenv]' ({cause.name} is missing)"
        ) from cause

    token = os.environ.get(TOKEN_VARIABLE) or None
    place = Place(host=arguments.host, port=arguments.port, names=arguments.allow_host, token=token)
    offer = Offer(
        suite=arguments.suite,
        split=arguments.split,
        sessions=arguments.sessions,
        idle_seconds=arguments.idle,
        screens=arguments.screens,
    )
    with signals_noted() as until_one_came, serving_openenv(offer, place) as served:
        shown = f"${TOKEN_VARIABLE}" if token else served.access.token
        invitation = f"OpenEnv, with the header 'Authorization: Bearer {shown}'"
        print_address(arguments, invitation, served.origin, can="play")
        until_one_came()
    return 0


@dataclass(frozen=True, kw_only=True)
class McpArguments:
    """Serve a phone to a client of the Model Context Protocol, over stdin and stdout.

    The client starts this command itself, and so has a phone of its own. Its tools are tap,
    long_press, swipe, type, press, wait, complete, infeasible, task, screen and elements.
    """

    suite: Annotated[str, tyro.conf.Positional] = "general"
    """Which tasks: general, shopping, miniwob, the YAML file of a web app, or the name of a
    plug-in; SUITE:A,B takes only the templates A and B of a suite."""
    split: str = "train"
    """Split that tasks are drawn from."""
    pictures: bool = False
    """Answer every action with a picture of the screen, and not only `screen`."""


def _mcp(arguments: McpArguments) -> int:
    try:
        from distrl.integrations.mcp import mcp_server
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"distrl serve mcp needs pip install 'distrl[mcp]' ({cause.name} is missing)"
        ) from cause
    from distrl.integrations.play_session import TaskBook

    mcp_server(TaskBook(arguments.suite, arguments.split), pictures=arguments.pictures).run()
    return 0


COMMANDS: Commands = {"openenv": (OpenEnvArguments, _openenv), "mcp": (McpArguments, _mcp)}


def main(argv: Sequence[str]) -> int:
    """Serve until interrupted."""
    about = "Our devices and tasks for other frameworks."
    return run_subcommand(COMMANDS, argv, prog="distrl serve", about=about)
