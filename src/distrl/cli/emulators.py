"""`distrl emulators`: prepare an AVD so that runs can start clones of it from a snapshot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.signals import terminated_like_interrupted
from distrl.config.devices import EmulatorsConfig
from distrl.config.load import checked

_DEFAULT = EmulatorsConfig()


@dataclass(frozen=True, kw_only=True)
class PrepareArguments:
    """Start an AVD as runs do, set it up, save its snapshot, and prove that the snapshot loads.

    A snapshot loads only with the memory, cores and renderer that it was saved with: name here what
    collect.android.emulators of the run names.
    """

    avd: Annotated[str, tyro.conf.Positional]
    """Name of the AVD, as `emulator -list-avds` shows it."""
    snapshot: str = _DEFAULT.snapshot
    """Name of the snapshot that is saved."""
    memory_mb: int = _DEFAULT.memory_mb
    """Memory in MB."""
    cores: int = _DEFAULT.cores
    """CPU cores."""
    gpu: str = _DEFAULT.gpu
    """Graphics mode."""
    boot_seconds: float = _DEFAULT.boot_seconds
    """Seconds that it may take to start."""
    program: str | None = None
    """The emulator program; looked for on PATH and in the Android SDK by default."""


def _prepare(arguments: PrepareArguments) -> int:
    from distrl.run.prepare_emulator import prepare_emulator

    named = ("avd", "snapshot", "memory_mb", "cores", "gpu", "boot_seconds", "program")
    config = checked(EmulatorsConfig, {name: getattr(arguments, name) for name in named})
    with TemporaryDirectory(prefix="distrl-emulator-") as folder:
        home = prepare_emulator(config, Path(folder), lambda step: print(step, flush=True))
    print(f"its home screen is {home}: name it in collect.android.safety.apps")
    return 0


@dataclass(frozen=True, kw_only=True)
class ListArguments:
    """List the AVDs of this machine, one on a line. The exit code is 1 if there are none."""


def _list(_: ListArguments) -> int:
    from distrl.cli.doctor import find_avds

    found = find_avds()
    if found is None:
        print(
            "distrl: no AVDs: make one with avdmanager, docs/devices.md says how", file=sys.stderr
        )
        return 1
    print("\n".join(found.split(", ")))
    return 0


COMMANDS: Commands = {"prepare": (PrepareArguments, _prepare), "list": (ListArguments, _list)}


def main(argv: Sequence[str]) -> int:
    """Run one of the commands."""
    about = "Prepare Android emulators for runs."
    # What was started, an emulator and an adb server, ends with the command.
    with terminated_like_interrupted():
        return run_subcommand(COMMANDS, argv, prog="distrl emulators", about=about)
