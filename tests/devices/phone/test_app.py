"""The base of every app."""

from __future__ import annotations

from random import Random

import pytest

from distrl.actions import Direction
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import View


class Tiny(App):
    name = "tiny"
    title = "Tiny"
    icon = "star"
    color = (1, 2, 3)

    def page_main(self, ui: Ui) -> None:
        ui.bar("Tiny")

    def dialog_ask(self, ui: Ui) -> None:
        ui.dialog("Sure?")


def build(page: str) -> tuple[View, Ui]:
    view = View("tiny", page, dark=False)
    ui = Ui(view, PhoneDevice().snapshot(), "tiny", new_page(page, {}), 1, focus=None)
    Tiny().build(ui)
    return view, ui


@pytest.mark.parametrize(("page", "words"), [("main", "Tiny"), ("ask", "Sure?")])
def test_pages_and_dialogs_are_found_by_name(page: str, words: str) -> None:
    view, ui = build(page)
    assert [e.text for e in view.elements] == [words]
    assert ui.color == (1, 2, 3)


def test_a_page_that_nobody_wrote_is_named_with_its_app() -> None:
    with pytest.raises(LookupError, match="tiny has no page 'missing'"):
        build("missing")


def test_only_dialogs_stand_above_the_page_below_them() -> None:
    assert Tiny().is_dialog("ask")
    assert not Tiny().is_dialog("main")
    assert not Tiny().is_dialog("missing")


def test_an_app_that_says_nothing_else_holds_nothing_and_does_nothing() -> None:
    app, state = Tiny(), PhoneDevice().snapshot()
    control = Control(state, "launcher")
    app.tick(control)
    app.on_swipe(control, Direction.LEFT)
    app.on_pick(control, "x")
    assert app.create(Random(0)) == {}
    assert control.state is state
    assert (app.permission, app.slow, app.ticks) == ("", False, False)


def test_an_app_without_a_first_page_is_unfinished() -> None:
    class Empty(App):
        name = "empty"
        color = (0, 0, 0)

    view = View("empty", "main", dark=False)
    ui = Ui(view, PhoneDevice().snapshot(), "empty", new_page("main", {}), 1, focus=None)
    with pytest.raises(NotImplementedError):
        Empty().build(ui)
