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


def enter_chat(driver: Driver, **wanted: Any) -> tuple[str, dict[str, Any]]:
    key, chat = chat_of(driver, **wanted)
    driver.tap(chat["name"], role="item")
    return key, chat


# The list


@LAYOUTS
def test_chats_stand_newest_first_without_the_archived_one(layout: int) -> None:
    driver = opened(layout)
    chats = driver.data("messages")["chats"].values()
    waiting = sorted((c for c in chats if not c["archived"]), key=lambda c: -c["order"])
    assert driver.scroll_through() == [chat["name"] for chat in waiting]


def test_an_unread_chat_is_bold_with_a_dot_and_says_so() -> None:
    driver = opened()
    _, chat = chat_of(driver, unread=True)
    assert driver.element(chat["name"]).description.startswith("Unread, ")
    looks = next(look for look in driver.looks("entry") if look[2] == chat["name"])
    assert (looks[4], looks[5]) == ("icon:dot", True)


def test_the_list_shows_the_last_message_and_who_wrote_it() -> None:
    driver = opened()
    _, chat = enter_chat(driver)
    driver.fill("Text message", "see you at nine")
    driver.tap_icon("send")
    driver.press("home")
    driver.open("messages")
    driver.back()
    assert driver.element(chat["name"]).description == "You: see you at nine"


def test_a_chat_without_messages_and_a_list_without_chats_say_so() -> None:
    driver = opened()
    key, chat = chat_of(driver)
    driver.change("apps", "messages", "chats", to={key: {**chat, "messages": {}}})
    assert driver.element(chat["name"]).description.endswith("No messages")
    driver.change("apps", "messages", "chats", to={})
    assert driver.sees("No conversations")


# One chat


def test_bubbles_say_who_wrote_them() -> None:
    driver = opened()
    key, chat = enter_chat(driver)
    messages = driver.data("messages")["chats"][key]["messages"].values()
    said = {e.text: e.description for e in driver.elements if e.role == "text" and e.description}
    assert said == {m["text"]: "You" if m["mine"] else chat["name"] for m in messages}


def test_sending_changes_only_the_chat_that_is_open() -> None:
    driver = opened()
    key, _ = enter_chat(driver)
    driver.fill("Text message", "hello")
    with driver.changes(
        f"apps.messages.chats.{key}.messages.sent-*", f"apps.messages.chats.{key}.order"
    ):
        driver.press("enter")
    assert not driver.device.observe().keyboard


def test_a_message_is_sent_without_outer_blanks() -> None:
    driver = opened()
    key, _ = enter_chat(driver)
    driver.fill("Text message", "  hello  ")
    driver.tap_icon("send")
    assert texts_of(driver, key)[-1] == "hello"


def test_a_message_sent_twice_is_there_twice() -> None:
    driver = opened()
    key, _ = enter_chat(driver)
    for _ in range(2):
        driver.fill("Text message", "hello")
        driver.tap_icon("send")
    assert texts_of(driver, key)[-2:] == ["hello", "hello"]


def test_a_draft_stays_while_another_app_is_in_front_but_not_after_leaving_the_chat() -> None:
    driver = opened()
    _, chat = enter_chat(driver)
    driver.fill("Text message", "half a")
    driver.press("home")
    driver.open("messages")
    assert driver.var("draft") == "half a"
    driver.back()
    driver.tap(chat["name"], role="item")
    assert driver.var("draft", "") == ""


def test_a_long_message_is_broken_into_at_most_six_lines() -> None:
    driver = opened()
    enter_chat(driver)
    driver.fill("Text message", "word " * 100)
    driver.tap_icon("send")
    lines, mine, _ = driver.looks("bubble")[-1]
    assert (len(lines), mine) == (6, True)


