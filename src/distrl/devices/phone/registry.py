"""Which apps exist. The built-in ones register on import of `distrl.devices.phone.apps`."""

from __future__ import annotations

from functools import lru_cache

from distrl.devices.phone.app import App
from distrl.devices.phone.ui import Ui
from distrl.errors import ConfigError, unknown_name

INSTALLED_PREFIX = "get:"
"""Apps from the store are named by this and their title."""

_apps: dict[str, App] = {}
_ticking: tuple[str, ...] = ()


def register(*apps: App) -> None:
    """Make apps known to every phone of this process."""
    global _ticking
    for app in apps:
        if app.name in _apps and type(_apps[app.name]) is not type(app):
            raise ConfigError(f"two apps are named {app.name!r}")
        _apps[app.name] = app
    _ticking = tuple(name for name, app in _apps.items() if app.ticks)


def find(name: str) -> App:
    """The app of this name; what the store has installed gets a plain shell."""
    app = _apps.get(name)
    if app is not None:
        return app
    if name.startswith(INSTALLED_PREFIX):
        return _shell(name)
    raise unknown_name("app", name, _apps)


def built_in() -> tuple[str, ...]:
    """Names of the apps that every phone has, without the launcher."""
    return tuple(name for name in _apps if name != "launcher")


def ticking() -> tuple[str, ...]:
    """Names of the apps that want to know when time passes."""
    return _ticking


class _Shell(App):
    """What an app from the store shows when it is opened."""

    icon = "apps"

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = name.removeprefix(INSTALLED_PREFIX)
        hue = sum(map(ord, self.title))
        self.color = (60 + hue * 7 % 140, 60 + hue * 13 % 140, 60 + hue * 29 % 140)

    def page_main(self, ui: Ui) -> None:
        ui.bar(self.title)
        ui.empty(f"Welcome to {self.title}", "apps")


@lru_cache(maxsize=1024)
def _shell(name: str) -> App:
    return _Shell(name)
