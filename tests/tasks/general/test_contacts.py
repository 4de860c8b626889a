"""What the goals in Contacts accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

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
