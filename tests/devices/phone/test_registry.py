from __future__ import annotations

import pytest

from distrl.devices.phone import apps
from distrl.devices.phone.app import App
from distrl.devices.phone.art import icons
from distrl.devices.phone.registry import built_in, find, register, ticking
from distrl.errors import ConfigError


def test_at_least_sixteen_apps_are_built_in() -> None:
    assert len(apps.names()) >= 16
    assert "launcher" not in built_in()


@pytest.mark.parametrize(
    "name",
    [
        "settings",
        "clock",
        "calculator",
        "calendar",
        "contacts",
        "phone",
        "messages",
        "mail",
        "notes",
        "files",
        "gallery",
        "maps",
        "video",
        "store",
        "browser",
    ],
)
def test_app_that_every_phone_needs_is_there(name: str) -> None:
    app = find(name)
    assert app.name == name
    assert app.title
    assert app.icon in icons.ICONS


def test_unknown_app_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="unknown app 'clok'; did you mean 'clock'"):
        find("clok")


def test_app_from_the_store_gets_a_shell() -> None:
    shell = find("get:Tiny Farm")
    assert shell.title == "Tiny Farm"
    assert find("get:Tiny Farm") is shell


def test_two_apps_cannot_have_one_name() -> None:
    class Impostor(App):
        name = "clock"

    with pytest.raises(ConfigError, match="two apps are named 'clock'"):
        register(Impostor())
    assert find("clock").title == "Clock"


def test_only_apps_that_ask_for_it_are_told_the_time() -> None:
    assert set(ticking()) == {name for name in built_in() if find(name).ticks}


@pytest.mark.parametrize("name", apps.names())
def test_page_names_do_not_clash_with_dialogs(name: str) -> None:
    app = find(name)
    pages = {n.removeprefix("page_") for n in dir(app) if n.startswith("page_")}
    dialogs = {n.removeprefix("dialog_") for n in dir(app) if n.startswith("dialog_")}
    assert "main" in pages
    assert not pages & dialogs
