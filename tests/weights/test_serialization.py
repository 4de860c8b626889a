import json

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.errors import WeightsError
from distrl.weights.serialization import digest_of, seal, unseal


def test_the_digest_is_of_names_types_shapes_and_numbers() -> None:
    base = {"a": torch.zeros(2, 3)}
    others = [
        {"b": torch.zeros(2, 3)},
        {"a": torch.zeros(3, 2)},
        {"a": torch.zeros(2, 3, dtype=torch.int32)},
        {"a": -torch.zeros(2, 3)},
        {"a": torch.zeros(2, 3), "b": torch.zeros(0)},
        {},
    ]
    digests = {digest_of(weights) for weights in [base, *others]}
    assert len(digests) == len(others) + 1


def test_the_digest_does_not_depend_on_order_or_memory_layout() -> None:
    a, b = torch.arange(6.0).reshape(2, 3), torch.ones(2)
    turned = a.T.contiguous().T
    assert digest_of({"a": a, "b": b}) == digest_of({"b": b, "a": turned})


MIXED = {
    "odd": torch.arange(3, dtype=torch.uint8),
    "wide": torch.arange(6.0, dtype=torch.float64).reshape(2, 3),
    "half": torch.full((1, 5), 0.5, dtype=torch.bfloat16),
    "empty": torch.zeros(0, 4),
    "one": torch.tensor(7),
    "mask": torch.tensor([True, False]),
}


def test_the_library_reads_what_is_sealed_and_what_it_writes_is_read() -> None:
    data, _ = seal(MIXED, 4)
    written = safetensors.torch.save(MIXED, read_metadata(data))
    for found in (safetensors.torch.load(data), unseal(written, 4).weights):
        assert found.keys() == MIXED.keys()
        for name, tensor in MIXED.items():
            assert found[name].dtype == tensor.dtype
            assert torch.equal(found[name], tensor)


def read_metadata(data: bytes) -> dict[str, str]:
    length = int.from_bytes(data[:8], "little")
    found: dict[str, str] = json.loads(data[8 : 8 + length])["__metadata__"]
    return found


def test_what_was_read_is_a_copy() -> None:
    shared = bytearray(seal({"a": torch.ones(3)}, 1)[0])
    weights = unseal(memoryview(shared), 1).weights
    shared[:] = bytes(len(shared))
    assert torch.equal(weights["a"], torch.ones(3))


@pytest.mark.parametrize("cut", [-1, 1])
def test_numbers_that_are_missing_or_too_many_are_refused(cut: int) -> None:
    data, _ = seal({"a": torch.ones(3)}, 1)
    with pytest.raises(WeightsError, match="cannot be read"):
        unseal(data[:cut] if cut < 0 else data + bytes(cut), 1)


@settings(max_examples=60)
@given(place=st.floats(min_value=0, max_value=1, exclude_max=True), bit=st.integers(0, 7))
def test_no_flipped_bit_goes_unnoticed(place: float, bit: int) -> None:
    data, digest = seal({"a": torch.arange(20.0), "b": torch.ones(3)}, 5, {"note": "yellow"})
    changed = bytearray(data)
    changed[int(place * len(data))] ^= 1 << bit
    try:
        sealed = unseal(bytes(changed), 5)
    except WeightsError:
        return
    # What is left over is padding in the header: it means the same.
    assert sealed.digest == digest == digest_of(sealed.weights)
    assert sealed.notes == {"note": "yellow"}
