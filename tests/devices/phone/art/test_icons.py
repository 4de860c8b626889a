from itertools import combinations

import numpy as np
import pytest

from distrl.devices.phone import art

SIZES = (1, 10, 12, 20, 37, 60)


def test_names_are_sorted_and_unique() -> None:
    assert list(art.ICONS) == sorted(set(art.ICONS))


@pytest.mark.parametrize("size", SIZES)
def test_masks_have_the_asked_shape_and_type(size: int) -> None:
    for name in art.ICONS:
        mask = art.icon_mask(name, size)
        assert mask.shape == (size, size)
        assert mask.dtype == np.uint8


@pytest.mark.parametrize("size", [12, 20, 60])
@pytest.mark.parametrize("name", art.ICONS)
def test_every_icon_has_ink_and_air(name: str, size: int) -> None:
    assert 0.05 < art.icon_mask(name, size).mean() / 255 < 0.95


@pytest.mark.parametrize("name", art.ICONS)
def test_every_icon_has_a_solid_stroke_at_twelve_pixels(name: str) -> None:
    assert art.icon_mask(name, 12).max() > 150


def test_icons_differ_from_each_other_at_twelve_pixels() -> None:
    masks = {name: art.icon_mask(name, 12).astype(np.float64) for name in art.ICONS}
    close = [
        (one, other)
        for one, other in combinations(art.ICONS, 2)
        if np.abs(masks[one] - masks[other]).mean() < 8
    ]
    assert close == []


@pytest.mark.parametrize(
    ("filled", "hollow"),
    [
        ("star_filled", "star"),
        ("heart_filled", "heart"),
        ("bookmark_filled", "bookmark"),
        ("radio_on", "radio_off"),
        ("box_on", "box_off"),
    ],
)
def test_filled_icons_have_more_ink_than_hollow_ones(filled: str, hollow: str) -> None:
    assert art.icon_mask(filled, 12).sum() > 1.25 * art.icon_mask(hollow, 12).sum()


@pytest.mark.parametrize(
    ("one", "other", "axis"),
    [
        ("back", "forward", 1),
        ("left", "right", 1),
        ("up", "down", 0),
        ("next", "previous", 1),
        ("thumb_up", "thumb_down", 0),
    ],
)
def test_opposite_icons_mirror_each_other(one: str, other: str, axis: int) -> None:
    mirrored = np.flip(art.icon_mask(other, 48), axis).astype(np.float64)
    assert np.abs(art.icon_mask(one, 48) - mirrored).mean() < 8


def test_size_only_changes_the_resolution() -> None:
    for name in art.ICONS:
        coverage = [art.icon_mask(name, size).mean() for size in (12, 24, 96)]
        assert max(coverage) - min(coverage) < 8, name


def test_masks_are_the_same_every_time_and_belong_to_the_caller() -> None:
    first = art.icon_mask("wifi", 20)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(art.icon_mask("wifi", 20), kept)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"unknown icon 'blutooth'.*'bluetooth'"):
        art.icon_mask("blutooth", 20)


def test_a_name_like_no_other_is_still_a_value_error() -> None:
    with pytest.raises(ValueError, match="unknown icon ''"):
        art.icon_mask("", 20)


@pytest.mark.parametrize("size", [0, -4])
def test_sizes_without_pixels_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="at least one pixel"):
        art.icon_mask("wifi", size)
