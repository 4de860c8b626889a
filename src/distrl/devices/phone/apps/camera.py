"""Camera: a viewfinder, a shutter and tools that are icons only; photos go to the gallery."""

from __future__ import annotations

from random import Random

from distrl.actions import Direction
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.gallery import SELF, looks_of, new_photo
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, HUGE, Ui
from distrl.devices.phone.ui.view import CONTENT_BOTTOM, STATUS_HEIGHT, WIDTH, Handler, Paint

TOOLS = ("flashlight", "timer", "grid", "settings")
"""The icons of the tools; each phone has them in an order of its own."""
MODES = ("photo", "video")
DELAYS = {0: "Off", 3: "3 seconds", 10: "10 seconds"}
_BLACK = (0, 0, 0)
_LIT = (250, 200, 60)
_RED = (220, 50, 50)
_STRIP, _MODE_ROW, _SHUTTER_ROW = 28, 22, 62


def shuffled_tools(rng: Random) -> list[str]:
    """The tools in any order."""
    return rng.sample(TOOLS, len(TOOLS))


def _flip(key: str) -> Handler:
    return lambda c: c.write(key, to=not c.data[key])


def _close(control: Control) -> None:
    control.back()


class Camera(App):
    """Data: lens, flash, timer, guides, sound, mode, recording, tools and what it looks at."""

    name = "camera"
    title = "Camera"
    icon = "camera"
    color = (92, 106, 142)
    permission = "take pictures and record video"

    def create(self, rng: Random) -> State:
        """The back camera looks at something."""
        return {
            "lens": rng.choice(("back", "front")),
            "flash": False,
            "timer": 0,
            "guides": False,
            "sound": True,
            "mode": "photo",
            "recording": False,
            "tools": shuffled_tools(rng),
            "subject": rng.choice(SUBJECTS),
            "variant": rng.randrange(50),
            "recent_due": 0,
        }

    def on_swipe(self, control: Control, direction: Direction) -> None:
        """Change the mode."""
        if control.page["name"] == "main" and not control.data["recording"]:
            mode = {Direction.LEFT: "video", Direction.RIGHT: "photo"}.get(direction)
            if mode:
                control.write("mode", to=mode)

    def page_main(self, ui: Ui) -> None:
        """The viewfinder between the tools and the shutter."""
        ui.pin(
            ("fill", _BLACK),
            (0, STATUS_HEIGHT, WIDTH, CONTENT_BOTTOM - STATUS_HEIGHT),
        )
        finder = CONTENT_BOTTOM - STATUS_HEIGHT - _STRIP - _MODE_ROW - _SHUTTER_ROW
        tools_first = ui.version % 2 == 1
        top = STATUS_HEIGHT + (_STRIP if tools_first else 0)
        self._finder(ui, top, finder)
        self._tools(ui, STATUS_HEIGHT if tools_first else top + finder)
        self._modes(ui, CONTENT_BOTTOM - _SHUTTER_ROW - _MODE_ROW)
        self._controls(ui, CONTENT_BOTTOM - _SHUTTER_ROW)

    def _finder(self, ui: Ui, y: int, height: int) -> None:
        ui.pin(looks_of(self._sight(ui.data)), (0, y, WIDTH, height), "image")
        if ui.data["guides"]:
            for third in (1, 2):
                ui.pin(("fill", "white"), (0, y + third * height // 3, WIDTH, 1))
                ui.pin(("fill", "white"), (third * WIDTH // 3, y, 1, height))
        left = ui.data["recent_due"] - ui.time
        if left > 0:
            box = (60, y + height // 2 - 20, 60, 40)
            ui.pin(("overline", str(left), HUGE, "white"), box, "text", str(left))
        if ui.data["recording"]:
            ui.pin(("glyph", "dot", _RED, _BLACK), (WIDTH - 24, y + 4, 18, 14))

    def _sight(self, data: State) -> State:
        if data["lens"] == "front":
            return new_photo(SELF, data["variant"])
        return new_photo(data["subject"], data["variant"])

    def _tools(self, ui: Ui, y: int) -> None:
        data = ui.data
        handlers: dict[str, tuple[bool, Handler]] = {
            "flashlight": (data["flash"], _flip("flash")),
            "timer": (data["timer"] > 0, lambda c: c.open("timer")),
            "grid": (data["guides"], _flip("guides")),
            "settings": (False, lambda c: c.open("settings")),
        }
        width = WIDTH // len(TOOLS)
        for place, icon in enumerate(data["tools"]):
            lit, handler = handlers[icon]
            paint: Paint = ("glyph", icon, _LIT if lit else "white", _BLACK)
            ui.pin(paint, (place * width, y, width, _STRIP), "button", "", "", handler)

    def _modes(self, ui: Ui, y: int) -> None:
        for place, mode in enumerate(MODES):
            chosen = ui.data["mode"] == mode
            label = mode.capitalize()
            ink = _LIT if chosen else "white"
            paint = ("line", label, BODY, ink, _BLACK, "center", chosen)
            box = (30 + 60 * place, y, 60, _MODE_ROW)
            ui.pin(paint, box, "tab", label, "", self._choose_mode(mode)).checked = chosen

    def _choose_mode(self, mode: str) -> Handler:
        def choose(control: Control) -> None:
            if not control.data["recording"]:
                control.write("mode", to=mode)

        return choose

    def _controls(self, ui: Ui, y: int) -> None:
        video = ui.data["mode"] == "video"
        thumb_x, swap_x = (18, 126) if ui.version % 2 else (126, 18)
        photos = ui.state["apps"].get("gallery", {}).get("photos", {})
        last = next(reversed(photos), "")
        looks: Paint = looks_of(photos[last]) if last else ("fill", (60, 60, 66))
        ui.pin(looks, (thumb_x + 2, y + 12, 32, 32), "image", "", "", self._show(last))
        shutter = ("shutter", _RED if video else "white")
        ui.pin(shutter, (68, y + 6, 44, 44), "button", "", "Shutter", self._shoot)
        swap = ("glyph", "swap", "white", _BLACK)
        ui.pin(swap, (swap_x, y + 12, 36, 32), "button", "", "", self._turn)

    def _show(self, key: str) -> Handler:
        def show(control: Control) -> None:
            if key:
                control.start("gallery", "photo", id=key)

        return show

    def _turn(self, control: Control) -> None:
        if not control.data["recording"]:
            lens = "back" if control.data["lens"] == "front" else "front"
            control.write("lens", to=lens)

    def _shoot(self, control: Control) -> None:
        data = control.data
        if data["mode"] == "video" and not data["recording"]:
            control.write("recording", to=True)
            return
        # The photo is taken now and hidden by the gallery until it is due: the app needs no tick.
        due = control.time + (data["timer"] if data["mode"] == "photo" else 0)
        shot = {**self._sight(data), "time": due, "lens": data["lens"], "kind": data["mode"]}
        control.write_root("apps", "gallery", "photos", control.new_id("shot"), to=shot)
        control.write("recent_due", to=due)
        if data["recording"]:
            control.write("recording", to=False)
            control.toast("Video saved")

    def dialog_timer(self, ui: Ui) -> None:
        """How long the shutter waits."""
        now = ui.data["timer"]
        choices = [(label, now == delay, self._delay(delay)) for delay, label in DELAYS.items()]
        ui.dialog("Timer", "", [("Cancel", _close)], choices=choices)

    def _delay(self, delay: int) -> Handler:
        def choose(control: Control) -> None:
            control.write("timer", to=delay)
            control.back()

        return choose

    def page_settings(self, ui: Ui) -> None:
        """What the tools do, in words."""
        data = ui.data
        ui.bar("Camera settings")
        ui.switch("Grid lines", on=data["guides"], on_tap=_flip("guides"), icon="grid")
        ui.switch("Shutter sound", on=data["sound"], on_tap=_flip("sound"), icon="volume")
        ui.row("Storage", trailing="Phone", icon="folder")
