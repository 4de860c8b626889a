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


# Reading


def test_an_app_without_data_reads_as_empty(control: Control) -> None:
    assert Control(control.state, "no such app").data == {}


def test_system_and_time_are_those_of_the_state(control: Control) -> None:
    assert control.system is control.state["system"]
    assert control.time == control.state["time"]


def test_an_empty_field_reads_as_no_text(control: Control) -> None:
    assert control.text("title") == ""
    control.set_var("title", 12)
    assert control.text("title") == "12"


# Writing


def test_system_and_root_can_be_written_and_erased(control: Control) -> None:
    control.write_system("wifi", to=False)
    assert control.system["wifi"] is False
    control.write_root("apps", "clock", "timer", "left", to=9)
    assert control.state["apps"]["clock"]["timer"]["left"] == 9
    control.erase_root("apps", "clock", "timer")
    assert "timer" not in control.state["apps"]["clock"]


def test_erasing_what_is_not_there_changes_nothing(control: Control) -> None:
    before = control.state
    control.erase("notes", "no such note")
    assert control.state is before


def test_ids_carry_their_prefix_and_a_dash(control: Control) -> None:
    first, second = control.new_id("note"), control.new_id()
    assert first.startswith("note-")
    assert second.startswith("n-")
    assert int(second.split("-")[1]) == int(first.split("-")[1]) + 1


# Moving about


def test_replacing_the_only_page_leaves_one_page(control: Control) -> None:
    control.replace("edit", id="n1")
    assert _stack(control) == ["edit"]


def test_back_takes_as_many_pages_as_asked(control: Control) -> None:
    for page in ("note", "edit", "delete"):
        control.open(page)
    control.back(2)
    assert _stack(control) == ["main", "note"]


def test_starting_another_app_acts_on_its_behalf(control: Control) -> None:
    control.start("clock")
    assert control.app == control.state["ui"]["app"] == "clock"
    assert "alarms" in control.data
    assert control.page["name"] == "main"


def test_starting_an_app_closes_the_shade(control: Control) -> None:
    control.write_ui("shade", to=True)
    control.start("clock")
    assert control.state["ui"]["shade"] is False


def test_focusing_selects_the_text_of_a_field(control: Control) -> None:
    control.focus("query")
    assert control.state["ui"]["focus"] == {"key": "query", "all": True}
    control.focus(None)
    assert control.state["ui"]["focus"] is None


def test_values_of_other_pages_are_kept(control: Control) -> None:
    control.set_var("query", "tea")
    control.open("edit")
    control.set_var("title", "Milk")
    control.back()
    assert control.var("query") == "tea"
    assert control.var("title") is None


def test_two_notifications_do_not_replace_each_other(control: Control) -> None:
    control.notify("clock", "Timer", "one")
    control.notify("clock", "Timer", "two")
    assert [n["text"] for n in control.state["notices"].values()] == ["one", "two"]


def test_a_toast_waits_in_the_state_for_the_next_screen(control: Control) -> None:
    control.toast("Saved")
    assert control.state["ui"]["toast"] == "Saved"
