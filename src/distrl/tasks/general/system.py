"""Goals on the home screen, in quick settings and among the notifications."""

from __future__ import annotations

from random import Random

from distrl.actions import Direction
from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import INSTALLED_PREFIX, find
from distrl.devices.phone.shade import TILES
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.general.settings import setting_paths
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import NOTE, STORE_APP, SWITCH, closed
from distrl.tasks.template import Params, Scene, Template

_SPOKEN = {
    "wifi": "Wi-Fi",
    "bluetooth": "Bluetooth",
    "airplane": "airplane mode",
    "flashlight": "the flashlight",
    "dnd": "do not disturb",
    "rotate": "auto-rotate",
    "dark": "dark theme",
    "hotspot": "the hotspot",
}
_TILE_OF = {spoken: key for key, spoken in _SPOKEN.items()}
_ICONS = {key: icon for key, _, icon in TILES}
_DOCKABLE = ("browser", "calculator", "camera", "clock", "mail", "maps", "messages", "phone")
"""Apps with icons that say what they are."""
_OTHER_NOTICES = (
    ("clock", "Alarm", "Missed at 6:30 AM"),
    ("settings", "System", "Software is up to date"),
    ("weather", "Weather", "Rain in the evening"),
    ("recorder", "Recorder", "Storage is running low"),
)


class _Tile(Template):
    """A quick-settings tile is on or off."""

    params = {"setting": closed("tile", *_TILE_OF), "switch": SWITCH}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        control.write_root("system", _TILE_OF[p["setting"]], to=p["switch"] == "off")

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The setting alone; airplane mode takes the radios with it when it goes on."""
        return setting_paths(_TILE_OF[p["setting"]], p["switch"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(scene.system[_TILE_OF[p["setting"]]] is (p["switch"] == "on"))


class QuickSwitch(_Tile):
    """A tile with words on it."""

    name = "quick_switch"
    phrasings = (
        "Turn {switch} {setting} in quick settings",
        "Use quick settings to turn {setting} {switch}",
        "Pull down the shade and switch {setting} {switch}",
        "Switch {switch} {setting} with its quick settings tile",
        "Open quick settings and turn {setting} {switch}",
        "Turn {setting} {switch} from the notification shade",
        "Drag the status bar down and switch {switch} {setting}",
        "Go to the quick settings and make sure {setting} is {switch}",
        "From quick settings, set {setting} to {switch}",
        "Swipe down from the top and turn {setting} {switch}",
    )
    weight = 0.7

    def oracle(self, hand: Hand, p: Params) -> None:
        """Pull the shade down and tap the tile."""
        hand.shade()
        hand.tap_icon(_ICONS[_TILE_OF[p["setting"]]])


class QuickIcon(_Tile):
    """A tile that is only an icon, among others in an order of this phone's own."""

    name = "quick_icon"
    phrasings = (
        "Turn {switch} {setting} with the icons of the quick settings",
        "Tap the quick settings icon that turns {setting} {switch}",
        "Find the icon for {setting} in the shade and switch it {switch}",
        "Pull the shade down and use its icons to set {setting} to {switch}",
        "Open the shade and turn {switch} {setting} by its icon",
        "Use the icon row of quick settings to turn {setting} {switch}",
        "Press the icon of {setting} in quick settings to set it to {switch}",
        "Drag the shade down and tap the icon that switches {setting} {switch}",
        "Switch {setting} {switch} by its icon below the status bar",
        "Swipe down and press the icon that turns {switch} {setting}",
    )
    visual = True
    weight = 0.8

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The tiles have no words and stand in an order of their own."""
        super().setup(control, p, rng)
        control.write_root("system", "layouts", "system", to=2)
        order = [key for key, _, _ in TILES]
        Random(f"{rng.random()} {p['setting']}").shuffle(order)
        control.write_root("system", "tiles", to=order)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Pull the shade down and tap the icon."""
        hand.shade()
        hand.tap_icon(_ICONS[_TILE_OF[p["setting"]]])


