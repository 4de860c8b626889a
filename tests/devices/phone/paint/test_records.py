"""What apps list, one tile at a time."""

from __future__ import annotations

import numpy as np
import pytest
from tests.devices.phone.paint.painting import Sample, same, tile, unseen

RED, BLUE = (200, 40, 40), (40, 80, 200)
LARGE = (160, 90)
SAMPLES = [
    Sample("bubble", (("hello", "you"), ("hi",)), (True, False), (RED, BLUE)),
    Sample("round_button", ("star", "heart"), ("white", "text"), (RED, BLUE), ("bg", "surface")),
    Sample("key", ("7", "8"), (RED, BLUE), ("white", "text")),
    Sample("labelled", ("folder", "music"), ("Music", "Files"), (RED, BLUE), size=(60, 54)),
    Sample("avatar", ("A", "B"), (RED, BLUE), ("Ann", "Bob"), ("bg", "surface"), size=(44, 50)),
    Sample(
        "entry",
        ("A", "B"),
        (RED, BLUE),
        ("Ann", "Bob"),
        ("hello", "hi"),
        ("icon:star", "icon:dot"),
        (True, False),
        (RED, BLUE),
        size=(160, 32),
    ),
    Sample(
        "tab_card",
        ("News", "Shop"),
        ("news.com", "shop.com"),
        (RED, BLUE),
        (True, False),
        size=(82, 86),
    ),
    Sample(
        "day",
        ("7", "8"),
        ("today", "chosen"),
        (RED, BLUE),
        (((1, 2, 3),), ()),
        size=(25, 28),
    ),
    Sample("event", (RED, BLUE), ("Yoga", "Quiz"), ("9 AM", "5 PM"), (False, True)),
    Sample(
        "sticky",
        (RED, BLUE),
        ("Milk", "Tea"),
        (("one",), ("two",)),
        ("star_filled", ""),
        size=(80, 60),
    ),
    Sample("progress", (20, 70), (RED, BLUE), ("bg", "surface"), size=(120, 12)),
    Sample("badge", ("cart", "heart"), (3, 4), ("text", RED), ("bg", "surface"), size=(26, 24)),
    Sample("sum", ("Total", "Delivery"), ("$1.00", "$2.00"), (True, False), size=(160, 18)),
    Sample("icon_tab", ("car", "bus"), (True, False), (RED, BLUE), size=(45, 26)),
    Sample(
        "app_card",
        ("Chess", "Maps"),
        ("by Ann", "by Bob"),
        ("4 stars", "5 stars"),
        ("game", "map"),
        (RED, BLUE),
        (24, 38),
        size=(170, 52),
    ),
    Sample(
        "tinted",
        ("Oslo", "Rome"),
        ("Norway", "Italy"),
        ("sun", "rain"),
        ("20", "9"),
        (RED, BLUE),
        ("bg", "surface"),
        size=(170, 46),
    ),
    Sample("stacked", ("7 AM", "8 AM"), ("sun", "rain"), ("20", "9"), (RED, BLUE), size=(30, 44)),
    Sample("hero", ("20", "9"), ("sun", "rain"), (RED, BLUE), size=LARGE),
    Sample("wave", (1, 5), (20, 80), (RED, BLUE), ("bg", "surface"), size=LARGE),
]
ALL = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.painter)


@ALL
def test_every_argument_is_seen(sample: Sample) -> None:
    assert unseen(sample) == []


@ALL
def test_arguments_are_seen_in_the_dark(sample: Sample) -> None:
    assert unseen(sample, dark=True) == []


@ALL
def test_arguments_are_seen_on_a_larger_screen(sample: Sample) -> None:
    assert unseen(sample, scale=2.5) == []


@ALL
def test_the_same_arguments_give_the_same_tile(sample: Sample) -> None:
    assert same(sample.paint(), sample.paint())


def reds(pixels: np.ndarray) -> np.ndarray:
    """Columns that have pure red."""
    found: np.ndarray = np.nonzero((pixels == RED).all(axis=2).any(axis=0))[0]
    return found


@pytest.mark.parametrize(("mine", "right"), [(True, True), (False, False)])
def test_ones_own_messages_stand_at_the_right(mine: bool, right: bool) -> None:
    pixels = tile("bubble", ("hi",), mine, RED, size=(160, 21))
    ground = (pixels != pixels[0, 80]).any(axis=(0, 2))
    assert (np.nonzero(ground)[0].mean() > 80) == right


def test_a_wider_message_has_a_wider_bubble() -> None:
    widths = [
        np.ptp(reds(tile("bubble", (words,), True, RED, size=(160, 21))))
        for words in ("hi", "hi there", "hi there you")
    ]
    assert widths == sorted(set(widths))


def test_a_bar_is_filled_to_its_percentage() -> None:
    widths = [len(reds(tile("progress", p, RED, size=(120, 12)))) for p in (0, 10, 50, 100)]
    assert widths[0] == 0
    assert widths == sorted(set(widths))


def test_more_than_ninety_nine_things_are_shown_as_ninety_nine() -> None:
    many = tile("badge", "cart", 99, "text", "bg", size=(26, 24))
    assert same(many, tile("badge", "cart", 500, "text", "bg", size=(26, 24)))


def test_nothing_in_a_cart_has_no_number() -> None:
    empty = tile("badge", "cart", 0, "text", "bg", size=(26, 24))
    assert not same(empty, tile("badge", "cart", 1, "text", "bg", size=(26, 24)))
    assert same(empty, tile("glyph", "cart", "text", "bg", size=(26, 24)))


def test_each_event_of_a_day_has_a_dot_of_its_colour() -> None:
    pixels = tile("day", "7", "plain", "text", (RED, BLUE), size=(25, 28))
    for color in (RED, BLUE):
        assert (pixels == color).all(axis=2).any()


def test_only_what_was_played_of_a_recording_is_in_colour() -> None:
    none, half, whole = (len(reds(tile("wave", 3, done, RED, size=LARGE))) for done in (0, 50, 100))
    assert none == 0
    assert 0 < half < whole


def test_a_note_is_as_bright_in_the_dark() -> None:
    arguments = ((250, 220, 90), "Milk", ("one",), "")
    light, dark = (tile("sticky", *arguments, size=(80, 60), dark=d) for d in (False, True))
    assert same(light[10:50, 10:70], dark[10:50, 10:70])


def test_an_event_without_a_time_of_its_own_is_words_on_its_colour() -> None:
    pixels = tile("event", RED, "Yoga", "", True)
    assert tuple(pixels[3, 100]) == RED
