"""Options of every command that serves a page, and what it says when it does."""

from __future__ import annotations

from dataclasses import dataclass

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, kw_only=True)
class ServingArguments:
    """Where a page is served."""

    host: str = "127.0.0.1"
    """Address to listen on; other machines can reach anything but the loopback."""
    port: int = 0
    """Port to listen on; 0 takes a free one."""
    allow_host: tuple[str, ...] = ()
    """Further host names that browsers may use for this machine."""


def print_address(arguments: ServingArguments, invitation: str, address: str, *, can: str) -> None:
    """Say where the page is, what others `can` do if they reach it, and how to end it."""
    print(f"{invitation}: {address}", flush=True)
    if arguments.host not in _LOOPBACK:
        print(f"Everybody who can reach this machine and has the address can {can}.", flush=True)
    print("Ctrl-C ends it.", flush=True)
