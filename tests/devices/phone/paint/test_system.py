"""What the system itself draws."""

from __future__ import annotations

import numpy as np
import pytest
from tests.devices.phone.paint.painting import Sample, same, tile, unseen

from distrl.devices.phone import art
from distrl.devices.phone.paint import WALLPAPER_PHOTOS, wallpaper
from distrl.devices.phone.ui import keyboard
from distrl.devices.phone.ui.view import KEYBOARD_HEIGHT, WIDTH

RED, BLUE = (200, 40, 40), (40, 80, 200)
OFF = (False, False, False, False)
SAMPLES = [
    Sample("toast", ("Saved", "Deleted"), size=(140, 22)),
    Sample("tile", ("wifi", "moon"), ("Wi-Fi", "Dark"), (True, False), (RED, BLUE), size=(85, 24)),
    Sample(
        "notice",
        ("bell", "clock"),
        (RED, BLUE),
        ("Clock", "Mail"),
        ("Timer", "Alarm"),
        ("now", "soon"),
        size=(168, 32),
    ),
    Sample(
        "app_icon",
        ("clock", "mail"),
        (RED, BLUE),
        ("Clock", "Mail"),
        ("white", "text"),
        size=(45, 64),
    ),
    Sample("overline", ("9:41", "9:42"), (26, 20), ("white", "text"), size=(120, 34)),
    Sample("search_pill", ("Search", "Find"), size=(156, 24)),
    Sample("page_dot", (True, False), size=(12, 8)),
    Sample(
        "status",
        ("9:41 AM", "9:42 AM"),
        (OFF, (True, False, False, False)),
        (50, 80),
        (True, False),
        size=(180, 14),
    ),
    Sample("wallpaper_thumb", (1, 2), (True, False), (RED, BLUE), size=(56, 80)),
]
ALL = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.painter)


@ALL
def test_every_argument_is_seen(sample: Sample) -> None:
    assert unseen(sample) == []


@ALL
def test_the_same_arguments_give_the_same_tile(sample: Sample) -> None:
    assert same(sample.paint(), sample.paint())


@pytest.mark.parametrize("flag", range(4))
def test_each_flag_has_an_icon_of_its_own_in_the_status_bar(flag: int) -> None:
    on = tuple(place == flag for place in range(4))
    bars = [tile("status", "9:41", flags, 50, False, size=(180, 14)) for flags in (OFF, on)]
    assert not same(*bars)
    others = {
        tile("status", "9:41", tuple(p == n for p in range(4)), 50, False, size=(180, 14)).tobytes()
        for n in range(4)
    }
    assert len(others) == 4


def test_a_tile_without_a_label_has_its_icon_in_the_middle() -> None:
    pixels = tile("tile", "wifi", "", True, RED, size=(42, 38)).astype(int)
    columns = np.nonzero((np.abs(pixels - 255).sum(axis=2) == 0).any(axis=0))[0]
    assert abs(columns.mean() - 21) < 2


def test_a_label_moves_the_icon_of_an_app_up() -> None:
    def top(label: str) -> int:
        pixels = tile("app_icon", "clock", RED, label, "white", size=(45, 64))
        return int(np.nonzero((pixels == RED).all(axis=2).any(axis=1))[0].min())

    assert top("Clock") < top("")


@pytest.mark.parametrize("painter", ["toast", "search_pill", "overline", "app_icon", "page_dot"])
def test_the_wallpaper_shows_around(painter: str) -> None:
    sample = next(s for s in SAMPLES if s.painter == painter)
    assert (sample.paint()[0, 0] == 128).all()


@pytest.mark.parametrize("dark", [False, True])
def test_every_key_is_painted_where_it_is_hit(dark: bool) -> None:
    pixels = tile("keyboard", size=(WIDTH, KEYBOARD_HEIGHT), dark=dark)
    ground = pixels[KEYBOARD_HEIGHT - 1, 0]
    for key, left, top, width, height in keyboard.layout():
        inside = pixels[top + 5 : top + height - 5, left + 5 : left + width - 5]
        assert not (inside == ground).all(), key
        painted = len({tuple(pixel) for pixel in inside.reshape(-1, 3)})
        assert (painted > 1) == (key != keyboard.SPACE), key


def test_no_two_keys_look_the_same() -> None:
    pixels = tile("keyboard", size=(WIDTH, KEYBOARD_HEIGHT))
    looks = {
        pixels[top : top + height, left : left + width].tobytes()
        for _, left, top, width, height in keyboard.layout()
    }
    assert len(looks) == len(keyboard.layout())


@pytest.mark.parametrize("painter", ["spinner", "nav"])
def test_what_takes_no_arguments_has_ink(painter: str) -> None:
    pixels = tile(painter)
    assert len({tuple(pixel) for pixel in pixels.reshape(-1, 3)}) > 1


@pytest.mark.parametrize("number", range(12))
def test_every_wallpaper_has_the_asked_size_and_lets_white_words_be_read(number: int) -> None:
    image = wallpaper(number, 45, 100)
    assert image.shape == (100, 45, 3)
    assert image.mean() < 205


def test_no_two_wallpapers_are_the_same() -> None:
    assert len({wallpaper(number, 36, 80).tobytes() for number in range(12)}) == 12


@pytest.mark.parametrize("place", range(2 * len(WALLPAPER_PHOTOS)))
def test_photographs_follow_the_gradients_a_little_darker(place: int) -> None:
    subject = WALLPAPER_PHOTOS[place % len(WALLPAPER_PHOTOS)]
    picture = art.photo(subject, 6 + place, 30, 60)
    image = wallpaper(6 + place, 30, 60)
    assert (image <= picture).all()
    assert image.mean() > 0.7 * picture.mean()
