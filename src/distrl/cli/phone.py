"""`distrl phone`: look at the embedded phone, or play a task by hand."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.device_choice import DeviceArguments, open_device, refuse_beside_task
from distrl.cli.output import print_json, print_table
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from PIL.Image import Image

    from distrl.interfaces import Device
    from distrl.types import Observation, Task

_SPLIT = "val"
"""What is played by default: what nobody trains on, and nobody is measured by."""


@dataclass(frozen=True, kw_only=True)
class ShowArguments:
    """Draw the home screen, the system's surfaces and the first page of every app into a picture.

    With --app or --task, only that screen is drawn.
    """

    out: Path = Path("phone.png")
    """Picture to write (.png)."""
    app: str | None = None
    """Draw only this app."""
    page: str | None = None
    """Page of the app to draw; its first by default. Pages that show something chosen before, such
    as one contact, cannot be drawn."""
    task: str | None = None
    """Draw only the screen on which this task starts, such as general/val/0."""
    scale: int = 3
    """Size of a screen, from 1 to 8: 1 is 180x400 pixels."""
    seed: int = 3
    """Seed of the phone's content and look."""
    layout: Literal[1, 2] = 1
    """Layout version of all apps."""
    dark: bool = False
    """Use the dark theme."""


@dataclass(frozen=True, kw_only=True)
class PlayArguments(DeviceArguments):
    """Play a task by hand in the terminal, on a phone or on a page, whichever its suite is for.

    The exit code is 1 if the task ends without success, and 0 if you leave before its end.
    """

    task: str | None = None
    """The task, such as general/val/0; by default --suite, --split and --index name it."""
    suite: str = "general"
    """Suite of the task: general, shopping, miniwob, the YAML file of a web app or of goals for
    phones over adb, or the name of a plug-in."""
    split: str | None = None
    """Split of the suite, such as train, val or test; by default val, or the first that has
    tasks."""
    index: int = 0
    """Number of the task in the split, from 0."""
    screen: Path | None = None
    """Picture (.png) that the screen is written to after every action; none by default."""


@dataclass(frozen=True, kw_only=True)
class AppsArguments:
    """List the apps of the embedded phone and their pages."""

    json: bool = False
    """Print one JSON object instead of a table."""


def _show(arguments: ShowArguments) -> int:
    from distrl.cli.phone_pictures import contact_sheet, open_app, open_task, picture, quiet_phone

    if not 1 <= arguments.scale <= 8:
        raise ConfigError(f"--scale must be between 1 and 8, got {arguments.scale}")
    if arguments.app is not None and arguments.task is not None:
        raise ConfigError("give --app or --task, not both")
    if arguments.page is not None and arguments.app is None:
        raise ConfigError(f"--page {arguments.page} needs the --app that has it")
    device = quiet_phone(arguments.seed, layout=arguments.layout, dark=arguments.dark)
    if arguments.app is not None:
        open_app(device, arguments.app, arguments.page)
        image = picture(device, arguments.scale)
    elif arguments.task is not None:
        open_task(device, _phone_task(arguments.task))
        image = picture(device, arguments.scale)
    else:
        image = contact_sheet(device, arguments.scale)
    _write(image, arguments.out)
    print(f"{arguments.out}: {image.width}x{image.height} pixels")
    return 0


def _play(arguments: PlayArguments) -> int:
    from distrl.cli.text_game import Game

    refuse_beside_task(arguments, "suite", "split", "index")
    task = _find_task(arguments.task or _numbered(arguments))
    with open_device(task.suite, "played", arguments) as device:
        game = Game(device, task, save=partial(save_screen, device, arguments.screen))
        return game.play(sys.stdin)


def _numbered(arguments: PlayArguments) -> str:
    """The task of a number, in the split that is named or that there is."""
    from distrl.tasks.suites import load_suite

    split = arguments.split
    if split is None:
        suite = load_suite(arguments.suite)
        filled = [name for name in suite.splits if suite.tasks(name)]
        split = _SPLIT if _SPLIT in filled or not filled else filled[0]
    return f"{arguments.suite}/{split}/{arguments.index}"


def save_screen(device: Device, path: Path | None, seen: Observation) -> None:
    """Write what a device shows to `path`; nothing if that is None.

    Embedded phones are drawn three times as large, the others as they were `seen`.
    """
    if path is None:
        return
    from PIL import Image

    from distrl.cli.phone_pictures import picture
    from distrl.devices.phone.device import PhoneDevice

    image = picture(device, 3) if isinstance(device, PhoneDevice) else Image.fromarray(seen.screen)
    _write(image, path)


def _apps(arguments: AppsArguments) -> int:
    from distrl.devices.phone import apps
    from distrl.devices.phone.registry import find

    rows: list[dict[str, object]] = []
    for name in sorted(apps.names()):
        app = find(name)
        pages = [attribute[5:] for attribute in dir(app) if attribute.startswith("page_")]
        rows.append({"name": name, "title": app.title, "pages": ", ".join(pages)})
    if arguments.json:
        print_json({"apps": len(rows), "rows": rows})
    else:
        print_table(("name", "title", "pages"), [tuple(row.values()) for row in rows])
    return 0


def _find_task(name: str) -> Task:
    from distrl.tasks.suites import find_task

    return find_task(name)


def _phone_task(name: str) -> Task:
    """The task of a name; ConfigError if it is not played on embedded phones."""
    from distrl.tasks.suites import load_suite

    task = _find_task(name)
    kind = load_suite(task.suite).device
    if kind != "phone":
        raise ConfigError(
            f"{name} is played on devices of the kind {kind!r}, and the embedded phone is drawn "
            f"here; look at it with distrl play --suite {task.suite}"
        )
    return task


def _write(image: Image, path: Path) -> None:
    # Imported here, so that `--help` is answered at once.
    from io import BytesIO

    from distrl.weights.atomic_files import write_whole

    if path.suffix.lower() != ".png":
        raise ConfigError(f"a picture is written as .png, got {str(path)!r}")
    drawn = BytesIO()
    image.save(drawn, "png")
    try:
        write_whole(path, drawn.getvalue())
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


COMMANDS: Commands = {
    "show": (ShowArguments, _show),
    "play": (PlayArguments, _play),
    "apps": (AppsArguments, _apps),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl phone",
        about="Look at the embedded phone, or play a task by hand.",
    )
