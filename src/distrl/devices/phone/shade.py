"""The notification shade with quick settings."""

from __future__ import annotations

from collections.abc import Callable

from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import HEIGHT, STATUS_HEIGHT, WIDTH, Handler, Paint, absorb

TILES = (
    ("wifi", "Wi-Fi", "wifi"),
    ("bluetooth", "Bluetooth", "bluetooth"),
    ("airplane", "Airplane mode", "airplane"),
    ("flashlight", "Flashlight", "flashlight"),
    ("dnd", "Do not disturb", "bell_off"),
    ("rotate", "Auto-rotate", "rotate"),
    ("dark", "Dark theme", "moon"),
    ("hotspot", "Hotspot", "hotspot"),
)
"""Setting, label and icon of each quick-settings tile; every phone has an order of its own."""

_LOOKS = {key: (label, icon) for key, label, icon in TILES}


def toggle_system(key: str) -> Handler:
    """A handler that flips a setting; airplane mode takes the radios with it."""

    def flip(control: Control) -> None:
        on = not control.system[key]
        control.write_system(key, to=on)
        if key == "airplane" and on:
            control.write_system("wifi", to=False)
            control.write_system("bluetooth", to=False)

    return flip


def build_shade(ui: Ui) -> None:
    """Quick settings above the list of notifications."""
    ui.color = (40, 110, 200)
    ui.pin(("fill", "surface"), (0, STATUS_HEIGHT, WIDTH, HEIGHT - STATUS_HEIGHT), on_tap=absorb)
    labelled = ui.version == 1
    for index, key in enumerate(ui.system["tiles"]):
        label, icon = _LOOKS[key]
        row, column = divmod(index, 2 if labelled else 4)
        on = bool(ui.system[key])
        if labelled:
            box = (4 + 87 * column, STATUS_HEIGHT + 6 + 27 * row, 85, 24)
        else:
            box = (4 + 43 * column, STATUS_HEIGHT + 6 + 40 * row, 42, 38)
        paint = ("tile", icon, label if labelled else "", on, ui.color)
        widget = ui.pin(paint, box, "switch", label if labelled else "", "", toggle_system(key))
        widget.checked = on
    top = STATUS_HEIGHT + (118 if labelled else 92)
    _brightness(ui, top)
    _notices(ui, top + 34)
    gear: Paint = ("glyph", "settings", "text", "surface")
    box = (WIDTH - 32, HEIGHT - 40, 26, 26)
    ui.pin(gear, box, "button", "", "", lambda c: c.start("settings"))


def _brightness(ui: Ui, y: int) -> None:
    value = int(ui.system["brightness"])
    paint = ("slider", "Brightness", value, "brightness", ui.color, "surface")
    widget = ui.pin(paint, (0, y, WIDTH, 30), "slider", "Brightness", f"{value}%")

    def drag(control: Control, x: float, _: float) -> None:
        # The painted track spans the middle four fifths of the widget.
        control.write_system("brightness", to=round(100 * min(1.0, max(0.0, (x - 0.1) / 0.8))))

    widget.on_drag = drag


def _notices(ui: Ui, y: int) -> None:
    notices = ui.state["notices"]
    if not notices:
        paint = ("line", "No notifications", 9, "muted", "surface", "center", False)
        ui.pin(paint, (0, y + 20, WIDTH, 16), "text", "No notifications")
        return
    # The newest four: that many cards fit between the slider and the gear.
    for place, (key, notice) in enumerate(list(notices.items())[-4:]):
        app = find(notice["app"])
        box = (6, y + 34 * place, WIDTH - 12, 32)
        card: Paint = ("notice", app.icon, app.color, app.title, notice["title"], notice["text"])
        text = f"{notice['title']}: {notice['text']}"
        widget = ui.pin(card, box, "item", text, app.title, _open_notice(key))
        widget.on_drag = _dismiss(key)
    y_button = y + 34 * min(4, len(notices)) + 4
    clear: Paint = ("button", "Clear all", "text", ui.color, True, "", "surface")
    box = (WIDTH - 70, y_button, 64, 20)
    ui.pin(clear, box, "button", "Clear all", "", lambda c: c.write_root("notices", to={}))


def _open_notice(key: str) -> Handler:
    def open_it(control: Control) -> None:
        notice = control.state["notices"][key]
        control.erase_root("notices", key)
        control.start(notice["app"], notice["page"], **notice["args"])

    return open_it


def _dismiss(key: str) -> Callable[[Control, float, float], None]:
    def dismiss(control: Control, x: float, _: float) -> None:
        # A finger that ends near the middle has slipped, or has moved up or down.
        if abs(x - 0.5) > 0.2:
            control.erase_root("notices", key)

    return dismiss
