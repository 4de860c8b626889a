"""Which apps exist: the built-in ones, those of plug-ins, and rare ones.

Built-in apps register on import of `distrl.devices.phone.apps`, and so do those that are rare: they
are known, and on no phone until a task puts them there. Plug-ins are looked for when the
first phone of the process is made; what they add changes nothing else about a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, lru_cache, partial
from random import Random

from distrl import plugins
from distrl.devices.phone.app import App
from distrl.devices.phone.ui.toolkit import Ui
from distrl.errors import ConfigError
from distrl.plugins import Part, Plugin

INSTALLED_PREFIX = "get:"
"""Apps from the store are named by this and their title."""

_apps: dict[str, App] = {}
_added: dict[str, App] = {}
"""Apps of plug-ins."""
_plugins: dict[str, Plugin] = {}
"""Where these come from."""
_rare: dict[str, App] = {}
"""Apps that a phone has only if somebody puts them there."""
_ticking: tuple[str, ...] = ()


def register(*apps: App) -> None:
    """Make apps known to every phone of this process."""
    for app in apps:
        if app.name in _apps and type(_apps[app.name]) is not type(app):
            raise ConfigError(f"two apps are named {app.name!r}")
        _apps[app.name] = app
    _note_ticking()


def register_rare(*apps: App) -> None:
    """Make apps known that no phone starts with: nothing of a new phone depends on them."""
    _rare.update({app.name: app for app in apps})


def find(name: str) -> App:
    """The app of this name; what the store has installed gets a plain shell."""
    app = _apps.get(name) or _added.get(name) or _rare.get(name)
    if app is not None:
        return app
    if name.startswith(INSTALLED_PREFIX):
        return _shell(name)
    return _add(name)


def built_in() -> tuple[str, ...]:
    """Names of the apps that every phone has, without the launcher."""
    return tuple(name for name in _apps if name != "launcher")


@cache
def plugged_in() -> tuple[str, ...]:
    """Names of the apps that plug-ins add; one that is broken is left out, and told of."""
    working = []
    for name in plugins.names(Part.APP, _apps):
        try:
            working.append(find(name).name)
        except ConfigError as error:
            plugins.tell_once(f"phones do without an app: {error}")
    return tuple(working)


def ticking() -> tuple[str, ...]:
    """Names of the apps that want to know when time passes."""
    return _ticking


def _add(name: str) -> App:
    plugin = plugins.find(Part.APP, name, _apps)
    app = plugin.make()
    if not isinstance(app, App) or app.name != name:
        raise plugin.broken(f"it made {app!r}, which is no App of that name")
    with plugin.guarded():  # every phone asks for these, whichever app is used
        _ = app.title, app.icon, app.color, app.create(Random(0))
    if type(app).page_main is App.page_main:
        raise plugin.broken("it has no method page_main(ui), which builds its first page")
    for method in ("build", "tick", "on_swipe", "on_pick"):
        setattr(app, method, partial(_guarded, plugin, getattr(app, method)))
    _added[name], _plugins[name] = app, plugin
    _note_ticking()
    return app


def _guarded(plugin: Plugin, method: Callable[..., None], *arguments: object) -> None:
    """Call a method of an app; what goes wrong names the plug-in that the app comes from."""
    with plugin.guarded():
        method(*arguments)


@contextmanager
def blamed_on(name: str) -> Iterator[None]:
    """What goes wrong inside names the plug-in that the app `name` comes from, if it is one's."""
    with _plugins[name].guarded() if name in _plugins else nullcontext():
        yield


def _note_ticking() -> None:
    global _ticking
    everywhere = {**_apps, **_added}
    _ticking = tuple(name for name, app in everywhere.items() if app.ticks)


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


# More than the store offers: an app object is made once per process and shared by all phones.
@lru_cache(maxsize=1024)
def _shell(name: str) -> App:
    return _Shell(name)
