from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image
from tests.contracts.store import make_screen

from distrl.errors import StoreError
from distrl.replay.store import picture_codec
from distrl.replay.store.picture_codec import Codec, decode, digest_of, encode
from distrl.types import Pixels

CODECS: tuple[Codec, ...] = ("webp", "png")

screens = hnp.arrays(
    np.uint8,
    st.tuples(st.integers(1, 20), st.integers(1, 20), st.just(3)),
    elements=st.sampled_from([0, 1, 127, 254, 255]),
)


@pytest.mark.parametrize("codec", CODECS)
@given(screen=screens)
def test_no_pixel_is_lost(codec: Codec, screen: Pixels) -> None:
    np.testing.assert_array_equal(decode(encode(screen, codec), digest_of(screen)), screen)


@pytest.mark.parametrize("codec", CODECS)
def test_the_picture_is_of_the_kind_that_its_name_says(codec: Codec) -> None:
    with Image.open(io.BytesIO(encode(make_screen(1), codec))) as image:
        assert image.format == codec.upper()
        assert image.mode == "RGB"


def test_the_digest_is_of_the_pixels_and_of_the_size() -> None:
    screen = make_screen(1, 6, 4)
    changed = screen.copy()
    changed[5, 3, 2] ^= 1
    assert digest_of(screen) == digest_of(screen.copy(order="F"))
    assert len({digest_of(s) for s in (screen, changed, screen.reshape(4, 6, 3))}) == 3


@pytest.mark.parametrize("codec", CODECS)
def test_another_picture_than_the_one_asked_for_is_refused(codec: Codec) -> None:
    with pytest.raises(StoreError, match="something else"):
        decode(encode(make_screen(1), codec), digest_of(make_screen(2)))


def test_other_kinds_of_pictures_are_not_even_tried() -> None:
    screen = make_screen(1)
    bitmap = io.BytesIO()
    Image.fromarray(screen).save(bitmap, "BMP")
    with pytest.raises(StoreError, match="cannot be read"):
        decode(bitmap.getvalue(), digest_of(screen))


def test_a_picture_that_claims_a_huge_size_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_codec, "_LARGEST", 100)
    screen = make_screen(1, 10, 11)
    with pytest.raises(StoreError, match="too large"):
        decode(encode(screen), digest_of(screen))


def test_a_screen_too_long_for_webp_is_refused_and_kept_as_png() -> None:
    long = np.zeros((16_384, 1, 3), np.uint8)
    with pytest.raises(StoreError, match="WebP"):
        encode(long, "webp")
    assert decode(encode(long, "png"), digest_of(long)).shape == long.shape
