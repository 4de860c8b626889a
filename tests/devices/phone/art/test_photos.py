from itertools import combinations

import numpy as np
import pytest

from distrl.devices.phone import art

VARIANTS = range(4)


def difference(one: art.Pixels, other: art.Pixels) -> float:
    return float(np.abs(one.astype(np.float64) - other).mean())


def test_there_are_enough_subjects() -> None:
    assert len(art.SUBJECTS) >= 16
    assert list(art.SUBJECTS) == sorted(set(art.SUBJECTS))


@pytest.mark.parametrize("size", [(1, 1), (10, 10), (56, 56), (90, 40), (40, 90), (7, 100)])
@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_photos_have_the_asked_shape_and_type(subject: str, size: tuple[int, int]) -> None:
    width, height = size
    pixels = art.photo(subject, 3, width, height)
    assert pixels.shape == (height, width, 3)
    assert pixels.dtype == np.uint8


@pytest.mark.parametrize("size", [(60, 60), (120, 40), (40, 120)])
@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_the_scene_reaches_every_edge(subject: str, size: tuple[int, int]) -> None:
    for variant in VARIANTS:
        pixels = art.photo(subject, variant, *size)
        assert (pixels.sum(axis=2) > 0).all()


def test_subjects_differ_from_each_other_at_forty_pixels() -> None:
    photos = {
        subject: [art.photo(subject, variant, 40, 40) for variant in VARIANTS]
        for subject in art.SUBJECTS
    }
    close = [
        (one, other)
        for one, other in combinations(art.SUBJECTS, 2)
        if min(difference(a, b) for a in photos[one] for b in photos[other]) < 25
    ]
    assert close == []


@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_variants_differ(subject: str) -> None:
    photos = {art.photo(subject, variant, 40, 40).tobytes() for variant in range(8)}
    assert len(photos) == 8


@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_the_same_arguments_give_the_same_pixels(subject: str) -> None:
    assert np.array_equal(art.photo(subject, 5, 33, 47), art.photo(subject, 5, 33, 47))


@pytest.mark.parametrize("subject", art.SUBJECTS)
def test_size_only_changes_the_resolution(subject: str) -> None:
    small = art.photo(subject, 2, 40, 40)
    large = art.photo(subject, 2, 160, 160).astype(np.float64)
    shrunk = large.reshape(40, 4, 40, 4, 3).mean(axis=(1, 3))
    assert np.abs(small - shrunk).mean() < 8


def test_any_integer_is_a_variant() -> None:
    assert art.photo("dog", -7, 12, 12).shape == (12, 12, 3)
    assert art.photo("dog", 10**12, 12, 12).shape == (12, 12, 3)


def test_an_unknown_subject_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"unknown subject 'moutain'.*'mountain'"):
        art.photo("moutain", 0, 40, 40)


def test_sizes_without_pixels_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one pixel"):
        art.photo("dog", 0, 0, 40)
