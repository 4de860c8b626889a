"""Postcards, driven by hand on a phone that was given them."""

from __future__ import annotations

from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.postcards import CARDS, Postcards


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.change("system", "layouts", "postcards", to=layout)
    driver.change("apps", "postcards", to=Postcards().create(Random(3)))
    driver.open("postcards")
    return driver


@pytest.mark.parametrize("layout", [1, 2])
def test_cards_are_told_apart_by_their_pictures_alone(layout: int) -> None:
    driver = opened(layout)
    pictures = [element for element in driver.elements if element.role == "image"]
    assert len(pictures) == CARDS
    assert not any(element.text or element.description for element in pictures)
    shown = [look[0] for look in driver.looks("photo")]
    kept = [card["subject"] for card in driver.data("postcards")["cards"].values()]
    assert shown == (kept if layout == 1 else kept[::-1])


def test_the_icons_of_a_card_like_send_and_throw_it_away() -> None:
    driver = opened()
    driver.tap_paint("photo", driver.data("postcards")["cards"]["card4"]["subject"])
    driver.tap_icon("heart")
    driver.tap_icon("send")
    card = driver.data("postcards")["cards"]["card4"]
    assert (card["liked"], card["sent"]) == (True, True)
    driver.tap_icon("heart_filled")
    assert not driver.data("postcards")["cards"]["card4"]["liked"]
    driver.tap_icon("delete")
    assert driver.page == "main"
    assert "card4" not in driver.data("postcards")["cards"]
