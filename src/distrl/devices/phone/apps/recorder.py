"""Recorder: record sound, play it, name it, delete it."""

from __future__ import annotations

import zlib
from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import CONTENT_BOTTOM, WIDTH, Handler, Paint, absorb

_RED = (206, 52, 52)


def length_text(seconds: int) -> str:
    """A length as `02:05`."""
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


def _open(key: str) -> Handler:
    return lambda c: c.open("recording", id=key)


def _menu(key: str) -> Handler:
    return lambda c: c.open("actions", id=key)


class Recorder(App):
    """Data: recordings by id (title, seconds, day), and since when it records, 0 for not."""

    name = "recorder"
    title = "Recorder"
    icon = "mic"
    color = (196, 60, 60)
    permission = "record audio"

    def create(self, rng: Random) -> State:
        """Eight recordings."""
        titles = rng.sample(content.EVENTS, 8)
        return {
            "recordings": {
                f"recording{i}": {
                    "title": title,
                    "seconds": rng.randint(12, 1500),
                    "day": rng.randrange(60),
                }
                for i, title in enumerate(titles)
            },
            "since": 0,
        }

    def page_main(self, ui: Ui) -> None:
        """All recordings above the button that starts a new one."""
        ui.bar("Recorder", up=False)
        since = int(ui.data["since"])
        if since:
            ui.space(20)
            ui.text("Recording", align="center", ink="muted")
            ui.text(length_text(ui.time - since), HUGE, align="center")
            ui.place(("wave", ui.time % 97, 100, _RED), 50)
        else:
            for key, recording in ui.data["recordings"].items():
                self._row(ui, key, recording)
            if not ui.data["recordings"]:
                ui.empty("No recordings", "mic")
            ui.space(60)
        self._record_button(ui, recording=bool(since))

    def _row(self, ui: Ui, key: str, recording: State) -> None:
        ui.row(
            recording["title"],
            phone_time.date_text(recording["day"]),
            icon="mic",
            trailing=length_text(recording["seconds"]),
            on_tap=_open(key),
            on_long=_menu(key),
        )

    def _record_button(self, ui: Ui, *, recording: bool) -> None:
        """In the middle of the bottom in layout 1, at the right in layout 2; never with words."""
        y = CONTENT_BOTTOM - 52
        if ui.version % 2:
            ui.pin(("fill", "bg"), (0, y - 2, WIDTH, 54), on_tap=absorb)
        x = 66 if ui.version % 2 else WIDTH - 56
        icon, handler = ("stop", self._stop) if recording else ("record", self._start)
        paint: Paint = ("round_button", icon, "white", _RED)
        ui.pin(paint, (x, y, 48, 48), "button", "", "", handler)
        if recording:
            discard: Paint = ("glyph", "delete", "text", "bg")
            ui.pin(discard, (x - 54, y + 8, 32, 32), "button", "", "", self._discard)

    def _start(self, control: Control) -> None:
        control.write("since", to=control.time)

    def _discard(self, control: Control) -> None:
        control.write("since", to=0)
        control.toast("Discarded")

    def _stop(self, control: Control) -> None:
        recordings = control.data["recordings"]
        record = {
            "title": f"Recording {len(recordings) + 1}",
            "seconds": control.time - int(control.data["since"]),
            "day": phone_time.day_of(control.time),
        }
        key = control.new_id("recording")
        control.write("recordings", to={key: record, **recordings})
        control.write("since", to=0)
        control.toast("Saved")

    def page_recording(self, ui: Ui) -> None:
        """The player; its buttons are icons."""
        key = ui.args["id"]
        recording = ui.data["recordings"].get(key)
        if recording is None:
            ui.bar("Recording")
            ui.empty("This recording was deleted", "mic")
            return
        ui.bar(
            "Recording",
            [
                ("edit", "", self._rename(key)),
                ("delete", "", lambda c: c.open("delete", id=key)),
            ],
        )
        playing = bool(ui.var("playing", False))
        ui.space(12)
        ui.text(recording["title"], TITLE, align="center", bold=True)
        ui.text(phone_time.date_text(recording["day"]), SMALL, ink="muted", align="center")
        seed = zlib.crc32(recording["title"].encode()) % 997
        ui.place(("wave", seed, 40 if playing else 0, ui.color), 90)
        ui.text(length_text(recording["seconds"]), 18, align="center")
        ui.icon_buttons(
            [
                ("previous", "", _set_playing(on=False)),
                ("pause" if playing else "play", "", _set_playing(on=not playing)),
                ("next", "", _set_playing(on=False)),
            ],
            size=34,
        )

    def _rename(self, key: str, *, close: bool = False) -> Handler:
        def rename(control: Control) -> None:
            if close:
                control.back()
            recording = control.data["recordings"].get(key, {"title": ""})
            control.open("rename", id=key)
            control.set_var("title", recording["title"])
            control.focus("title")

        return rename

    def dialog_rename(self, ui: Ui) -> None:
        """A new name."""
        ready = bool(ui.text_of("title"))
        ui.dialog(
            "Rename",
            buttons=[("Cancel", lambda c: c.back()), ("Save", self._save if ready else None)],
            fields=[("title", "Name")],
        )

    def _save(self, control: Control) -> None:
        key, title = control.page["args"]["id"], control.text("title")
        control.back()
        if key in control.data["recordings"]:
            control.write("recordings", key, "title", to=title)
            control.toast("Renamed")

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        ui.dialog(
            "Delete recording?",
            "This cannot be undone.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete)],
        )

    def _delete(self, control: Control) -> None:
        control.erase("recordings", control.page["args"]["id"])
        control.back_to("main")
        control.toast("Deleted")

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press."""
        key = ui.args["id"]
        ui.menu(
            [
                ("Rename", self._rename(key, close=True)),
                ("Delete", lambda c: c.replace("delete", id=key)),
            ]
        )


def _set_playing(*, on: bool) -> Handler:
    return lambda c: c.set_var("playing", to=on)