@LAYOUTS
def test_the_composer_stands_above_the_keyboard(layout: int) -> None:
    driver = opened(layout)
    enter_chat(driver)
    driver.tap_field("Text message")
    field, keyboard = driver.element("Text message", "field"), driver.element("Keyboard")
    assert field.bounds[3] <= keyboard.bounds[1]


def test_the_menu_of_a_chat_archives_it_and_leaves_it() -> None:
    driver = opened()
    key, _ = enter_chat(driver)
    driver.tap("More options")
    with driver.changes(f"apps.messages.chats.{key}.archived"):
        driver.tap("Archive")
    assert driver.page == "main"


def test_the_menu_of_a_chat_deletes_it_and_leaves_it() -> None:
    driver = opened()
    key, _ = enter_chat(driver)
    driver.tap("More options")
    driver.tap("Delete")
    with driver.changes(f"apps.messages.chats.{key}"):
        driver.tap("Delete")
    assert driver.page == "main"
    assert driver.sees("Conversation deleted")


def test_a_chat_that_does_not_exist_yet_has_no_menu() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.type("310-7777")
    driver.press("enter")
    assert driver.sees("Say hello")
    assert not driver.sees("More options")


# Whom to write to


def test_people_are_found_by_name_and_by_number() -> None:
    driver = opened()
    _, contact = by_name(driver.data("contacts")["contacts"])[5]
    driver.tap_icon("edit")
    for typed in (contact["name"].upper(), contact["phone"]):
        driver.fill("To: name or number", typed)
        assert driver.of_role("item") == [contact["name"]]


def test_writing_to_nobody_goes_nowhere() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.press("enter")
    assert driver.page == "new"


def test_writing_to_somebody_known_opens_the_old_chat() -> None:
    driver = opened()
    key, chat = chat_of(driver)
    driver.tap_icon("edit")
    driver.type(chat["name"])
    driver.press("enter")
    assert driver.sees(texts_of(driver, key)[0])
    driver.back()
    assert driver.page == "main"


def test_a_phone_without_contacts_says_so() -> None:
    driver = opened()
    driver.change("apps", "contacts", "contacts", to={})
    driver.tap_icon("edit")
    assert driver.sees("No contacts")


# Menus


@LAYOUTS
def test_the_menu_marks_one_chat_read_and_unread(layout: int) -> None:
    driver = opened(layout)
    key, chat = chat_of(driver, unread=True)
    driver.long_press(chat["name"])
    with driver.changes(f"apps.messages.chats.{key}.unread"):
        driver.tap("Mark as read")
    driver.long_press(chat["name"])
    driver.tap("Mark as unread")
    assert driver.data("messages")["chats"][key]["unread"]
    assert driver.page == "main"


def test_the_menu_has_its_entries_in_the_other_order_in_the_other_layout() -> None:
    orders = []
    for layout in (1, 2):
        driver = opened(layout)
        _, chat = chat_of(driver)
        driver.long_press(chat["name"])
        orders.append(driver.of_role("button"))
    assert orders[0] == orders[1][::-1]
    assert len(orders[0]) == 3


def test_the_menu_of_a_chat_that_is_gone_can_only_be_closed() -> None:
    driver = opened()
    _, chat = chat_of(driver)
    driver.long_press(chat["name"])
    driver.change("apps", "messages", "chats", to={})
    driver.tap("Close")
    assert driver.page == "main"


def test_an_archive_without_chats_says_so() -> None:
    driver = opened()
    driver.change("apps", "messages", "chats", to={})
    driver.tap("More options")
    driver.tap("Archived")
    assert driver.sees("No conversations")
    driver.back()
    assert driver.page == "main"


def test_marking_all_as_read_touches_only_the_unread() -> None:
    driver = opened()
    unread = [k for k, chat in driver.data("messages")["chats"].items() if chat["unread"]]
    assert unread
    driver.tap("More options")
    with driver.changes(*(f"apps.messages.chats.{key}.unread" for key in unread)):
        driver.tap("Mark all as read")
