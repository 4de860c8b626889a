from __future__ import annotations

import json

import pytest

from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.device import PhoneDevice


@pytest.fixture
def control() -> Control:
    found = Control(PhoneDevice().snapshot(), "launcher")
    found.start("notes")
    return found


def _stack(control: Control) -> list[str]:
    return [page["name"] for page in control.state["ui"]["stacks"][control.app]]


def test_every_change_leaves_the_old_state_alone(control: Control) -> None:
    before = control.state
    written = json.dumps(before)
    control.write("notes", "n9", to={"title": "t"})
    control.write_system("wifi", to=False)
    control.erase("notes")
    control.open("note", id="x")
    control.set_var("a", 1)
    control.toast("hi")
    control.notify("clock", "Timer", "done")
    control.new_id()
    control.back()
    control.start("clock")
    assert control.state is not before
    assert json.dumps(before) == written


def test_data_is_that_of_the_acting_app(control: Control) -> None:
    control.write("notes", "n9", to={"title": "t"})
    assert control.data["notes"]["n9"] == {"title": "t"}
    control.erase("notes", "n9")
    assert "n9" not in control.data["notes"]


def test_ids_are_never_given_twice(control: Control) -> None:
    ids = {control.new_id("note") for _ in range(20)}
    assert len(ids) == 20
    assert not ids & set(control.data["notes"])


def test_pages_go_on_and_off_the_stack(control: Control) -> None:
    control.open("note", id="n1")
    control.open("edit", id="n1")
    assert _stack(control) == ["main", "note", "edit"]
    assert control.page["args"] == {"id": "n1"}
    control.replace("delete")
    assert _stack(control) == ["main", "note", "delete"]
    control.back()
    assert _stack(control) == ["main", "note"]


def test_first_page_always_stays(control: Control) -> None:
    control.back(5)
    assert _stack(control) == ["main"]
    control.open("note")
    control.back_to("no such page")
    assert _stack(control) == ["main"]


def test_back_to_stops_at_the_page(control: Control) -> None:
    for page in ("note", "edit", "delete"):
        control.open(page)
    control.back_to("note")
    assert _stack(control) == ["main", "note"]


def test_moving_takes_the_cursor_out_of_its_field(control: Control) -> None:
    control.focus("query")
    control.open("edit")
    assert control.state["ui"]["focus"] is None
    control.focus("title")
    control.back()
    assert control.state["ui"]["focus"] is None
    control.focus("query")
    control.start("clock")
    assert control.state["ui"]["focus"] is None


def test_starting_an_app_again_finds_it_as_it_was(control: Control) -> None:
    control.open("note", id="n1")
    control.start("clock")
    control.start("notes")
    assert _stack(control) == ["main", "note"]


def test_starting_an_app_at_a_page_puts_it_above_the_first(control: Control) -> None:
    control.open("note", id="n1")
    control.open("edit", id="n1")
    control.start("notes", "note", id="n2")
    assert _stack(control) == ["main", "note"]
    assert control.page["args"] == {"id": "n2"}


def test_values_live_with_their_page(control: Control) -> None:
    control.set_var("query", " tea ")
    assert control.text("query") == "tea"
    control.open("edit")
    assert control.var("query") is None
    control.set_var_below("query", "milk")
    assert _stack(control) == ["main"]
    assert control.var("query") == "milk"


def test_notification_waits_in_the_shade(control: Control) -> None:
    control.notify("clock", "Timer", "Time is up", "main", tab="timer")
    assert list(control.state["notices"].values()) == [
        {
            "app": "clock",
            "title": "Timer",
            "text": "Time is up",
            "page": "main",
            "args": {"tab": "timer"},
        }
    ]


def test_new_pages_share_nothing() -> None:
    one, two = new_page("main", {}), new_page("main", {})
    assert one == two
    assert one["vars"] is not two["vars"]
