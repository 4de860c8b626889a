"""The words of the phone in German."""

from __future__ import annotations

from collections import Counter

from distrl.devices.phone import content, labels
from distrl.devices.phone.factors.german import GERMAN
from distrl.devices.phone.paint import fonts


def test_no_word_is_translated_twice() -> None:
    assert not [german for german in GERMAN.values() if german in GERMAN]


def test_different_words_stay_different() -> None:
    counted = Counter(german.casefold() for german in GERMAN.values())
    assert not [german for german, count in counted.items() if count > 1]


def test_what_apps_hold_is_not_translated() -> None:
    held = {*labels._names(), *content.CONTACT_GROUPS}
    assert not held & GERMAN.keys()


def test_most_words_are_seen_on_the_phone() -> None:
    seen = set(labels.list_labels())
    assert len(seen & GERMAN.keys()) > 0.6 * len(GERMAN)


def test_the_typeface_has_every_letter() -> None:
    missing = bytes(fonts.font(20).getmask("\u4e2d"))
    for letter in set("".join(GERMAN.values())) - {" "}:
        assert bytes(fonts.font(20).getmask(letter)) != missing, letter
