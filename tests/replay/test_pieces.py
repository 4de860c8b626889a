from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.replay.pieces import join, split


@given(st.lists(st.binary(max_size=300)))
def test_what_is_joined_is_split_again(pieces: list[bytes]) -> None:
    assert split(join(pieces)) == pieces


@given(st.binary(max_size=300))
def test_whatever_is_split_is_joined_exactly(joined: bytes) -> None:
    pieces = split(joined)
    assert pieces is None or join(pieces) == joined


@pytest.mark.parametrize(
    "other", [b"", b"a", b"\x92\xa1a\xa1b", b"\x91" * 100_000, b"\xdc\x00\x01\xc4\x01a"]
)
def test_what_was_not_joined_is_not_split(other: bytes) -> None:
    assert split(other) is None
