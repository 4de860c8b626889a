"""Photos, products, maps and the cards that show them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.devices.phone.paint.painting import Sample, same, tile, unseen

from distrl.devices.phone import art

RED, BLUE = (200, 40, 40), (40, 80, 200)
CARD = (170, 62)
SAMPLES = [
    Sample("photo", ("dog", "cat"), (1, 2), size=(40, 40)),
    Sample("product", ("mug", "lamp"), ("red", "blue"), size=(40, 40)),
    Sample("map", (1, 2), (1, 3), size=(60, 60)),
    Sample(
        "card",
        ("mug", "lamp"),
        ("red", "blue"),
        ("A mug", "A lamp"),
        ("$5", "$9"),
        ("4 stars", "5 stars"),
        ("Ad", ""),
        size=CARD,
    ),
    Sample("captioned", ("dog", "cat"), (1, 2), ("Pets", "Fun"), size=(80, 60)),
    Sample("teaser", ("Rain", "Sun"), ("News", "Fun"), ("dog", "cat"), (1, 2), size=(170, 40)),
    Sample(
        "media",
        ("dog", "cat"),
        (1, 2),
        ("Song", "Tune"),
        ("Ann", "Bob"),
        (1.0, 1.6),
        ("volume", ""),
        size=(170, 34),
    ),
    Sample(
        "video_card",
        ("dog", "cat"),
        (1, 2),
        ("Song", "Tune"),
        ("Ann", "Bob"),
        ("3:00", "12:00"),
        size=(170, 108),
    ),
    Sample("selfie", (1, 2), size=(60, 60)),
    Sample("shutter", (RED, "white"), size=(44, 44)),
    Sample("offer", ("mug", "lamp"), ("red", "blue"), ("$5", "$9"), ("4", "5"), size=(85, 98)),
    Sample(
        "sale",
        ("Big sale", "Small sale"),
        ("now", "later"),
        (RED, BLUE),
        ((244, 244, 246), BLUE),
        (("mug", "red"), ("lamp", "red")),
        size=(170, 66),
    ),
    Sample("map_pin", ("coffee", "hotel"), (RED, BLUE), size=(20, 26)),
    Sample("map_button", ("zoom_in", "zoom_out"), ("text", RED), size=(26, 26)),
]
ALL = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.painter)


@ALL
def test_every_argument_is_seen(sample: Sample) -> None:
    assert unseen(sample) == []


@ALL
def test_the_same_arguments_give_the_same_tile(sample: Sample) -> None:
    assert same(sample.paint(), sample.paint())


@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_a_photo_fills_its_tile(subject: str) -> None:
    assert same(tile("photo", subject, 3, size=(30, 20)), art.photo(subject, 3, 30, 20))


@pytest.mark.parametrize("kind", art.PRODUCT_KINDS)
def test_a_product_fills_its_tile(kind: str) -> None:
    assert same(tile("product", kind, "teal", size=(30, 20)), art.product(kind, "teal", 30, 20))


@pytest.mark.parametrize("variant", range(12))
def test_every_selfie_has_a_face_in_the_middle(variant: int) -> None:
    pixels = tile("selfie", variant, size=(60, 60))
    assert not same(pixels[28:32, 28:32], np.broadcast_to(pixels[0, 0], (4, 4, 3)))


def test_selfies_of_neighbouring_numbers_differ() -> None:
    assert len({tile("selfie", n, size=(60, 60)).tobytes() for n in range(12)}) > 6


@pytest.mark.parametrize("painter", ["map_pin", "map_button"])
def test_the_map_shows_around_what_floats_on_it(painter: str) -> None:
    arguments = ("coffee", RED) if painter == "map_pin" else ("zoom_in", "text")
    pixels = tile(painter, *arguments, size=(26, 30))
    assert (pixels[-1, 0] == 128).all()


def test_long_titles_of_cards_take_two_lines_and_no_more() -> None:
    words = [" ".join(["word"] * count) for count in (3, 14, 60)]
    one, two, many = (tile("card", "mug", "red", w, "", "", "", size=CARD) for w in words)
    assert not same(one, two)
    assert same(two[:12], many[:12])
