"""Messages, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.people import by_name

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("messages")
    return driver


def chat_of(driver: Driver, **wanted: Any) -> tuple[str, dict[str, Any]]:
    """A conversation of the list with these values, the newest one first."""
    chats = sorted(driver.data("messages")["chats"].items(), key=lambda item: -item[1]["order"])
    return next(
        (key, chat)
        for key, chat in chats
        if not chat["archived"] and all(chat[k] == value for k, value in wanted.items())
    )


def texts_of(driver: Driver, key: str) -> list[str]:
    return [m["text"] for m in driver.data("messages")["chats"][key]["messages"].values()]


def test_opening_a_chat_shows_its_bubbles_and_reads_it() -> None:
    driver = opened()
    key, chat = chat_of(driver, unread=True)
    driver.tap(chat["name"], role="item")
    assert all(driver.sees(text) for text in texts_of(driver, key))
    assert driver.data("messages")["chats"][key]["unread"] is False


@LAYOUTS
def test_a_message_goes_out_by_the_icon_and_moves_the_chat_up(layout: int) -> None:
    driver = opened(layout)
    key, chat = chat_of(driver, order=-50)
    driver.tap(chat["name"], role="item")
    driver.fill("Text message", "on my way")
    driver.tap_icon("send")
    assert texts_of(driver, key)[-1] == "on my way"
    assert len(texts_of(driver, key)) == len(chat["messages"]) + 1
    assert driver.var("draft") == ""
    driver.press("back")
    driver.press("back")
    rows = [e.text for e in driver.elements if e.role == "item"]
    assert rows[0] == chat["name"]


def test_an_empty_message_is_not_sent() -> None:
    driver = opened()
    key, chat = chat_of(driver)
    driver.tap(chat["name"], role="item")
    driver.fill("Text message", "   ")
    driver.tap_icon("send")
    assert len(texts_of(driver, key)) == len(chat["messages"])


def test_of_many_messages_only_the_newest_are_shown() -> None:
    driver = opened()
    key, chat = chat_of(driver)
    driver.tap(chat["name"], role="item")
    words = [letter * 80 for letter in "abcdefghijkl"]
    for word in words:
        driver.fill("Text message", word)
        driver.tap_icon("send")
    assert len(texts_of(driver, key)) == len(chat["messages"]) + 12
    assert driver.sees(words[-1])
    assert not driver.sees(words[0])


@LAYOUTS
def test_a_new_chat_begins_with_the_first_message(layout: int) -> None:
    driver = opened(layout)
    known = {chat["name"] for chat in driver.data("messages")["chats"].values()}
    name = next(
        c["name"] for _, c in by_name(driver.data("contacts")["contacts"]) if c["name"] not in known
    )
    before = driver.data("messages")
    driver.tap_icon("edit")
    driver.type(name)
    driver.tap(name, role="item")
    assert driver.page == "chat"
    assert driver.data("messages") == before
    driver.fill("Text message", "hello")
    driver.tap_icon("send")
    key, _ = chat_of(driver, name=name)
    assert texts_of(driver, key) == ["hello"]


def test_a_chat_can_be_started_with_a_number_nobody_has() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.type("310-7777")
    driver.press("enter")
    assert driver.page == "chat"
    assert driver.sees("310-7777")


@LAYOUTS
def test_deleting_a_chat_takes_a_long_press_and_asks_first(layout: int) -> None:
    driver = opened(layout)
    key, chat = chat_of(driver)
    driver.long_press(chat["name"])
    driver.tap("Delete")
    driver.tap("Cancel")
    assert key in driver.data("messages")["chats"]
    driver.long_press(chat["name"])
    driver.tap("Delete")
    driver.tap("Delete")
    assert key not in driver.data("messages")["chats"]


def test_an_archived_chat_leaves_the_list_and_comes_back() -> None:
    driver = opened()
    _, chat = chat_of(driver)
    driver.long_press(chat["name"])
    driver.tap("Archive")
    assert not driver.sees(chat["name"])
    driver.tap("More options")
    driver.tap("Archived")
    driver.long_press(chat["name"])
    driver.tap("Unarchive")
    driver.press("back")
    assert driver.sees(chat["name"])


def test_all_chats_can_be_marked_as_read() -> None:
    driver = opened()
    driver.tap("More options")
    driver.tap("Mark all as read")
    assert not any(chat["unread"] for chat in driver.data("messages")["chats"].values())


def test_a_chat_can_be_marked_as_unread_from_inside() -> None:
    driver = opened()
    key, chat = chat_of(driver, unread=False)
    driver.tap(chat["name"], role="item")
    driver.tap("More options")
    driver.tap("Mark as unread")
    assert driver.page == "main"
    assert driver.data("messages")["chats"][key]["unread"] is True


def test_the_person_of_a_chat_can_be_called() -> None:
    driver = opened()
    _, chat = chat_of(driver)
    driver.tap(chat["name"], role="item")
    driver.tap_icon("phone")
    assert driver.data("phone")["call"]["name"] == chat["name"]
