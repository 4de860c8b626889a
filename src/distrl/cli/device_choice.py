"""Which device a command plays on: the kind that a suite is for, or a phone over adb by its name.

--device SERIAL     that phone; a person who names it opts in to it
--phones RECIPE     the phones and fences in collect.android of a recipe, or of a run's folder
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.config import RunConfig
    from distrl.interfaces import Device


@dataclass(frozen=True, kw_only=True)
class DeviceArguments:
    """Options of commands on which a person plays tasks."""

    device: str | None = None
    """Serial of a phone over adb, as `adb devices` shows it, or HOST:PORT, to play on; its calls,
    messages, payments and resets stay blocked. By default whatever the suite is for."""
    phones: str | None = None
    """Recipe or folder of a run whose collect.android says how phones over adb are reached and what
    may be done on them; the first of them is used unless --device names one."""
    layout: Literal[1, 2] = 1
    """Layout version of all apps of embedded phones."""
    nuisance_rate: float = 0.25
    """Share of the tasks on embedded phones, from 0 to 1, that have a nuisance such as a pop-up or
    a slow page."""


@contextmanager
def open_device(suite: str, name: str, arguments: DeviceArguments) -> Iterator[Device]:
    """The device that a person plays tasks of `suite` on; closed at the end."""
    from distrl.config.devices import PhoneConfig
    from distrl.config.load import checked
    from distrl.envs.device_kinds import device_factory

    if needs_android(suite, arguments):
        from distrl.run.builders.android import opened_phone

        with opened_phone(hand_config(suite, arguments)) as device:
            yield device
        return
    values = {"nuisance_rate": arguments.nuisance_rate, "layout": arguments.layout}
    factory = device_factory(suite, phone=checked(PhoneConfig, values))
    with closing(factory.make_device(name)) as device:
        yield device


def refuse_beside_task(arguments: Any, *names: str) -> None:
    """ConfigError for options that would do nothing beside --task, which names one task."""
    defaults = {field.name: field.default for field in fields(arguments)}
    for name in names:
        if arguments.task is not None and getattr(arguments, name) != defaults[name]:
            raise ConfigError(f"--task {arguments.task} says which task: leave --{name} out")


def needs_android(suite: str, arguments: DeviceArguments) -> bool:
    """Whether a phone over adb is played on; ConfigError if none is named, or none can be."""
    from distrl.tasks.suites import is_over_adb, load_suite

    named = arguments.device is not None or arguments.phones is not None
    if is_over_adb(suite):
        if not named:
            raise ConfigError(
                f"the goals in {suite} are for phones over adb: name one with --device SERIAL, or "
                "with --phones RECIPE (distrl devices list shows them; docs/devices.md)"
            )
        return True
    if named and (kind := load_suite(suite).device) != "phone":
        raise ConfigError(
            f"--device and --phones name phones over adb; {suite} is played on devices of the "
            f"kind {kind!r}"
        )
    return named


def hand_config(suite: str, arguments: DeviceArguments) -> RunConfig:
    """Settings under which a person plays `suite` on one phone over adb."""
    from distrl.config.load import check, load_run_config

    tree: dict[str, Any] = {"collect": {}}
    if arguments.phones is not None:
        tree = load_run_config(named_settings(arguments.phones)).model_dump(mode="json")
    if arguments.device is not None:
        android = tree["collect"].setdefault(
            "android", {"safety": {"opt_in": [arguments.device], "apps": ["*"]}}
        )
        tree["collect"]["android"] = {**android, "serials": [arguments.device]}
    # Nobody is trained: the checks of settings that are about training must not get in the way.
    tree["init"] = "scratch"
    tree["collect"]["devices"] = 0
    tree["tasks"] = {**tree.get("tasks", {}), "suite": suite}
    config = check(tree)
    if not config.collect.android.phones:
        raise ConfigError(f"{arguments.phones} names no phones in collect.android")
    return config


def named_settings(name: str) -> str | Path:
    """A recipe, or the folder of a run if there is one of this name."""
    return Path(name) if Path(name).is_dir() else name
