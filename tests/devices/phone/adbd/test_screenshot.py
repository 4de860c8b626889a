from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from distrl.devices.android.adb import split_png
from distrl.devices.phone.adbd.screenshot import encode_png, upscale


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_picture_survives_packing_to_the_pixel(scale: int) -> None:
    drawn = np.random.default_rng(0).integers(0, 256, (7, 3, 3), dtype=np.uint8)
    shown = np.asarray(Image.open(io.BytesIO(encode_png(drawn, scale))))
    np.testing.assert_array_equal(shown, upscale(drawn, scale))
    assert shown.shape == (7 * scale, 3 * scale, 3)
    np.testing.assert_array_equal(shown[::scale, ::scale], drawn)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 50), (50, 1), (400, 180)])
def test_any_shape_is_packed(height: int, width: int) -> None:
    drawn = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    packed = encode_png(drawn, 2)
    with Image.open(io.BytesIO(packed)) as image:
        image.load()
        assert image.size == (2 * width, 2 * height)
        np.testing.assert_array_equal(np.asarray(image)[::2, ::2], drawn)


def test_picture_is_whole_by_its_own_checksums() -> None:
    drawn = np.zeros((3, 3, 3), np.uint8)
    assert split_png(encode_png(drawn) + b"rest", "x") == (encode_png(drawn), b"rest")


def test_larger_pixels_cost_next_to_nothing() -> None:
    drawn = np.random.default_rng(2).integers(0, 256, (60, 40, 3), dtype=np.uint8)
    assert len(encode_png(drawn, 6)) < 6 * len(encode_png(drawn, 1))  # of 36 times the pixels


def test_same_picture_is_packed_to_the_same_bytes() -> None:
    drawn = np.random.default_rng(3).integers(0, 256, (9, 9, 3), dtype=np.uint8)
    assert encode_png(drawn, 3) == encode_png(drawn.copy(), 3)
    assert upscale(drawn, 1).base is not drawn
    np.testing.assert_array_equal(upscale(drawn, 1), drawn)
