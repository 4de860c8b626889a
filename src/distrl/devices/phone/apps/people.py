"""People as several apps know them: numbers, addresses, colours, and how to reach them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State

_TINTS = (
    (214, 84, 74),
    (224, 134, 46),
    (64, 146, 92),
    (44, 134, 156),
    (66, 112, 200),
    (128, 92, 190),
    (190, 80, 140),
    (120, 110, 100),
)
_PLACES = {name: place for place, name in enumerate(content.PEOPLE)}
_MOST_RECENTS = 24


@lru_cache(maxsize=512)
def number_of(name: str) -> str:
    """The phone number of a person of this world, the same on every phone."""
    place = _PLACES.get(name)
    if place is None:
        place = len(_PLACES) + sum(map(ord, name))
    return f"555-{1000 + place * 7919 % 9000}"


@lru_cache(maxsize=512)
def address_of(name: str) -> str:
    """The mail address of a person."""
    return f"{'.'.join(name.lower().split())}@post.net"


@lru_cache(maxsize=2048)
def digits(number: str) -> str:
    """What counts of a phone number."""
    return "".join(ch for ch in number if ch in "0123456789*#")


@lru_cache(maxsize=512)
def letter_of(name: str) -> str:
    """What stands in a person's round picture."""
    return name[0].upper() if name and name[0].isalpha() else "#"


@lru_cache(maxsize=512)
def tint_of(name: str) -> tuple[int, int, int]:
    """The colour of a person's round picture."""
    return _TINTS[sum(map(ord, name)) % len(_TINTS)]


def book(state: State) -> dict[str, Any]:
    """All contacts by id; empty on a phone without a contacts app."""
    contacts: dict[str, Any] = state["apps"].get("contacts", {}).get("contacts", {})
    return contacts


def by_name(contacts: dict[str, Any]) -> list[tuple[str, Any]]:
    """Contacts in the order of a phone book."""
    return sorted(contacts.items(), key=lambda item: (item[1]["name"].lower(), item[0]))


def name_of(state: State, number: str) -> str:
    """Who has a number, or nobody."""
    wanted = digits(number)
    for contact in book(state).values():
        if wanted and digits(contact["phone"]) == wanted:
            return str(contact["name"])
    return ""


def phone_of(state: State, name: str) -> str:
    """A person's number: from the phone book, else what anybody could know."""
    for contact in book(state).values():
        if contact["name"] == name and contact["phone"]:
            return str(contact["phone"])
    return number_of(name)


def clear_search(control: Control) -> None:
    """Empty the search field of a page."""
    control.set_var("query", "")
    control.focus(None)


def place_call(control: Control, number: str, name: str = "", *, video: bool = False) -> None:
    """Call somebody: the phone app comes to the front with the call going on."""
    who = name or name_of(control.state, number)
    control.start("phone", "call")
    call = {"name": who, "number": number, "video": video, "since": control.time}
    toggles = dict.fromkeys(("mute", "speaker", "keypad", "hold", "record"), False)
    control.write("call", to={**call, **toggles})
    remember_call(control, number, who)


def remember_call(control: Control, number: str, name: str) -> None:
    """Put an outgoing call on top of the recent ones and let the oldest go."""
    record = {
        "name": name,
        "number": number,
        "kind": "out",
        "order": control.time,
        "when": phone_time.clock_text(phone_time.minute_of(control.time)),
    }
    recent = {**control.data.get("recent", {}), control.new_id("call"): record}
    if len(recent) > _MOST_RECENTS:
        del recent[min(recent, key=lambda key: recent[key]["order"])]
    control.write("recent", to=recent)


def open_chat(control: Control, name: str) -> None:
    """Show the conversation with a person, which counts as reading it."""
    control.start("messages", "chat", name=name)
    for key, chat in control.data.get("chats", {}).items():
        if chat["name"] == name and chat["unread"]:
            control.write("chats", key, "unread", to=False)
