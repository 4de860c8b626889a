from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import cast

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions, plugins
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps, registry
from distrl.devices.phone.app import App
from distrl.devices.phone.art import icons
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.registry import built_in, find, register, ticking
from distrl.devices.phone.ui.toolkit import Ui
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


# Apps of plug-ins


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Pretends that an installed package offers apps, by name; each is made by a function."""

    def offer(**makers: Callable[[], object]) -> None:
        entries = [
            plugins.Plugin(plugins.Part.APP, name, "acme-apps 1.0", _Entry(make))
            for name, make in makers.items()
        ]
        monkeypatch.setattr(plugins, "offered", lambda part: tuple(entries))
        registry.plugged_in.cache_clear()

    monkeypatch.setattr(registry, "_added", {})
    monkeypatch.setattr(registry, "_plugins", {})
    monkeypatch.setattr(registry, "_ticking", registry.ticking())
    yield offer
    registry.plugged_in.cache_clear()


class _Entry(EntryPoint):
    """An entry point that loads a function without any package."""

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__("app", "acme:make", "distrl.apps")
        vars(self)["make"] = make

    def load(self) -> object:
        return vars(self)["make"]


class Counter(App):
    name = "counter"
    title = "Counter"
    icon = "star"
    color = (1, 2, 3)
    ticks = True

    def page_main(self, ui: Ui) -> None:
        raise KeyError("no such row")


def test_an_app_of_a_plug_in_is_found_and_stays_the_same(offer: Callable[..., None]) -> None:
    offer(counter=Counter)
    assert registry.plugged_in() == ("counter",)
    assert find("counter") is find("counter")
    assert "counter" in ticking()
    assert "counter" not in built_in()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: object(), "which is no App of that name"),
        (type("Other", (Counter,), {"name": "other"}), "which is no App of that name"),
        (type("Bare", (App,), {"name": "counter"}), "AttributeError"),
        (type("Blank", (Counter,), {"page_main": App.page_main}), r"no method page_main\(ui\)"),
    ],
)
def test_a_broken_app_names_its_package_and_the_cause(
    offer: Callable[..., None], make: Callable[[], object], message: str
) -> None:
    offer(counter=make)
    with pytest.raises(ConfigError, match=f"acme-apps 1.0.*{message}"):
        find("counter")


def test_a_page_that_cannot_be_built_names_the_package_and_the_line(
    offer: Callable[..., None],
) -> None:
    offer(counter=Counter)
    with pytest.raises(ConfigError, match=r"acme-apps 1.0.*no such row.*test_registry.py, line"):
        find("counter").build(cast("Ui", SimpleNamespace(page={"name": "main"})))


def test_phones_do_without_a_broken_app(
    offer: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    offer(counter=Counter, broken=lambda: 1 / 0)
    assert registry.plugged_in() == ("counter",)
    assert "phones do without an app" in caplog.text


def test_a_built_in_app_cannot_be_replaced_by_a_plug_in(offer: Callable[..., None]) -> None:
    offer(clock=Counter)
    assert registry.plugged_in() == ()
    assert find("clock").title == "Clock"


# Apps from the store


def test_apps_from_the_store_have_a_colour_of_their_own_that_stays() -> None:
    shells = [find(f"get:{name}") for name in ("Tiny Farm", "Chess Nomad", "Pill Nudge")]
    assert len({shell.color for shell in shells}) == 3
    assert all(60 <= part < 200 for shell in shells for part in shell.color)


def test_an_app_from_the_store_welcomes_its_user() -> None:
    driver = Driver()
    driver.change("system", "installed", "get:Tiny Farm", to="2.0")
    driver.open("get:Tiny Farm")
    assert driver.sees("Welcome to Tiny Farm")
    driver.back()
    assert driver.app == "launcher"


def test_registering_an_app_again_changes_nothing() -> None:
    before = built_in()
    register(type(find("clock"))())
    assert built_in() == before


class Presser(Counter):
    def page_main(self, ui: Ui) -> None:
        ui.button("Count on", self._count)

    def tick(self, control: Control) -> None:
        raise KeyError("no such tick")

    def _count(self, control: Control) -> None:
        raise KeyError("no such count")


@pytest.mark.parametrize(("touched", "told"), [(True, "no such count"), (False, "no such tick")])
def test_what_an_app_does_wrong_when_it_is_touched_names_the_package_and_the_line(
    offer: Callable[..., None], *, touched: bool, told: str
) -> None:
    offer(counter=Presser)
    device = PhoneDevice("phone", PhoneConfig(nuisance_rate=0.0))
    device.reset(1)
    control = Control(device.phone.state, "launcher")
    control.start("counter")
    device.phone.state = control.state
    (button,) = [e for e in device.observe().elements or () if e.text == "Count on"]
    left, top, right, bottom = button.bounds
    x, y = (left + right) / 2, (top + bottom) / 2
    with pytest.raises(ConfigError, match=rf"acme-apps 1.0.*{told}.*test_registry.py, line"):
        device.perform(actions.tap(x, y) if touched else actions.wait())
