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
