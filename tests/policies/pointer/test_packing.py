from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import fields

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies.pointer.fakes import (
    FakeTextEncoder,
    make_preparer,
    random_situation,
    situation,
)
from tests.policies.pointer.format_1 import pack_1

from distrl.errors import DistrlError
from distrl.policies.pointer.batch import collate
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.packing import pack, unpack
from distrl.replay.pieces import join, split
from distrl.types import Situation

ENCODER = FakeTextEncoder()
PREPARER = make_preparer()
SITUATIONS = {
    "screen": situation(),
    "empty": situation(()),
    "grid": situation(None),
    "wordless": situation(goal="?!"),
    "marks": situation(goal="Ruf „Jürgen“ an 📞"),
    **{f"random {seed}": random_situation(seed) for seed in range(5)},
}


@pytest.mark.parametrize("packing", [pack, pack_1])
@pytest.mark.parametrize("here", SITUATIONS.values(), ids=SITUATIONS)
def test_what_is_packed_comes_back_exactly(
    here: Situation, packing: Callable[[Inputs], bytes]
) -> None:
    """Also what a store of format 1 holds."""
    inputs = PREPARER.prepare(here)
    back = unpack(packing(inputs), ENCODER)
    for field in fields(Inputs):
        first, second = getattr(inputs, field.name), getattr(back, field.name)
        if isinstance(first, np.ndarray):
            assert first.dtype == second.dtype
            assert first.shape == second.shape
            assert (first == second).all()
        else:
            assert first == second


def test_packing_is_a_function_of_the_inputs() -> None:
    inputs = PREPARER.prepare(situation())
    assert pack(inputs) == pack(PREPARER.prepare(situation()))
    assert pack(unpack(pack(inputs), ENCODER)) == pack(inputs)


def test_vectors_are_not_packed() -> None:
    """They are far larger than the rest, and both sides read them from one cache."""
    inputs = PREPARER.prepare(situation(None, pixels=np.zeros((8, 8, 3), np.uint8)))
    assert len(pack(inputs)) - inputs.crops.nbytes < inputs.labels.nbytes / 5


def test_each_crop_is_a_piece_of_its_own() -> None:
    """So that a store keeps it once, wherever it comes again."""
    inputs = PREPARER.prepare(situation())
    pieces = split(pack(inputs))
    assert pieces is not None
    assert pieces[1:] == [crop.tobytes() for crop in inputs.crops]


def test_unpacked_inputs_can_be_put_in_a_batch() -> None:
    inputs = [unpack(pack(PREPARER.prepare(here)), ENCODER) for here in SITUATIONS.values()]
    assert len(collate(inputs).mask) == len(SITUATIONS)


GOOD = pack(PREPARER.prepare(situation()))


def readable(data: bytes) -> bool:
    """Whether data is read; what is read is of one screen, what is not is a DistrlError."""
    try:
        inputs = unpack(data, ENCODER)
    except DistrlError as error:
        assert "cannot be read" in str(error)
        return False
    collate([inputs])
    return True


@given(st.binary(max_size=200))
def test_rubbish_is_refused(data: bytes) -> None:
    assert not readable(data)


@given(st.integers(0, len(GOOD) - 1))
def test_a_part_of_it_is_refused(length: int) -> None:
    assert not readable(GOOD[:length])


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_a_damaged_byte_is_refused_or_changes_no_shape(place: int, value: int) -> None:
    damaged = GOOD[:place] + bytes([value]) + GOOD[place + 1 :]
    if not readable(damaged):
        return
    whole, left = unpack(GOOD, ENCODER), unpack(damaged, ENCODER)
    for field in fields(Inputs):
        first, second = getattr(whole, field.name), getattr(left, field.name)
        assert type(first) is type(second)
        if isinstance(first, np.ndarray):
            assert first.dtype == second.dtype
            # A letter of the goal may have become a space.
            by_words = field.name in {"words", "word_features", "links"}
            assert first.ndim == second.ndim if by_words else first.shape == second.shape


@pytest.mark.parametrize("data", [b"", b"null", b"{}", b"\x91" * 100_000, b"\x80", GOOD + b"x"])
def test_well_known_rubbish_is_refused(data: bytes) -> None:
    assert not readable(data)


def altered(**changes: object) -> bytes:
    """The good data with some of its parts exchanged."""
    names = (
        *("goal", "names", "word_features", "features"),
        *("history", "trail", "overview", "enabled", "typing"),
    )
    head, *crops = msgspec.msgpack.decode(GOOD)
    parts = {"crops": crops, **dict(zip(names, msgspec.msgpack.decode(head), strict=True))}
    assert changes.keys() <= parts.keys()
    crops, *rest = (parts | changes).values()
    return join([msgspec.msgpack.encode(rest), *crops])


def altered_1(crops: bytes) -> bytes:
    """The good data in format 1, with other crops."""
    parts = msgspec.msgpack.decode(pack_1(unpack(GOOD, ENCODER)))
    return msgspec.msgpack.encode([*parts[:4], crops, *parts[5:]])


def test_the_good_data_is_still_read_when_nothing_is_exchanged() -> None:
    assert readable(altered())


@pytest.mark.parametrize(
    "changes",
    [
        {"goal": "Save"},
        {"names": ["Save"]},
        {"names": ["a"] * 6},
        {"word_features": b""},
        {"word_features": b"\0"},
        {"features": b"\0" * 8},
        {"crops": []},
        {"crops": [b"\0" * 100]},
        {"crops": [b"\0" * 768] * 50},
        {"history": b""},
        {"trail": []},
        {"trail": ["a"] * 5},
        {"overview": b"\0\0"},
        {"enabled": b"\1"},
        {"typing": 3},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_parts_that_do_not_belong_together_are_refused(changes: dict[str, object]) -> None:
    assert not readable(altered(**changes))


@pytest.mark.parametrize("crops", [b"none", *(zlib.compress(bytes(n)) for n in (100, 10**7))])
def test_crops_of_format_1_that_do_not_belong_to_the_rest_are_refused(crops: bytes) -> None:
    assert not readable(altered_1(crops))


def test_more_parts_than_there_are_do_not_end_the_process() -> None:
    good = msgspec.msgpack.decode(GOOD)
    deep = bytes([0x90 | (len(good) + 1)]) + GOOD[1:] + b"\x91" * 100_000
    assert not readable(deep)
