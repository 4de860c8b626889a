"""`distrl adbd`: embedded phones as Android devices that the real adb connects to."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from distrl.checks import LARGEST_PORT
from distrl.cli.arguments import parse
from distrl.cli.signals import signals_noted
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.devices.phone.adbd.daemon import AdbDaemon


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Serve embedded phones to the real adb, until Ctrl-C.

    An address is printed for each phone; `adb connect ADDRESS` connects to it.
    """

    port: int = 5555
    """Port of the first phone; the others take the ports after it. 0 takes free ports."""
    phones: int = 1
    """Number of phones."""
    host: str = "127.0.0.1"
    """Address to listen on; other than the loopback only with --keys."""
    keys: Path | None = None
    """File of adb public keys that may connect, one per line, as in ~/.android/adbkey.pub; anybody
    on this machine by default."""
    seed: int = 0
    """Seed of the first phone's content and look; the others take the seeds after it."""
    task: str | None = None
    """Start all phones at the beginning of this task, such as general/val/0; on the home screen by
    default."""
    scale: int = 4
    """Pixels per layout unit of the screen: 4 is 720x1600."""
    nuisance_rate: float = 0.25
    """Share of the tasks, from 0 to 1, that have a nuisance such as a pop-up or a slow page."""
    layout: Literal[1, 2] = 1
    """Layout version of all apps."""
    untidy: bool = False
    """Write hierarchies as untidy as those of real apps: few labels, rows of many views."""
    idle_rate: float = 0.0
    """Share of the dumps, from 0 to 1, that fail because the screen does not come to rest."""
    anr_rate: float = 0.0
    """Share of the window dumps, from 0 to 1, that begin with what is kept of an old ANR."""


def main(argv: Sequence[str]) -> int:
    """Serve until a signal."""
    arguments = parse(Arguments, argv, prog="distrl adbd")
    if arguments.phones < 1:
        raise ConfigError(f"--phones must be at least 1, got {arguments.phones}")
    last = arguments.port + arguments.phones - 1
    if last > LARGEST_PORT:
        raise ConfigError(
            f"the last of {arguments.phones} phones would have the port {last}; --port and the "
            f"ports after it end at {LARGEST_PORT}"
        )
    if arguments.keys is None and not _is_loopback(arguments.host):
        raise ConfigError(
            f"--host {arguments.host} lets others in: name the keys that may connect with --keys"
        )
    for name, rate in (("--idle-rate", arguments.idle_rate), ("--anr-rate", arguments.anr_rate)):
        if not 0 <= rate <= 1:
            raise ConfigError(f"{name} must be from 0 to 1, got {rate}")
    with signals_noted() as until_one_came, ExitStack() as open_phones:
        for number in range(arguments.phones):
            daemon = _serve(arguments, number)
            open_phones.callback(daemon.close)
            print(daemon.address, flush=True)
        until_one_came()
    return 0


def _serve(arguments: Arguments, number: int) -> AdbDaemon:
    from distrl.config.devices import PhoneConfig
    from distrl.config.load import checked
    from distrl.devices.phone.adbd.daemon import AdbDaemon
    from distrl.devices.phone.adbd.injected_faults import Untidiness
    from distrl.devices.phone.adbd.keys import read_keys
    from distrl.devices.phone.adbd.system import AndroidSystem
    from distrl.devices.phone.device import PhoneDevice
    from distrl.tasks.served import TaskConsole

    settings = checked(
        PhoneConfig,
        {"nuisance_rate": arguments.nuisance_rate, "layout": arguments.layout},
    )
    device = PhoneDevice(f"served-{number}", settings)
    device.reset(arguments.seed + number)
    console = TaskConsole(device)
    if arguments.task is not None:
        console.begin(arguments.task)
    system = AndroidSystem(
        device,
        serial=f"distrl-{number}",
        scale=arguments.scale,
        console=console,
        untidy=Untidiness(arguments.untidy, arguments.idle_rate, arguments.anr_rate),
    )
    port = arguments.port + number if arguments.port else 0
    keys = None if arguments.keys is None else read_keys(arguments.keys)
    return AdbDaemon(system, host=arguments.host, port=port, keys=keys)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
