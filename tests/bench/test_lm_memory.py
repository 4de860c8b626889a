from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from distrl.bench.lm_memory import SHAPES, ModelShape, Use, adapter_parameters, needs_of, table

PAGE = Path(__file__).parents[2] / "docs" / "models.md"


def test_the_page_shows_what_is_computed() -> None:
    assert table() in PAGE.read_text("utf-8")


def test_the_adapter_is_as_large_as_the_one_that_is_made() -> None:
    pytest.importorskip("peft")
    from tests.policies.lm.tiny import llama_model

    made = llama_model(top=2).state_dict()
    weights = sum(w.numel() for name, w in made.items() if name.startswith("adapter."))
    tiny = ModelShape(name="tiny", parameters=1, layers=4, width=32, inner=48, keys=16, sees=False)
    assert adapter_parameters(tiny, Use(rank=2, adapted=2)) == weights


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_less_of_anything_takes_less(shape: object) -> None:
    assert isinstance(shape, ModelShape)
    whole = needs_of(shape, Use())
    assert needs_of(shape, Use(tokens=100)).activations < whole.activations
    assert needs_of(shape, Use(at_once=4)).acting < whole.acting
    assert needs_of(shape, Use(adapted=4)).learning < whole.learning
    assert needs_of(replace(shape, parameters=1.0), Use()).weights < whole.weights
