"""Text, rows, fields, buttons, tabs and choices, one tile at a time."""

from __future__ import annotations

import numpy as np
import pytest
from tests.devices.phone.paint.painting import Sample, same, tile, unseen

from distrl.devices.phone.paint.canvas import DARK, LIGHT

RED, BLUE = (200, 40, 40), (40, 80, 200)
SAMPLES = [
    Sample("fill", (RED, BLUE)),
    Sample(
        "line",
        ("Alarm", "Timer"),
        (9, 15),
        ("text", RED),
        ("bg", BLUE),
        ("left", "right"),
        (False, True),
    ),
    Sample(
        "lines",
        (("one", "two"), ("one", "three")),
        (9, 12),
        ("text", RED),
        ("bg", BLUE),
        ("left", "center"),
        (False, True),
    ),
    Sample("glyph", ("star", "heart"), ("text", RED), ("bg", BLUE)),
    Sample(
        "row",
        ("Wi-Fi", "Bluetooth"),
        ("on", "off"),
        ("wifi", "star"),
        (RED, BLUE),
        ("icon:star", ">"),
        (True, False),
        ("bg", "surface"),
    ),
    Sample(
        "slider",
        ("Volume", "Ring"),
        (40, 60),
        ("volume", "bell"),
        (RED, BLUE),
        ("bg", "surface"),
    ),
    Sample(
        "field",
        ("box", "pill"),
        ("Name", "Title"),
        ("Ann", "Bob"),
        ("person", "tag"),
        (True, False),
        (True, False),
        (RED, BLUE),
    ),
    Sample(
        "button",
        ("Save", "Send"),
        ("filled", "outlined"),
        (RED, BLUE),
        (True, False),
        ("star", ""),
        ("bg", "surface"),
    ),
    Sample("chip", ("Red", "Blue"), (True, False), (RED, BLUE), ("bg", "surface")),
    Sample("bead", ("4", "5"), (True, False), (RED, BLUE), ("bg", "surface")),
    Sample("disc", (RED, BLUE), ("bg", "surface")),
    Sample("swatch", (RED, BLUE), (True, False), ("bg", "surface")),
    Sample("top_tab", ("Songs", "Artists"), ("", ""), (True, False), (RED, BLUE)),
    Sample("bottom_tab", ("Songs", "Artists"), ("music", "star"), (True, False), (RED, BLUE)),
    Sample("fab", ("add", "edit"), (RED, BLUE)),
    Sample("panel", (4, 12)),
]
ALL = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.painter)


@ALL
def test_every_argument_is_seen(sample: Sample) -> None:
    # A tab at the top has no icon: its argument is there for the tab at the bottom.
    invisible = [1] if sample.painter == "top_tab" else []
    assert unseen(sample) == invisible


@ALL
@pytest.mark.parametrize("scale", [1.5, 3.0])
def test_arguments_are_seen_on_larger_screens(sample: Sample, scale: float) -> None:
    invisible = [1] if sample.painter == "top_tab" else []
    assert unseen(sample, scale=scale) == invisible


@ALL
def test_the_same_arguments_give_the_same_tile(sample: Sample) -> None:
    assert same(sample.paint(), sample.paint())


@pytest.mark.parametrize(
    "sample",
    [s for s in SAMPLES if s.painter not in ("fill", "fab", "disc")],
    ids=lambda sample: sample.painter,
)
def test_the_dark_theme_is_seen(sample: Sample) -> None:
    assert not same(sample.paint(dark=True), sample.paint())


def test_a_fill_is_one_colour_of_the_theme() -> None:
    assert (tile("fill", "bg") == LIGHT["bg"]).all()
    assert (tile("fill", "bg", dark=True) == DARK["bg"]).all()


@pytest.mark.parametrize(("align", "third"), [("left", 0), ("center", 1), ("right", 2)])
def test_a_line_stands_where_it_is_aligned(align: str, third: int) -> None:
    ink = tile("line", "Hi", 9, "text", "bg", align, False) != LIGHT["bg"]
    columns = np.nonzero(ink.any(axis=(0, 2)))[0]
    assert 40 * third <= columns.mean() < 40 * (third + 1)


def test_a_line_that_is_too_long_is_cut() -> None:
    long = tile("line", "word " * 40, 9, "text", "bg", "left", False)
    assert same(long, tile("line", "word " * 50, 9, "text", "bg", "left", False))


@pytest.mark.parametrize("kind", ["switch", "checkbox", "radio"])
def test_a_choice_looks_different_when_it_is_on(kind: str) -> None:
    tiles = [tile("row", "Wi-Fi", "", "", RED, f"{kind}:{on}", True) for on in (0, 1)]
    assert not same(*tiles)


@pytest.mark.parametrize("kind", ["switch:1", "checkbox:1", "radio:1", "icon:star"])
def test_a_disabled_row_has_no_colour(kind: str) -> None:
    pixels = tile("row", "Wi-Fi", "", "wifi", RED, kind, False).astype(int)
    assert np.ptp(pixels, axis=2).max() < 40


def test_what_stands_at_the_end_of_a_row_shortens_its_title() -> None:
    title = "A title that is much longer than the row is wide"
    bare, trailed = (tile("row", title, "", "", RED, words, True) for words in ("", "12:30 PM"))
    assert not same(bare[:, 60:80], trailed[:, 60:80])


def test_the_thumb_of_a_slider_moves_with_its_value() -> None:
    middles = []
    for value in (0, 25, 50, 75, 100):
        red = (tile("slider", "", value, "", RED) == RED).all(axis=2)
        middles.append(np.nonzero(red.any(axis=0))[0].max())
    assert middles == sorted(set(middles))
    assert abs(middles[0] - 0.1 * 120) < 8
    assert abs(middles[-1] - 0.9 * 120) < 8


def test_an_empty_field_shows_its_hint_and_a_filled_one_its_text() -> None:
    empty = tile("field", "box", "Name", "", "", False, False, RED)
    assert same(empty, tile("field", "box", "Name", "", "", False, True, RED))
    assert not same(empty, tile("field", "box", "Name", "x", "", False, False, RED))


def test_a_pill_takes_its_ground_from_the_bar() -> None:
    pixels = tile("field", "pill", "Search", "", "", False, False, RED, BLUE)
    assert tuple(pixels[0, 0]) == BLUE
    assert tuple(tile("field", "pill", "Search", "", "", False, False, RED)[0, 0]) == RED


def test_a_chosen_bead_is_round() -> None:
    pixels = tile("bead", "", True, RED, "bg", size=(40, 40))
    assert tuple(pixels[20, 20]) == RED
    assert tuple(pixels[0, 0]) == LIGHT["bg"]


@pytest.mark.parametrize("painter", ["fab", "panel"])
def test_the_corners_of_what_floats_are_left_as_they_were(painter: str) -> None:
    arguments = ("add", RED) if painter == "fab" else (10,)
    assert (tile(painter, *arguments)[0, 0] == 128).all()


def test_a_divider_is_a_line_on_the_ground() -> None:
    pixels = tile("divider", size=(60, 3))
    assert tuple(pixels[1, 30]) == LIGHT["line"]
    assert tuple(pixels[0, 30]) == LIGHT["bg"]
