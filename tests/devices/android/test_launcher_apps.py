from __future__ import annotations

import pytest

from distrl.devices.android.launcher_apps import LauncherApp, app_named, read_apps
from distrl.errors import ActionError

LISTED = """\
3 activities found:
  Activity #0:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false
    ActivityInfo:
      name=com.android.settings.Settings
      packageName=com.android.settings
      labelRes=0x7f130f2c nonLocalizedLabel=null icon=0x7f08 banner=0x0
      ApplicationInfo:
        packageName=com.android.settings
  Activity #1:
    ActivityInfo:
      name=org.notes.Main
      packageName=org.notes
      labelRes=0x0 nonLocalizedLabel=My Notes icon=0x0 banner=0x0
  Activity #2:
    ActivityInfo:
      packageName=org.broken
"""
APPS = (
    LauncherApp("com.android.settings", "Settings"),
    LauncherApp("org.notes", "Main", "My Notes"),
    LauncherApp("com.google.android.deskclock", "Clock"),
    LauncherApp("com.simplemobiletools.calendar.pro", "Main"),
    LauncherApp("net.osmand", "Main"),
    LauncherApp("com.one.player", "Main"),
    LauncherApp("com.two.player", "Main"),
)


def test_apps_are_read_from_what_android_lists() -> None:
    assert read_apps(LISTED) == (
        LauncherApp("com.android.settings", "com.android.settings.Settings"),
        LauncherApp("org.notes", "org.notes.Main", "My Notes"),
    )


@pytest.mark.parametrize("listed", ["", "No activities found", "Activity #0:\n", "\0" * 9])
def test_what_cannot_be_read_lists_no_apps(listed: str) -> None:
    assert read_apps(listed) == ()


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("my notes", "org.notes"),
        ("org.notes", "org.notes"),
        ("Clock", "com.google.android.deskclock"),
        ("  SETTINGS ", "com.android.settings"),
        ("Calendar", "com.simplemobiletools.calendar.pro"),
        ("OsmAnd", "net.osmand"),
    ],
)
def test_a_name_means_a_label_a_package_a_known_app_or_a_part_of_a_package(
    name: str, package: str
) -> None:
    assert app_named(name, APPS).package == package


@pytest.mark.parametrize("name", ["", "com", "android", "Spreadsheet", "; reboot", "a" * 3000])
def test_a_name_that_means_nothing_is_an_invalid_action(name: str) -> None:
    with pytest.raises(ActionError, match="no app is called"):
        app_named(name, APPS)


def test_a_name_that_may_mean_two_apps_opens_neither() -> None:
    with pytest.raises(ActionError, match=r"com\.one\.player, com\.two\.player"):
        app_named("Player", APPS)


def test_the_nearest_name_is_told() -> None:
    with pytest.raises(ActionError, match="did you mean 'My Notes'"):
        app_named("My Note", APPS)
