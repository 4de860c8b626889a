"""The pages of Settings for the apps on the phone."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State, drop
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler

PERMISSIONS = (
    ("camera", "Camera", "camera"),
    ("contacts", "Contacts", "contacts"),
    ("location", "Location", "location"),
    ("microphone", "Microphone", "mic"),
    ("files", "Files", "folder"),
)
"""Key, label and icon of what an app may be allowed to use."""


def new_record() -> State:
    """What is set for an app before anybody changed it: all is allowed."""
    return {"notifications": True, "permissions": {key: True for key, _, _ in PERMISSIONS}}


def _open_app(name: str) -> Handler:
    return lambda c: c.open("app", name=name)


class AppPages:
    """Data: per app, by name, whether it may notify and what it may use; missing means new."""

    def page_apps(self, ui: Ui) -> None:
        """All apps by title."""
        ui.bar("Apps")
        names = sorted(ui.system["installed"], key=lambda name: find(name).title)
        ui.header(f"{len(names)} apps")
        for name in names:
            app = find(name)
            trailing = ">" if ui.version == 1 else ""
            ui.row(
                app.title, icon=app.icon, tint=app.color, trailing=trailing, on_tap=_open_app(name)
            )

    def page_app(self, ui: Ui) -> None:
        """One app: open or stop it, what it may do, what it holds."""
        name = ui.args["name"]
        ui.bar("App info")
        if name not in ui.system["installed"]:
            ui.empty("This app was removed", "apps")
            return
        app = find(name)
        ui.place(("app_icon", app.icon, app.color, "", "text"), 38)
        ui.text(app.title, align="center", bold=True)
        running = name in ui.state["ui"]["stacks"] and name != ui.app
        ui.button("Open", lambda c: c.start(name), icon="expand")
        ui.button("Force stop", self._stop(name) if running else None, style="outlined")
        record = ui.data["apps"].get(name) or new_record()
        ui.switch("Notifications", on=record["notifications"], icon="bell", on_tap=self._flip(name))
        granted = sum(record["permissions"].values())
        ui.row(
            "Permissions",
            f"{granted} allowed",
            icon="lock",
            trailing=">",
            on_tap=lambda c: c.open("permissions", name=name),
        )
        ui.row("Clear data", icon="delete", on_tap=lambda c: c.open("clear", name=name))
        ui.row("Version", trailing=str(ui.system["installed"][name]), icon="info")

    def page_permissions(self, ui: Ui) -> None:
        """What one app may use."""
        name = ui.args["name"]
        ui.bar("App permissions")
        ui.header(find(name).title)
        record = ui.data["apps"].get(name) or new_record()
        for key, label, icon in PERMISSIONS:
            on = bool(record["permissions"].get(key, True))
            ui.switch(label, on=on, icon=icon, on_tap=self._grant(name, key))

    def dialog_clear(self, ui: Ui) -> None:
        """Ask before an app loses its data."""
        title = find(ui.args["name"]).title
        ui.dialog(
            "Clear data?",
            f"All files, settings and accounts of {title} will be deleted.",
            [("Cancel", lambda c: c.back()), ("Delete", self._clear)],
        )

    def _flip(self, name: str) -> Handler:
        def flip(control: Control) -> None:
            record = control.data["apps"].get(name) or new_record()
            changed = {**record, "notifications": not record["notifications"]}
            control.write("apps", name, to=changed)

        return flip

    def _grant(self, name: str, key: str) -> Handler:
        def grant(control: Control) -> None:
            record = control.data["apps"].get(name) or new_record()
            allowed = {**record["permissions"], key: not record["permissions"].get(key, True)}
            control.write("apps", name, to={**record, "permissions": allowed})

        return grant

    def _stop(self, name: str) -> Handler:
        def stop(control: Control) -> None:
            control.state = drop(control.state, ("ui", "stacks", name))
            control.toast("Stopped")

        return stop

    def _clear(self, control: Control) -> None:
        """The app holds what it would hold on a new phone, and starts from its first page."""
        name = control.page["args"]["name"]
        fresh = find(name).create(Random(control.state["seed"]))
        control.write_root("apps", name, to=fresh)
        # Settings itself stays open on this page even when its own data is cleared.
        if name != control.app:
            control.state = drop(control.state, ("ui", "stacks", name))
        control.back()
        control.toast("Data cleared")
