"""What the goals in Phone accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

from distrl.devices.phone.apps.phone import CONTROLS
from distrl.types import Element, Kind, Outcome

PERSON, NUMBER = "Amara Okonjo", "720-1000"


def test_calling_from_the_card_reaches_the_goal_too() -> None:
    posed = Posed("call_contact", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_paint("round_button", "phone")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_call_that_has_ended_does_not_count() -> None:
    posed = Posed("call_contact", person=PERSON)
    posed.solve()
    posed.tap_icon("hang_up")
    assert not posed.reached


@pytest.mark.parametrize("seed", range(6))
def test_a_stranger_is_looked_for_before_the_goal_is_given_up(seed: int) -> None:
    posed = Posed("call_stranger", seed, person=PERSON)
    actions = []
    while (action := posed.next_action()).kind is not Kind.INFEASIBLE:
        actions.append(action)
        posed.perform(action)
    assert any(action.text == PERSON for action in actions)
    assert posed.shows("No contacts found")
    assert posed.referee.outcome(Kind.INFEASIBLE) is Outcome.SUCCEEDED
    assert posed.referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE


def test_a_number_counts_however_it_was_dialled() -> None:
    posed = Posed("call_number", number=NUMBER)
    posed.open("phone")
    posed.tap("Keypad", role="tab")
    for digit in NUMBER.replace("-", ""):
        posed.tap(digit, role="button")
    posed.tap_icon("phone")
    assert posed.reached


def test_wrong_keys_are_taken_back() -> None:
    posed = Posed("dial_code", code="042")
    posed.open("phone")
    posed.tap("Keypad", role="tab")
    posed.tap("0", role="button")
    posed.tap("9", role="button")
    posed.solve()
    assert posed.data("phone")["call"]["number"] == "042"


def test_a_lost_call_is_made_again() -> None:
    posed = Posed("mute_call", person=PERSON)
    posed.open("phone")
    if posed.page == "main":
        posed.tap("Return to call")
    posed.tap_icon("hang_up")
    posed.solve()
    assert posed.data("phone")["call"]["mute"] is True


@pytest.mark.parametrize("template", ["mute_call", "hold_call"])
def test_the_icons_of_a_call_can_only_be_told_apart_by_looking(template: str) -> None:
    taps: dict[tuple[Element, ...], set[tuple[float, float]]] = {}
    for seed in range(24):
        posed = Posed(template, seed, person=PERSON)
        if posed.app == "phone":
            elements = tuple(e for e in posed.elements if e.role != "status")
            action = posed.next_action()
            taps.setdefault(elements, set()).add((action.x, action.y))
    assert max(len(places) for places in taps.values()) > 1


def test_holding_the_call_is_not_muting_it() -> None:
    posed = Posed("mute_call", person=PERSON)
    posed.change("apps", "phone", "call", "hold", to=True)
    assert not posed.reached
    assert posed.side_effects == ("apps.phone.call.hold",)


def test_blocking_more_than_the_caller_is_too_much() -> None:
    posed = Posed("block_caller", number=NUMBER)
    posed.change("apps", "phone", "blocked", to={NUMBER: True})
    assert posed.reached
    posed.change("apps", "phone", "blocked", to={NUMBER: True, "310-1234": True})
    assert not posed.reached


def test_a_caller_is_blocked_even_when_the_list_was_cleared() -> None:
    posed = Posed("block_caller", number=NUMBER)
    posed.open("phone")
    posed.tap("More options")
    posed.tap("Clear call history")
    posed.solve()
    assert posed.data("phone")["blocked"] == {NUMBER: True}


@pytest.mark.parametrize("seed", range(4))
def test_the_newest_missed_call_is_returned_and_no_other(seed: int) -> None:
    posed = Posed("return_missed_call", seed)
    recent = posed.data("phone")["recent"].values()
    missed = sorted((c for c in recent if c["kind"] == "missed"), key=lambda c: -c["order"])
    posed.open("phone")
    posed.tap("Recents", role="tab")
    posed.tap(missed[1]["name"] or missed[1]["number"], role="item")
    assert not posed.reached
    posed.solve()
    assert posed.data("phone")["call"]["number"] == missed[0]["number"]


def _call(posed: Posed, text: str, label: str = "") -> None:
    posed.open("phone")
    posed.fill("Search people or numbers", text)
    posed.tap(label or text, role="item")


def test_calling_somebody_else_is_not_the_call() -> None:
    posed = Posed("call_contact", person=PERSON)
    _, other = neighbour(posed.data("contacts")["contacts"])
    _call(posed, other["name"])
    assert posed.data("phone")["call"]["name"] == other["name"]
    assert not posed.reached
    posed.tap_icon("hang_up")
    posed.solve()
    assert posed.side_effects == ()


def test_a_video_call_is_not_the_call() -> None:
    posed = Posed("call_contact", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_paint("round_button", "video")
    assert not posed.reached


def test_the_call_goes_on_behind_the_home_screen() -> None:
    posed = Posed("call_contact", person=PERSON)
    posed.solve()
    posed.press("home")
    assert posed.reached


def test_another_number_is_not_the_number() -> None:
    posed = Posed("call_number", number=NUMBER)
    _call(posed, "720-1001", "Call 720-1001")
    assert not posed.reached
    posed.tap_icon("hang_up")
    posed.solve()
    assert posed.side_effects == ()


def test_a_number_that_is_typed_but_not_called_is_no_call() -> None:
    posed = Posed("call_number", number=NUMBER)
    posed.open("phone")
    posed.fill("Search people or numbers", NUMBER)
    assert not posed.reached


def test_a_code_counts_by_the_search_too_and_a_longer_one_does_not() -> None:
    posed = Posed("dial_code", code="042")
    _call(posed, "0421", "Call 0421")
    assert not posed.reached
    posed.tap_icon("hang_up")
    _call(posed, "042", "Call 042")
    assert posed.reached


@pytest.mark.parametrize(("template", "icon"), [("mute_call", "mute"), ("hold_call", "pause")])
def test_a_button_that_was_pressed_twice_is_off_again(template: str, icon: str) -> None:
    posed = Posed(template, person=PERSON)
    posed.open("phone")
    if posed.page == "main":
        posed.tap("Return to call")
    posed.tap_icon(icon)
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon(icon)
    assert not posed.reached


@pytest.mark.parametrize(("template", "icon"), [("mute_call", "mute"), ("hold_call", "pause")])
def test_the_call_must_go_on(template: str, icon: str) -> None:
    posed = Posed(template, person=PERSON)
    posed.open("phone")
    if posed.page == "main":
        posed.tap("Return to call")
    posed.tap_icon(icon)
    posed.tap_icon("hang_up")
    assert not posed.reached
    assert posed.side_effects


def test_every_other_button_of_the_call_is_a_side_effect() -> None:
    posed = Posed("hold_call", person=PERSON)
    posed.open("phone")
    if posed.page == "main":
        posed.tap("Return to call")
    for key in ("mute", "speaker", "record"):
        posed.tap_icon(CONTROLS[key])
    assert not posed.reached
    assert posed.side_effects == tuple(
        f"apps.phone.call.{key}" for key in ("mute", "record", "speaker")
    )


def test_a_caller_can_be_blocked_by_typing_the_number() -> None:
    posed = Posed("block_caller", number=NUMBER)
    posed.open("phone")
    posed.tap("More options")
    posed.tap("Blocked numbers")
    posed.fill("Add a number", NUMBER)
    posed.tap("Block")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap(NUMBER, role="item")
    assert not posed.reached


def test_blocking_another_caller_is_a_side_effect() -> None:
    posed = Posed("block_caller", number=NUMBER)
    posed.change("apps", "phone", "blocked", "310-1234", to=True)
    assert not posed.reached
    assert posed.side_effects == ("apps.phone.blocked.310-1234",)


def test_removing_a_caller_from_the_list_does_not_block_it() -> None:
    posed = Posed("block_caller", number=NUMBER)
    posed.open("phone")
    posed.tap("Recents", role="tab")
    posed.long_press(NUMBER)
    posed.tap("Remove from list")
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_missed_call_counts_however_it_is_returned() -> None:
    posed = Posed("return_missed_call")
    recent = posed.data("phone")["recent"].values()
    newest = max((c for c in recent if c["kind"] == "missed"), key=lambda c: c["order"])
    _call(posed, newest["number"], f"Call {newest['number']}")
    assert posed.reached
    assert posed.side_effects == ()
