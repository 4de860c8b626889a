"""What the goals in Messages accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

PERSON, TEXT = "Amara Okonjo", "running ten minutes late"


@pytest.mark.parametrize("seed", range(6))
def test_the_message_has_not_been_sent_before(seed: int) -> None:
    posed = Posed("send_message", seed, person=PERSON, text=TEXT)
    assert not posed.reached
    posed.solve()
    sent = posed.data("messages")["chats"]["target"]["messages"].values()
    assert [m["text"] for m in sent if m["mine"]].count(TEXT) == 1


def test_a_message_to_somebody_else_is_a_side_effect() -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    other = next(
        chat["name"] for key, chat in posed.data("messages")["chats"].items() if key != "target"
    )
    posed.open("messages")
    posed.tap(other, role="item")
    posed.fill("Text message", TEXT)
    posed.tap_icon("send")
    assert not posed.reached
    assert posed.side_effects


def test_a_chat_that_was_archived_by_mistake_is_found_again() -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    posed.change("apps", "messages", "chats", "target", "archived", to=True)
    posed.solve()


def test_an_open_chat_with_somebody_else_is_not_the_one() -> None:
    posed = Posed("open_chat", person=PERSON)
    other = next(
        chat["name"] for key, chat in posed.data("messages")["chats"].items() if key != "target"
    )
    posed.open("messages")
    posed.tap(other, role="item")
    assert not posed.reached
    posed.solve()


def test_a_new_chat_needs_no_message() -> None:
    posed = Posed("new_chat", person=PERSON)
    chats = posed.data("messages")["chats"]
    assert all(chat["name"] != PERSON for chat in chats.values())
    posed.solve()
    assert posed.data("messages")["chats"] == chats


def test_archiving_a_chat_does_not_delete_it() -> None:
    posed = Posed("delete_chat", person=PERSON)
    posed.open("messages")
    posed.long_press(PERSON)
    posed.tap("Archive")
    assert not posed.reached
    posed.solve()
    assert "target" not in posed.data("messages")["chats"]


def _send(posed: Posed, name: str, text: str) -> None:
    posed.open("messages")
    posed.tap(name, role="item")
    posed.fill("Text message", text)
    posed.tap_icon("send")


@pytest.mark.parametrize("text", [f"{TEXT}!", TEXT[:-1], TEXT.upper()])
def test_a_message_that_is_almost_the_same_does_not_count(text: str) -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    _send(posed, PERSON, text)
    assert not posed.reached
    assert len(posed.side_effects) == 1
    assert posed.side_effects[0].startswith("apps.messages.chats.target.messages.")


def test_a_message_sent_twice_is_sent_once_too_often() -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    _send(posed, PERSON, TEXT)
    assert posed.side_effects == ()
    posed.fill("Text message", TEXT)
    posed.tap_icon("send")
    assert posed.reached
    assert len(posed.side_effects) == 1


def test_a_draft_is_not_sent() -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    posed.open("messages")
    posed.tap(PERSON, role="item")
    posed.fill("Text message", TEXT)
    assert not posed.reached
    posed.tap_icon("send")
    assert posed.reached


def test_a_message_from_the_other_side_does_not_count() -> None:
    posed = Posed("send_message", person=PERSON, text=TEXT)
    message = {"text": TEXT, "mine": False}
    posed.change("apps", "messages", "chats", "target", "messages", "theirs", to=message)
    assert not posed.reached


def test_a_chat_can_be_reached_from_the_card_of_the_contact() -> None:
    posed = Posed("new_chat", person=PERSON)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_paint("round_button", "message")
    assert posed.app == "messages"
    assert posed.reached
    assert posed.side_effects == ()


def test_choosing_whom_to_write_to_is_not_yet_a_chat() -> None:
    posed = Posed("new_chat", person=PERSON)
    posed.open("messages")
    posed.tap_icon("edit")
    posed.fill("To: name or number", PERSON)
    assert not posed.reached
    posed.tap(PERSON, role="item")
    assert posed.reached


def test_a_message_in_the_new_chat_was_not_asked_for() -> None:
    posed = Posed("new_chat", person=PERSON)
    posed.solve()
    posed.fill("Text message", TEXT)
    posed.tap_icon("send")
    assert len(posed.side_effects) == 1


def test_opening_a_chat_marks_it_as_read_and_no_other() -> None:
    posed = Posed("open_chat", person=PERSON)
    posed.change("apps", "messages", "chats", "target", "unread", to=True)
    posed.open("messages")
    posed.tap(PERSON, role="item")
    assert posed.reached
    assert posed.data("messages")["chats"]["target"]["unread"] is False
    assert posed.side_effects == ()


def test_marking_all_chats_as_read_is_a_side_effect() -> None:
    posed = Posed("open_chat", person=PERSON)
    unread = {k for k, c in posed.data("messages")["chats"].items() if c["unread"]} - {"target"}
    assert unread
    posed.open("messages")
    posed.tap_icon("more")
    posed.tap("Mark all as read")
    assert not posed.reached
    effects = {f"apps.messages.chats.{key}.unread" for key in unread}
    assert set(posed.side_effects) == effects


def test_the_list_of_chats_is_not_the_chat() -> None:
    posed = Posed("open_chat", person=PERSON)
    posed.solve()
    assert posed.reached
    posed.press("back")
    assert not posed.reached


def test_a_chat_can_be_deleted_from_its_own_menu() -> None:
    posed = Posed("delete_chat", person=PERSON)
    posed.change("apps", "messages", "chats", "target", "unread", to=False)
    posed.open("messages")
    posed.tap(PERSON, role="item")
    posed.tap_icon("more")
    posed.tap("Delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap_icon("more")
    posed.tap("Delete")
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_deleting_the_neighbour_of_a_chat_is_a_side_effect() -> None:
    posed = Posed("delete_chat", person=PERSON)
    key, other = neighbour(posed.data("messages")["chats"], archived=False)
    posed.open("messages")
    posed.long_press(other["name"])
    posed.tap("Delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.messages.chats.{key}",)
