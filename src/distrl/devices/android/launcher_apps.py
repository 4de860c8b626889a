"""Which app a name means: what `pm query-activities` lists, and names that no list spells out.

Android tells the label of an icon only where an app has it in writing; most have it in tables that
adb cannot read. Those are found by names that are the same on every Android, or by their package.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from distrl.errors import ActionError

QUERY = (
    *("cmd", "package", "query-activities"),
    *("-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"),
)
"""Lists all activities that have an icon."""
_START = re.compile(r"^\s*Activity #\d+:", re.MULTILINE)
_NAME = re.compile(r"^\s*name=(\S+)", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*packageName=(\S+)", re.MULTILINE)
_LABEL = re.compile(r"\bnonLocalizedLabel=(.*?)(?: icon=0x|$)", re.MULTILINE)
_UNNAMED = "null"
# Labels of apps whose packages do not hold them; each is the first of these that is installed.
_KNOWN = {
    "calendar": ("com.google.android.calendar", "com.android.calendar"),
    "camera": ("com.google.android.GoogleCamera", "com.android.camera2"),
    "chrome": ("com.android.chrome",),
    "clock": ("com.google.android.deskclock", "com.android.deskclock"),
    "files": ("com.google.android.apps.nbu.files", "com.google.android.documentsui"),
    "gmail": ("com.google.android.gm",),
    "maps": ("com.google.android.apps.maps",),
    "messages": ("com.google.android.apps.messaging", "com.android.messaging"),
    "phone": ("com.google.android.dialer", "com.android.dialer"),
    "photos": ("com.google.android.apps.photos",),
    "play store": ("com.android.vending",),
    "settings": ("com.android.settings",),
    "youtube": ("com.google.android.youtube",),
}
_GENERIC = frozenset({"com", "org", "net", "android", "google", "apps", "app", "simplemobiletools"})
"""Parts of packages that say nothing about the app."""


@dataclass(frozen=True, slots=True)
class LauncherApp:
    """An activity that has an icon."""

    package: str
    activity: str
    label: str = ""
    """What stands below the icon; empty where Android does not say."""


def read_apps(listed: str) -> tuple[LauncherApp, ...]:
    """The apps that `QUERY` lists; what cannot be read is left out."""
    found = []
    for block in _START.split(listed)[1:]:
        name, package, label = _NAME.search(block), _PACKAGE.search(block), _LABEL.search(block)
        if name is not None and package is not None:
            said = label[1].strip() if label is not None else _UNNAMED
            found.append(LauncherApp(package[1], name[1], "" if said == _UNNAMED else said))
    return tuple(found)


def app_named(name: str, apps: Sequence[LauncherApp]) -> LauncherApp:
    """The one app that a name means; ActionError when there is none, or more than one.

    By its label, else by its package, else by a name that is the same on every Android, else by a
    part of its package that no other has.
    """
    wanted = " ".join(name.split()).casefold()
    for known in (
        [app for app in apps if app.label and app.label.casefold() == wanted],
        [app for app in apps if app.package.casefold() == wanted],
        [app for package in _KNOWN.get(wanted, ()) for app in apps if app.package == package][:1],
        [app for app in apps if _plain(wanted) in _parts(app.package)],
    ):
        # An app may have several icons; the first is its own.
        packages = {app.package for app in known}
        if len(packages) == 1:
            return known[0]
        if packages:
            raise ActionError(f"{name[:40]!r} may be any of {', '.join(sorted(packages))}")
    labels = sorted({app.label or app.package for app in apps})
    near = get_close_matches(name, labels, 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ActionError(f"no app is called {name[:40]!r}{hint}")


def _parts(package: str) -> frozenset[str]:
    return frozenset(map(_plain, package.split("."))) - _GENERIC


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.casefold())
