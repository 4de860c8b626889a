"""Calls of adb, and which app is which package."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

_ACTIVITIES = {
    "settings": "com.android.settings/.Settings",
    "notes": "org.notes/.Main",
    "messages": "org.messages/.Main",
}


def call(words: list[str], env: Any) -> str:
    """What a command of adb prints."""
    said: bytes = env.execute_adb_call(SimpleNamespace(words=words))
    return said.decode()


def shell(words: list[str], env: Any) -> str:
    """What a line prints that the device's shell runs."""
    return call(["shell", *words], env)


def get_adb_activity(app: str) -> str | None:
    """The activity of an app."""
    return _ACTIVITIES.get(app)


def extract_package_name(activity: str) -> str:
    """Its package."""
    return activity.partition("/")[0]
