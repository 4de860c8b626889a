"""Pictures of the embedded phone: one screen, or a labelled sheet of all there is to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PIL import Image, ImageDraw

from distrl import actions
from distrl.actions import Direction
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import fonts, render
from distrl.devices.phone.registry import find
from distrl.devices.phone.ui.view import HEIGHT, WIDTH
from distrl.errors import ConfigError, unknown_name
from distrl.tasks.referee import PhoneReferee
from distrl.types import Task

_COLUMNS = 7
_GAP, _LABEL = 8, 18
"""Layout units between screens, and of the line below each."""
_PAPER, _INK = (236, 238, 242), (30, 34, 40)


def quiet_phone(seed: int, *, layout: int = 1, dark: bool = False) -> PhoneDevice:
    """A phone that no nuisance disturbs."""
    device = PhoneDevice("shown", PhoneConfig(nuisance_rate=0.0, layout=layout))
    device.reset(seed)
    if dark:
        _change(device, lambda control: control.write_system("dark", to=True))
    return device


def open_app(device: PhoneDevice, name: str, page: str | None = None) -> None:
    """Bring an app to the front, on its first page or another one."""
    if name not in apps.names():
        raise unknown_name("app", name, apps.names())
    if page is not None and page not in pages_of(find(name)):
        raise unknown_name(f"page of {name}", page, pages_of(find(name)))
    _change(device, lambda control: control.start(name, "" if page in (None, "main") else page))
    try:
        device.observe()
    except KeyError as missing:
        raise ConfigError(
            f"the page {page!r} of {name!r} shows something that must be chosen first ({missing})"
        ) from missing


def open_task(device: PhoneDevice, task: Task) -> None:
    """Put the phone where a task starts."""
    PhoneReferee(device).begin(task)


def pages_of(app: App) -> tuple[str, ...]:
    """Names of an app's pages and dialogs."""
    kinds = ("page_", "dialog_")
    return tuple(name.split("_", 1)[1] for name in dir(app) if name.startswith(kinds))


def picture(device: PhoneDevice, scale: int) -> Image.Image:
    """What the phone shows, drawn at a multiple of its size."""
    pixels = render.render(device.phone.view, WIDTH * scale, HEIGHT * scale)
    return Image.fromarray(pixels)


def contact_sheet(device: PhoneDevice, scale: int) -> Image.Image:
    """Home, the system's surfaces and the first page of each app, with their names."""
    shown = [(label, picture(screen, scale)) for label, screen in _scenes(device)]
    rows = -(-len(shown) // _COLUMNS)
    across, down = WIDTH + _GAP, HEIGHT + _LABEL + _GAP
    size = ((across * _COLUMNS + _GAP) * scale, (down * rows + _GAP) * scale)
    sheet = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(sheet)
    font = fonts.font(11 * scale)
    for index, (label, image) in enumerate(shown):
        row, column = divmod(index, _COLUMNS)
        x, y = (_GAP + column * across) * scale, (_GAP + row * down) * scale
        sheet.paste(image, (x, y))
        middle = (x + WIDTH * scale // 2, y + (HEIGHT + _LABEL // 2) * scale)
        pen.text(middle, label, fill=_INK, font=font, anchor="mm")
    return sheet


def _scenes(device: PhoneDevice) -> Iterator[tuple[str, PhoneDevice]]:
    """Label and phone of each screen; all are forks of the one given."""
    yield "Home", device
    for label, enter in _SURFACES.items():
        screen = device.fork()
        enter(screen)
        yield label, screen
    for name in sorted(apps.names(), key=lambda name: find(name).title):
        screen = device.fork()
        open_app(screen, name)
        yield find(name).title, screen


def _pull_drawer(device: PhoneDevice) -> None:
    device.perform(actions.swipe_towards(Direction.UP))


def _pull_shade(device: PhoneDevice) -> None:
    _change(device, lambda c: c.notify("clock", "Clock", "Timer finished"))
    device.perform(actions.swipe(0.5, 0.01, 0.5, 0.5))


def _show_keyboard(device: PhoneDevice) -> None:
    """Type a word into the search field of the notes."""
    open_app(device, "notes")
    field = next(e for e in device.observe().elements or () if e.editable)
    device.perform(actions.tap(*field.center))
    device.perform(actions.type_text("a"))


def _show_dialog(device: PhoneDevice) -> None:
    open_app(device, "clock")
    overlay = {"kind": "update", "app": "clock", "variant": 0}
    _change(device, lambda control: control.write_ui("overlay", overlay))


_SURFACES: dict[str, Callable[[PhoneDevice], None]] = {
    "All apps": _pull_drawer,
    "Notification shade": _pull_shade,
    "Keyboard": _show_keyboard,
    "Dialog": _show_dialog,
}
"""How to get to each surface of the system from the home screen."""


def _change(device: PhoneDevice, change: Callable[[Control], None]) -> None:
    state = device.snapshot()
    control = Control(state, state["ui"]["app"])
    change(control)
    device.restore(control.state)
