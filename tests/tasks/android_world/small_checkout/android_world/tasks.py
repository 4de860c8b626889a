"""Tasks that need few of a phone's programs."""

from __future__ import annotations

import random
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from android_world.env import adb_utils

_TIMES = count()
_NOTE = "/sdcard/Documents/alarm.txt"


class Task:
    """What every task has."""

    template = ""
    complexity: float = 1
    app_names: tuple[str, ...] = ("settings",)
    start_on_home_screen = True
    device_time: ClassVar[Any] = None

    def __init__(self, params: dict[str, Any]) -> None:
        self.params = params

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def goal(self) -> str:
        return self.template.format(**self.params)

    @classmethod
    def set_device_time(cls, env: Any) -> None:
        cls.device_time = "2023"

    @classmethod
    def generate_random_params(cls) -> dict[str, Any]:
        return {}

    def initialize_task(self, env: Any) -> None:
        env.interaction_cache = ""

    def is_successful(self, env: Any) -> float:
        return 0.0

    def tear_down(self, env: Any) -> None:
        adb_utils.shell(["settings", "put", "global", "torn_down", self.name], env.controller)


class TurnSettingOn(Task):
    """A setting that is off becomes on."""

    template = "Turn {setting} on"
    complexity = 1.2

    @classmethod
    def generate_random_params(cls) -> dict[str, Any]:
        return {"setting": random.choice([f"switch_{number}" for number in range(1000)])}

    def initialize_task(self, env: Any) -> None:
        super().initialize_task(env)
        adb_utils.shell([f"settings put global {self.params['setting']} 0"], env.controller)

    def is_successful(self, env: Any) -> float:
        line = f"settings get global {self.params['setting']}"
        return float(adb_utils.shell([line], env.controller).strip() == "1")


class AlarmNote(Task):
    """A file that is pushed, and pulled again."""

    template = "Write {hour} o'clock into the note"
    app_names = ("notes",)
    start_on_home_screen = False

    @classmethod
    def generate_random_params(cls) -> dict[str, Any]:
        return {"hour": random.randint(0, 23)}

    def initialize_task(self, env: Any) -> None:
        super().initialize_task(env)
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder, "note")
            here.write_text("nothing yet")
            adb_utils.call(["push", str(here), _NOTE], env.controller)

    def is_successful(self, env: Any) -> float:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder, "note")
            adb_utils.call(["pull", _NOTE, str(here)], env.controller)
            return 1.0 if str(self.params["hour"]) in here.read_text() else 0.5


class HowManyNotes(Task):
    """A question."""

    template = "How many notes are there?"
    app_names = ("notes",)
    complexity = 0.05

    def is_successful(self, env: Any) -> float:
        return float(env.interaction_cache == "three")


class FolderOfNow(Task):
    """Another goal every time that parameters are drawn."""

    template = "Make the folder {folder}"

    @classmethod
    def generate_random_params(cls) -> dict[str, Any]:
        return {"folder": f"folder_{next(_TIMES)}"}


class SimpleSmsReply(Task):
    """Begins with an SMS that arrives."""

    template = "Reply"
    app_names = ("messages",)

    def initialize_task(self, env: Any) -> None:
        super().initialize_task(env)
        adb_utils.call(["emu", "sms", "send", "123", "Hello\nauth me"], env.controller)

    def is_successful(self, env: Any) -> float:
        sent = "content query --uri content://sms/sent"
        return float("body=Hi" in adb_utils.shell([sent], env.controller))


class RetroSavePlaylist(Task):
    """Named as one that needs ffmpeg."""

    template = "Save the playlist"
    app_names = ()


class ContactsNewContactDraft(Task):
    """Named as one that adb alone cannot judge."""

    template = "Draft a contact"


class BrokenCheck(Task):
    """Catches what should not be caught, and has a check that throws."""

    template = "Do nothing"

    def initialize_task(self, env: Any) -> None:
        super().initialize_task(env)
        self._look(env)

    def _look(self, env: Any) -> None:
        with suppress(Exception):
            adb_utils.shell(["settings get global careful"], env.controller)

    def is_successful(self, env: Any) -> float:
        self._look(env)
        raise KeyError("a column")
