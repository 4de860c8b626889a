"""What the goals in Messages accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

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
