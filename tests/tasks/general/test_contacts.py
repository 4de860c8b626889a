"""What the goals in Contacts accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added, neighbour

from distrl.devices.phone.apps.people import number_of
from distrl.types import Element

PERSON = "Amara Okonjo"


@pytest.mark.parametrize("seed", range(6))
def test_the_person_to_add_is_never_there_already(seed: int) -> None:
    posed = Posed("add_contact", seed, person=PERSON)
    contacts = posed.data("contacts")["contacts"].values()
    assert all(contact["name"] != PERSON for contact in contacts)
    posed.solve()


def test_a_contact_of_another_name_is_not_the_one_asked_for() -> None:
    posed = Posed("add_contact", person=PERSON)
    posed.open("contacts")
    posed.tap_icon("add")
    posed.type("Amara")
    posed.tap("Save")
    assert not posed.reached


def test_renaming_somebody_adds_the_contact_with_a_side_effect() -> None:
    posed = Posed("add_contact", person=PERSON)
    posed.open("contacts")
    key = next(iter(posed.data("contacts")["contacts"]))
    posed.change("apps", "contacts", "contacts", key, "name", to=PERSON)
    assert posed.side_effects == (f"apps.contacts.contacts.{key}.name",)


def test_deleting_the_wrong_contact_is_a_side_effect() -> None:
    posed = Posed("delete_contact", person=PERSON)
    contacts = dict(posed.data("contacts")["contacts"])
    wrong = next(key for key in contacts if key != "target")
    del contacts[wrong]
    posed.change("apps", "contacts", "contacts", to=contacts)
    assert not posed.reached
    assert posed.side_effects == (f"apps.contacts.contacts.{wrong}",)


def test_a_number_seen_in_the_dialler_answers_the_question_too() -> None:
    posed = Posed("contact_number", person=PERSON)
    assert not posed.reached
    posed.open("phone")
    posed.fill("Search people or numbers", PERSON)
    assert posed.shows(number_of(PERSON))
    assert posed.reached


def test_a_call_without_video_is_not_a_video_call() -> None:
    posed = Posed("video_call", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_paint("round_button", "phone")
    assert posed.data("phone")["call"]["name"] == PERSON
    assert not posed.reached
    posed.solve()


def test_the_camera_on_a_card_can_only_be_found_by_looking() -> None:
    taps: dict[tuple[Element, ...], set[float]] = {}
    for seed in range(12):
        posed = Posed("video_call", seed, person=PERSON)
        posed.open("contacts")
        posed.tap(PERSON)
        elements = tuple(e for e in posed.elements if e.role != "status")
        taps.setdefault(elements, set()).add(posed.next_action().x)
    assert max(len(places) for places in taps.values()) > 1


def _save_contact(posed: Posed, name: str, phone: str = "") -> str:
    posed.open("contacts")
    before = posed.data("contacts")["contacts"]
    posed.tap_icon("add")
    posed.fill("Name", name)
    if phone:
        posed.fill("Phone", phone)
    posed.tap("Save")
    return added(posed.data("contacts")["contacts"], before)


def test_a_contact_may_be_saved_with_a_number() -> None:
    posed = Posed("add_contact", person=PERSON)
    _save_contact(posed, PERSON, "555-0101")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_same_person_twice_is_once_too_often() -> None:
    posed = Posed("add_contact", person=PERSON)
    _save_contact(posed, PERSON)
    second = _save_contact(posed, PERSON)
    assert posed.reached
    assert len(posed.side_effects) == 1
    assert posed.side_effects[0].startswith("apps.contacts.contacts.")
    assert second in posed.data("contacts")["contacts"]


def test_a_wrong_contact_stays_as_a_side_effect() -> None:
    posed = Posed("add_contact", person=PERSON)
    wrong = _save_contact(posed, PERSON.split()[0])
    posed.solve()
    assert posed.side_effects == (f"apps.contacts.contacts.{wrong}",)


def test_a_name_that_is_typed_but_not_saved_is_no_contact() -> None:
    posed = Posed("add_contact", person=PERSON)
    posed.open("contacts")
    posed.tap_icon("add")
    posed.fill("Name", PERSON)
    assert not posed.reached


def test_a_contact_can_be_deleted_by_a_long_press() -> None:
    posed = Posed("delete_contact", person=PERSON)
    posed.open("contacts")
    posed.long_press(PERSON)
    posed.tap("Cancel")
    assert not posed.reached
    posed.long_press(PERSON)
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_contact_whose_name_was_changed_is_not_deleted() -> None:
    posed = Posed("delete_contact", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap("Edit")
    posed.fill("Name", "Nobody")
    posed.tap("Save")
    assert not posed.reached
    assert posed.side_effects == ("apps.contacts.contacts.target.name",)


def test_a_star_that_is_taken_back_does_not_count() -> None:
    posed = Posed("star_contact", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_icon("star")
    assert posed.reached
    posed.tap_icon("star_filled")
    assert not posed.reached
    assert posed.side_effects == ()


def test_a_star_for_somebody_else_is_a_side_effect() -> None:
    posed = Posed("star_contact", person=PERSON)
    key, other = neighbour(posed.data("contacts")["contacts"], favorite=False)
    posed.open("contacts")
    posed.tap(other["name"])
    posed.tap_icon("star")
    assert not posed.reached
    assert posed.side_effects == (f"apps.contacts.contacts.{key}.favorite",)


def test_putting_the_contact_into_a_group_is_a_side_effect() -> None:
    posed = Posed("star_contact", person=PERSON)
    group = next(iter(posed.data("contacts")["groups"]))
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap("Group")
    posed.tap(group)
    assert posed.side_effects == ("apps.contacts.contacts.target.group",)


def test_the_number_of_somebody_else_is_no_answer() -> None:
    posed = Posed("contact_number", person=PERSON)
    _, other = neighbour(posed.data("contacts")["contacts"])
    posed.open("contacts")
    posed.tap(other["name"])
    assert not posed.reached
    posed.press("back")
    posed.tap(PERSON)
    assert posed.reached


def test_the_list_of_contacts_shows_no_numbers() -> None:
    posed = Posed("contact_number", person=PERSON)
    posed.open("contacts")
    assert not posed.reached


def test_a_video_call_to_somebody_else_is_not_the_one() -> None:
    posed = Posed("video_call", person=PERSON)
    _, other = neighbour(posed.data("contacts")["contacts"])
    posed.open("contacts")
    posed.tap(other["name"])
    posed.tap_paint("round_button", "video")
    assert posed.data("phone")["call"]["video"]
    assert not posed.reached


def test_a_video_call_that_was_hung_up_does_not_count() -> None:
    posed = Posed("video_call", person=PERSON)
    posed.solve()
    assert posed.side_effects == ()
    posed.tap_icon("hang_up")
    assert not posed.reached
