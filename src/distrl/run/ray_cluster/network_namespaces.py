r"""Several hosts on one machine, for tests of outages: each in a network namespace of its own.

    switch namespace: bridge ---- veth ---- namespace 0: 10.201.0.1
                             \--- veth ---- namespace 1: 10.201.0.2     and so on

A host is cut off by taking its port of the bridge down, which loses packets as a pulled cable does.
Needs root and `ip`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from distrl.errors import PipelineError

# `ip` answers in milliseconds.
_SECONDS = 10.0


def can_make_namespaces() -> bool:
    """Whether this process may make network namespaces."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"dtry{os.getpid()}"
    try:
        _ip("netns", "add", name)
        _ip("netns", "delete", name)
    except PipelineError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Network:
    """Namespaces that reach one another over a bridge, and nothing else."""

    prefix: str
    hosts: int

    def address(self, host: int) -> str:
        """The address of a host, counted from 0."""
        return f"10.201.0.{host + 1}"

    def inside(self, host: int) -> tuple[str, ...]:
        """What to put in front of a command so that it runs on a host."""
        return ("ip", "netns", "exec", f"{self.prefix}{host}")

    def cut_off(self, host: int) -> None:
        """Drop all packets to and from a host."""
        self._switch("link", "set", f"port{host}", "down")

    def bring_back(self, host: int) -> None:
        """Connect a host again."""
        self._switch("link", "set", f"port{host}", "up")

    def _switch(self, *words: str) -> None:
        _ip("-netns", f"{self.prefix}sw", *words)

    def build(self) -> None:
        """Create the namespaces, the bridge and the links."""
        switch = f"{self.prefix}sw"
        _ip("netns", "add", switch)
        self._switch("link", "add", "bridge0", "type", "bridge")
        self._switch("link", "set", "bridge0", "up")
        for host in range(self.hosts):
            name = f"{self.prefix}{host}"
            _ip("netns", "add", name)
            _ip("-netns", name, "link", "set", "lo", "up")
            port = ("peer", "name", f"port{host}", "netns", switch)
            _ip("-netns", name, "link", "add", "eth0", "type", "veth", *port)
            _ip("-netns", name, "address", "add", f"{self.address(host)}/24", "dev", "eth0")
            _ip("-netns", name, "link", "set", "eth0", "up")
            self._switch("link", "set", f"port{host}", "master", "bridge0", "up")

    def remove(self) -> None:
        """Delete the namespaces, and with them what is inside; those that are gone are no error."""
        for name in (*(f"{self.prefix}{host}" for host in range(self.hosts)), f"{self.prefix}sw"):
            subprocess.run(  # noqa: S603 - fixed words
                ["ip", "netns", "delete", name],  # noqa: S607 - the system's own ip
                check=False,
                capture_output=True,
                timeout=_SECONDS,
            )


@contextmanager
def network(hosts: int) -> Iterator[Network]:
    """A network of `hosts` hosts, there inside the block."""
    made = Network(f"d{os.getpid()}h", hosts)
    try:
        made.build()
        yield made
    finally:
        made.remove()


def _ip(*words: str) -> None:
    done = subprocess.run(  # noqa: S603 - fixed words
        ["ip", *words],  # noqa: S607 - the system's own ip
        check=False,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
    )
    if done.returncode:
        raise PipelineError(f"ip {' '.join(words)}: {done.stderr.strip()}")
