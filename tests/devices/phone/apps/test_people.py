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


def test_a_stranger_has_a_number_too_and_always_the_same() -> None:
    assert people.number_of("Nobody Known") == people.number_of("Nobody Known")
    assert people.number_of("Nobody Known") != people.number_of("Somebody Else")


@pytest.mark.parametrize(
    ("number", "kept"), [("555-0123", "5550123"), ("+49 (30) 1", "49301"), ("*1#", "*1#"), ("", "")]
)
def test_only_digits_star_and_hash_count_of_a_number(number: str, kept: str) -> None:
    assert people.digits(number) == kept


def test_an_address_is_the_name_in_small_letters_with_dots() -> None:
    assert people.address_of("Amara Okonjo") == "amara.okonjo@post.net"


def test_people_with_one_name_stand_in_the_order_of_their_ids() -> None:
    contacts = {"b": {"name": "Bo"}, "a": {"name": "bo"}, "c": {"name": "Al"}}
    assert [key for key, _ in people.by_name(contacts)] == ["c", "a", "b"]


def test_the_number_of_the_phone_book_counts_more_than_what_anybody_knows() -> None:
    driver = Driver()
    key, contact = next(iter(driver.data("contacts")["contacts"].items()))
    driver.change("apps", "contacts", "contacts", key, "phone", to="99")
    assert people.phone_of(driver.state, contact["name"]) == "99"
    driver.change("apps", "contacts", "contacts", key, "phone", to="")
    assert people.phone_of(driver.state, contact["name"]) == people.number_of(contact["name"])


def test_a_call_finds_out_who_has_the_number() -> None:
    driver = Driver()
    contact = next(iter(driver.data("contacts")["contacts"].values()))
    control = Control(driver.state, "launcher")
    people.place_call(control, contact["phone"])
    assert control.data["call"]["name"] == contact["name"]
    assert control.state["ui"]["app"] == "phone"


def test_opening_a_chat_reads_it_and_no_other() -> None:
    driver = Driver()
    chats = driver.data("messages")["chats"]
    for key in chats:
        driver.change("apps", "messages", "chats", key, "unread", to=True)
    control = Control(driver.state, "launcher")
    people.open_chat(control, chats["chat3"]["name"])
    read = [key for key, chat in control.data["chats"].items() if not chat["unread"]]
    assert read == ["chat3"]


def test_the_colour_of_a_person_is_one_of_a_few_and_never_changes() -> None:
    tints = {name: people.tint_of(name) for name in content.PEOPLE}
    assert 4 < len(set(tints.values())) <= 8
    assert all(people.tint_of(name) == tint for name, tint in tints.items())


@pytest.mark.parametrize("video", [False, True])
def test_a_call_begins_with_nothing_switched_on_and_is_remembered(video: bool) -> None:
    control = Control(Driver().state, "launcher")
    before = set(control.state["apps"]["phone"]["recent"])
    people.place_call(control, "310-4444", "Bo", **({"video": True} if video else {}))
    call = control.data["call"]
    assert (call["name"], call["number"], call["since"]) == ("Bo", "310-4444", control.time)
    assert [key for key, value in call.items() if value is True] == (["video"] if video else [])
    (new,) = set(control.data["recent"]) - before
    assert control.data["recent"][new]["kind"] == "out"
