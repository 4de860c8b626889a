from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from distrl.devices.phone.adbd.screenshot import encode_png, upscale


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_picture_survives_packing_to_the_pixel(scale: int) -> None:
    drawn = np.random.default_rng(0).integers(0, 256, (7, 3, 3), dtype=np.uint8)
    shown = np.asarray(Image.open(io.BytesIO(encode_png(drawn, scale))))
    np.testing.assert_array_equal(shown, upscale(drawn, scale))
    assert shown.shape == (7 * scale, 3 * scale, 3)
    np.testing.assert_array_equal(shown[::scale, ::scale], drawn)
