"""How a Ray cluster is reached: its address, its token, and what Ray reads from the environment.

A token is always asked for. Its file is readable by its owner only, or it is not used. An address
of the loopback makes Ray listen there and nowhere else; any other makes it listen on every address
that the machine has.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import ConfigError

TOKEN_VARIABLE = "RAY_AUTH_TOKEN"  # noqa: S105 - the name of a variable
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""What Ray knows as such."""
_RECONNECT_SECONDS = 30
"""After so long without its head, a node of the cluster gives up and starts again."""
_HEALTH = {
    "RAY_health_check_period_ms": "3000",
    "RAY_health_check_timeout_ms": "10000",
    "RAY_health_check_failure_threshold": "20",
}
"""A node that cannot be reached is still waited for, for about a minute: a host that comes back
within that time goes on with what it has, which is quicker than starting it anew."""

_LINES = {
    "RAY_grpc_client_keepalive_time_ms": "3000",
    "RAY_grpc_client_keepalive_timeout_ms": "3000",
}
"""A line over which nothing has come for so long is given up and built anew. Left to itself the
system tries less and less often whether a cut line works again: half a minute after twenty seconds
away, and more on a busy machine."""


@dataclass(frozen=True, slots=True)
class Access:
    """Address and token of a cluster."""

    address: str
    """HOST:PORT of its head."""
    token_file: Path
    """Where the token is, unless the environment has it."""

    @property
    def host(self) -> str:
        """Where the head is."""
        return self.address.rpartition(":")[0]

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.address.rpartition(":")[2])

    @property
    def token_given(self) -> bool:
        """Whether the environment has the token."""
        return bool(os.environ.get(TOKEN_VARIABLE))

    @property
    def token_place(self) -> str:
        """Where the token that is used comes from, for people."""
        return f"the variable {TOKEN_VARIABLE}" if self.token_given else str(self.token_file)

    def environment(self) -> dict[str, str]:
        """What Ray has to find in the environment of every process of the cluster."""
        return {
            "RAY_AUTH_MODE": "token",
            **({} if self.token_given else {"RAY_AUTH_TOKEN_PATH": str(self.token_file)}),
            "RAY_USAGE_STATS_ENABLED": "0",
            # Ray's own way is that workers step back for everybody else: phones would wait.
            "RAY_worker_niceness": "0",
            # Despite its name: whether nodes have an address beyond the loopback.
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0" if is_loopback(self.host) else "1",
            "RAY_gcs_rpc_server_reconnect_timeout_s": str(_RECONNECT_SECONDS),
            **_HEALTH,
            **_LINES,
        }

    def enter(self) -> None:
        """Set this process up for it, before Ray is imported."""
        require_token(self.token_file)
        os.environ.update(self.environment())


def check_address(address: str) -> str:
    """The address itself; ConfigError unless it is HOST:PORT."""
    host, sign, port = address.rpartition(":")
    if not (host and sign and port.isdecimal() and 0 < int(port) < 65536):
        raise ConfigError(f"the address of a cluster is HOST:PORT, got {address!r}")
    check_host(host)
    return address


def check_host(host: str) -> str:
    """The host itself; ConfigError for an address of the loopback that Ray takes for another.

    It would be listened for on every address of the machine, which nobody expects.
    """
    try:
        loopback = ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        loopback = False
    if loopback and not is_loopback(host):
        raise ConfigError(f"of the loopback, Ray knows 127.0.0.1 only, got {host}")
    return host


def is_loopback(host: str) -> bool:
    """Whether this address makes Ray keep everybody else out."""
    return host.strip("[]") in _LOOPBACK


def own_address(host: str) -> str:
    """This machine's address in the network in which it reaches a host; nothing is sent."""
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
    """The user's own token."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "distrl" / "cluster-token"


def make_token(path: Path) -> None:
    """Write a new token, readable by its owner only, unless there is one already.

    One in the environment will do. ConfigError when the one that is there will not.
    """
    if os.environ.get(TOKEN_VARIABLE):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        require_token(path)
        return
    except OSError as error:
        raise ConfigError(f"no token can be written to {path}: {error.strerror}") from None
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(32))


def require_token(path: Path, environment: Mapping[str, str] | None = None) -> None:
    """Refuse a token that is not there or that others can read; one in the environment will do."""
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