class DockApp(Template):
    """An app is opened by its icon in the dock, which has no words."""

    name = "dock_app"
    phrasings = (
        "Open {app} from the dock",
        "Tap the {app} icon at the bottom of the home screen",
        "Start {app} with its icon in the dock",
        "Launch the {app} app from the bottom row",
        "Tap {app} in the dock",
        "Go to the home screen and pick {app} in the dock",
        "Choose the {app} icon in the bottom row",
        "Open {app}, its icon is at the bottom of the screen",
        "Use the dock to open {app}",
        "Find {app} among the icons of the dock and open it",
    )
    params = {"app": closed("dock_app", *(find(name).title for name in _DOCKABLE))}
    visual = True
    weight = 0.8

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It stands in the dock among others; none of them is on a home page."""
        control.write_root("system", "layouts", "launcher", to=2)
        chance = Random(f"{rng.random()} {p['app']}")
        target = _named(p["app"])
        dock = [target, *chance.sample([name for name in _DOCKABLE if name != target], 3)]
        chance.shuffle(dock)
        pages = control.state["apps"]["launcher"]["pages"]
        kept = [[name for name in page if name not in _DOCKABLE] for page in pages]
        launcher = {"pages": [page for page in kept if page], "dock": dock}
        control.write_root("apps", "launcher", to=launcher)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in front."""
        return scene.at(_named(p["app"]))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap its icon."""
        hand.open(_named(p["app"]))


def _named(title: str) -> str:
    return next(name for name in _DOCKABLE if find(name).title == title)


class OpenApp(Template):
    """An app is opened from the drawer."""

    name = "open_app"
    phrasings = (
        "Open the {app} app",
        "Launch {app}",
        "Start {app} from the list of all apps",
    )
    params = {"app": STORE_APP}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is on the phone."""
        name = f"{INSTALLED_PREFIX}{p['app']}"
        control.write_root("system", "installed", name, to="1.0")

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in front."""
        return scene.at(f"{INSTALLED_PREFIX}{p['app']}")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Pull the drawer up and tap it."""
        if hand.state["ui"]["shade"]:
            hand.back()
        if hand.app != "launcher":
            hand.home()
        if hand.at("drawer"):
            hand.tap(p["app"])
        hand.swipe(Direction.UP)


def _put_notices(control: Control, rng: Random, count: int, note: str = "") -> None:
    """Some notifications, among them a reminder of a note if there is one."""
    others = rng.sample(_OTHER_NOTICES, count)
    place = rng.randrange(count + 1)
    for index in range(count + 1):
        if note and index == place:
            record = {"app": "notes", "title": "Reminder", "text": note, "page": "note"}
            control.write_root("notices", "target", to={**record, "args": {"id": "target"}})
        if index < count:
            control.notify(*others[index])


class OpenNotification(Template):
    """A notification is opened from the shade."""

    name = "open_notification"
    phrasings = (
        "Open the notification about {note}",
        "Tap the reminder for {note} in my notifications",
        "Show me what the notification {note} is about",
    )
    params = {"note": NOTE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It waits among others."""
        _put_notices(control, rng, rng.randint(1, 3), p["note"])
        notes = control.state["apps"]["notes"]["notes"]
        kept = {key: note for key, note in notes.items() if note["title"] != p["note"]}
        template = next(iter(notes.values()))
        control.write_root(
            "apps", "notes", "notes", to={**kept, "target": {**template, "title": p["note"]}}
        )

    def check(self, scene: Scene, p: Params) -> bool:
        """What it points to is in front, and it is gone."""
        return scene.at("notes", "note", id="target") and "target" not in scene.state["notices"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Pull the shade down and tap it; once it is gone, the note itself is left."""
        if "target" not in hand.state["notices"]:
            hand.open("notes")
            hand.on("main")
            hand.tap(p["note"])
        hand.shade()
        hand.tap(f"Reminder: {p['note']}")


class DismissNotification(Template):
    """A notification is swiped away, the others stay."""

    name = "dismiss_notification"
    unseen = True
    phrasings = (
        "Dismiss the notification about {note}",
        "Swipe away the reminder for {note}",
        "Remove only the {note} notification",
    )
    params = {"note": NOTE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It waits among others."""
        _put_notices(control, rng, rng.randint(1, 3), p["note"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is gone and the others are not."""
        gone = scene.before["notices"].keys() - scene.state["notices"].keys()
        return bool(gone == {"target"})

    def oracle(self, hand: Hand, p: Params) -> None:
        """Swipe it to the side."""
        hand.shade()
        for widget in hand.view.widgets:
            if widget.text == f"Reminder: {p['note']}":
                hand.drag(widget, Direction.RIGHT)


class ClearNotifications(Template):
    """The shade is empty."""

    name = "clear_notifications"
    unseen = True
    phrasings = (
        "Clear all notifications",
        "Dismiss every notification",
        "Empty the notification shade",
        "Get rid of all my notifications",
        "Remove all the notifications at once",
        "Clean up the list of notifications",
    )
    weight = 0.5

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Some wait."""
        _put_notices(control, rng, rng.randint(2, 4))

    def check(self, scene: Scene, p: Params) -> bool:
        """None is left."""
        return not scene.state["notices"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press the button below them."""
        hand.shade()
        hand.tap("Clear all")


TEMPLATES: tuple[Template, ...] = (
    QuickSwitch(),
    QuickIcon(),
    DockApp(),
    OpenApp(),
    OpenNotification(),
    DismissNotification(),
    ClearNotifications(),
)
