from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

from distrl.devices.phone.art import SUBJECTS

SUBJECT = sorted(SUBJECTS)[0]
CARDS = ("apps", "postcards", "cards")


@pytest.mark.parametrize(
    ("template", "key"), [("like_postcard", "liked"), ("send_postcard", "sent")]
)
def test_the_right_thing_on_the_right_card_is_the_goal(template: str, key: str) -> None:
    posed = Posed(template, subject=SUBJECT)
    other, _ = neighbour(posed.data("postcards")["cards"], **{key: False})
    posed.change(*CARDS, other, key, to=True)
    assert not posed.reached
    assert posed.side_effects == (f"apps.postcards.cards.{other}.{key}",)
    posed.change(*CARDS, other, key, to=False)
    wrong = "sent" if key == "liked" else "liked"
    posed.change(*CARDS, "target", wrong, to=True)
    assert not posed.reached
    assert posed.side_effects == (f"apps.postcards.cards.target.{wrong}",)
    posed.change(*CARDS, "target", key, to=True)
    assert posed.reached


def test_a_card_that_is_thrown_away_is_the_only_one() -> None:
    posed = Posed("delete_postcard", subject=SUBJECT)
    cards = posed.data("postcards")["cards"]
    other, _ = neighbour(cards)
    posed.change(*CARDS, to={key: card for key, card in cards.items() if key != other})
    assert not posed.reached
    assert posed.side_effects
    posed.change(*CARDS, to={key: card for key, card in cards.items() if key != "target"})
    assert posed.reached
    assert not posed.side_effects


@pytest.mark.parametrize("seed", range(4))
def test_one_card_shows_the_subject_and_it_is_found_by_its_picture(seed: int) -> None:
    posed = Posed("open_postcard", seed, subject=SUBJECT)
    shown = [card["subject"] for card in posed.data("postcards")["cards"].values()]
    assert shown.count(SUBJECT) == 1
    posed.open("postcards")
    assert not posed.reached
    assert not posed.shows(SUBJECT)
    painted = [subject for subject, *_ in posed.looks("photo") if subject != SUBJECT]
    posed.tap_paint("photo", painted[0])
    assert posed.page == "card"
    assert not posed.reached
    posed.solve()
    assert posed.reached
