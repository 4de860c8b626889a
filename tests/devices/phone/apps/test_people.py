"""What several apps know of people."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import content
from distrl.devices.phone.apps import people
from distrl.devices.phone.control import Control


def test_no_two_people_share_a_number_or_an_address() -> None:
    assert len({people.number_of(name) for name in content.PEOPLE}) == len(content.PEOPLE)
    assert len({people.address_of(name) for name in content.PEOPLE}) == len(content.PEOPLE)


@pytest.mark.parametrize(
    ("name", "letter"), [("amara Okonjo", "A"), ("555-1234", "#"), ("", "#"), ("Émile", "É")]
)
def test_letter_of_a_name(name: str, letter: str) -> None:
    assert people.letter_of(name) == letter


def test_a_number_is_found_whatever_stands_between_its_digits() -> None:
    driver = Driver()
    contact = next(iter(driver.data("contacts")["contacts"].values()))
    spaced = contact["phone"].replace("-", " ")
    assert people.name_of(driver.state, spaced) == contact["name"]
    assert people.name_of(driver.state, "000") == ""


def test_a_phone_without_contacts_has_an_empty_book() -> None:
    control = Control(Driver().state, "phone")
    control.erase_root("apps", "contacts")
    assert people.book(control.state) == {}


def test_the_list_of_recent_calls_keeps_only_the_newest() -> None:
    control = Control(Driver().state, "phone")
    for place in range(40):
        people.remember_call(control, f"555-{place}", "")
    numbers = [call["number"] for call in control.data["recent"].values()]
    assert numbers == [f"555-{place}" for place in range(16, 40)]
