"""How every page of a phone looks."""

from __future__ import annotations

from distrl.config.factors import FONT_PERCENT, ROOM
from distrl.devices.phone.ui.look import PLAIN, Look, look_of

ITEMS = tuple("abcdefgh")


def test_a_phone_without_factors_is_plain() -> None:
    assert look_of({"seed": 3}) is PLAIN
    assert PLAIN.say("Save") == "Save"
    assert PLAIN.arrange(ITEMS, "menu") is ITEMS
    assert (PLAIN.enlarge(17), PLAIN.narrow(17)) == (17, 17)


def test_every_factor_of_looks_has_a_trait() -> None:
    look = look_of({"seed": 3, "factors": ["dark", "font", "density", "language", "misleading"]})
    assert (look.dark, look.font, look.room) == (True, FONT_PERCENT, ROOM)
    assert look.misleading and look.say("Save") == "Speichern" and look.order is None


def test_words_that_nobody_has_translated_stay() -> None:
    assert look_of({"seed": 3, "factors": ["language"]}).say("Zigzag") == "Zigzag"


def test_an_order_is_kept_for_a_place_and_differs_between_places_and_phones() -> None:
    look, other = (look_of({"seed": seed, "factors": ["order"]}) for seed in (3, 4))
    first = look.arrange(ITEMS, "menu")
    assert sorted(first) == list(ITEMS)
    assert first == look.arrange(ITEMS, "menu")
    assert first != look.arrange(ITEMS, "tabs")
    assert first != other.arrange(ITEMS, "menu")


def test_larger_letters_take_more_and_leave_less_room() -> None:
    look = Look(font=150)
    assert look.enlarge(11) == 17
    assert look.narrow(30) == 20
