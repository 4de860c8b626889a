"""How a Ray cluster is reached: its address, its token, and what Ray reads from the environment.

A token is always required, and a token file that others can read is refused. With a loopback
address Ray listens on the loopback interface only; with any other address it listens on every
interface of the machine.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import ConfigError

TOKEN_VARIABLE = "RAY_AUTH_TOKEN"  # noqa: S105 - the name of a variable
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""What Ray itself takes for the loopback interface."""
_RECONNECT_SECONDS = 30
"""A node that has not reached its head for so long exits, and its watchdog restarts it. Longer than
a restart of the head takes."""
_HEALTH = {
    "RAY_health_check_period_ms": "3000",
    "RAY_health_check_timeout_ms": "10000",
    "RAY_health_check_failure_threshold": "20",
}
"""The head declares a node dead after about a minute (20 failed checks, 3 s apart): a host that
comes back within that time continues, which is quicker than a new one that loads its policy."""

_KEEPALIVE = {
    "RAY_grpc_client_keepalive_time_ms": "3000",
    "RAY_grpc_client_keepalive_timeout_ms": "3000",
}
"""A connection without traffic for so long is closed and opened anew. TCP alone retransmits with
exponential backoff, and notices that a cut link works again half a minute after 20 s of outage, or
later on a busy machine."""


@dataclass(frozen=True, slots=True)
class Access:
    """Address and token of a cluster."""

    address: str
    """HOST:PORT of its head."""
    token_file: Path
    """The file of the token; unused when the environment has the token."""

    @property
    def host(self) -> str:
        """The head's host."""
        return self.address.rpartition(":")[0]

    @property
    def port(self) -> int:
        """The head's port."""
        return int(self.address.rpartition(":")[2])

    @property
    def token_given(self) -> bool:
        """Whether the environment has the token."""
        return bool(os.environ.get(TOKEN_VARIABLE))

    @property
    def token_place(self) -> str:
        """Where the token comes from, for messages to people."""
        return f"the variable {TOKEN_VARIABLE}" if self.token_given else str(self.token_file)

    def environment(self) -> dict[str, str]:
        """Environment variables that every process of the cluster needs before it imports Ray."""
        return {
            "RAY_AUTH_MODE": "token",
            **({} if self.token_given else {"RAY_AUTH_TOKEN_PATH": str(self.token_file)}),
            "RAY_USAGE_STATS_ENABLED": "0",
            # Ray would run its workers at niceness 15, and phones would wait for their decisions.
            "RAY_worker_niceness": "0",
            # Despite its name, it says whether nodes listen beyond the loopback interface.
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0" if is_loopback(self.host) else "1",
            "RAY_gcs_rpc_server_reconnect_timeout_s": str(_RECONNECT_SECONDS),
            **_HEALTH,
            **_KEEPALIVE,
        }

    def enter(self) -> None:
        """Set this process's environment for the cluster; call it before Ray is imported."""
        require_token(self.token_file)
        os.environ.update(self.environment())


def check_address(address: str) -> str:
    """Returns the address; ConfigError unless it is HOST:PORT."""
    host, sign, port = address.rpartition(":")
    if not (host and sign and port.isdecimal() and 0 < int(port) < 65536):
        raise ConfigError(f"the address of a cluster is HOST:PORT, got {address!r}")
    check_host(host)
    return address


def check_host(host: str) -> str:
    """Returns the host; ConfigError for numbers that are no address, and for some of the loopback.

    With 127.0.0.2, for one, Ray would listen on every interface of the machine.
    """
    try:
        loopback = ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        # Resolvers fill up what is missing: 10.0.5 would be 10.0.0.5.
        if re.fullmatch(r"[\d.]+", host):
            raise ConfigError(
                f"an address has four numbers, such as 10.0.0.1, got {host}"
            ) from None
        loopback = False
    if loopback and not is_loopback(host):
        raise ConfigError(f"of the loopback, Ray knows 127.0.0.1 only, got {host}")
    return host


def is_loopback(host: str) -> bool:
    """Whether Ray takes this host for the loopback interface and listens nowhere else."""
    return host.strip("[]") in _LOOPBACK


def own_address(host: str) -> str:
    """The address of this machine's interface that routes to a host; no packet is sent."""
    bare = host.strip("[]")
    try:
        found = socket.getaddrinfo(bare, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(found[0], socket.SOCK_DGRAM) as probe:
            probe.connect(found[4])
            address: str = probe.getsockname()[0]
    except OSError as error:
        raise ConfigError(f"{host} cannot be reached from here: {error}") from None
    return address


def default_token_file() -> Path:
    """The file of the user's token."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "distrl" / "cluster-token"


def make_token(path: Path) -> None:
    """Write a new token, readable by its owner only, unless a file or the environment has one.

    ConfigError when the file that exists is no usable token, or none can be written.
    """
    if os.environ.get(TOKEN_VARIABLE):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Created with its mode, exclusively: nobody can read it, or replace it, in between.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        require_token(path)
        return
    except OSError as error:
        raise ConfigError(f"no token can be written to {path}: {error.strerror}") from None
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(32))


def require_token(path: Path, environment: Mapping[str, str] | None = None) -> None:
    """ConfigError unless the environment or the file has a token, the file for its owner only."""
    if (os.environ if environment is None else environment).get(TOKEN_VARIABLE):
        return
    try:
        found = path.stat()
    except FileNotFoundError:
        raise ConfigError(
            f"there is no token in {path}; `distrl cluster up` makes one, and every machine of a "
            f"cluster needs the same"
        ) from None
    except OSError as error:
        raise ConfigError(f"the token in {path} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"the token is a file, and {path} is none")
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        raise ConfigError(
            f"the token in {path} can be read by others (its mode is {mode:o}): chmod 600 {path}"
        )
    try:
        token = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the token in {path} cannot be read: {error.strerror}") from None
    if not token.strip():
        raise ConfigError(f"the token in {path} is empty; remove the file and make a new one")
