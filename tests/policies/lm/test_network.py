from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.policies.lm.tiny import loaded_llama, reader, shake, situation
from tests.policies.lm.tiny_vision import FAMILIES

from distrl.policies.lm.model import LmModel, LmSettings
from distrl.policies.lm.network import TextNetwork
from distrl.policies.lm.vision import VisionNetwork


def text_model(model: Any, *, top: int = 2, **settings: Any) -> LmModel:
    return LmModel(TextNetwork(model, top=top, rank=2, alpha=4.0), LmSettings(**settings))


def in_half(sees: bool) -> LmModel:
    if sees:
        loaded = FAMILIES["idefics3"]()
        loaded.model.to(torch.bfloat16)
        return LmModel(VisionNetwork(loaded, rank=2, alpha=4.0), LmSettings())
    return text_model(loaded_llama().model.to(torch.bfloat16))


@pytest.mark.parametrize("sees", [False, True])
def test_what_is_trained_is_in_single_precision_whatever_is_frozen(sees: bool) -> None:
    model = in_half(sees)
    assert {weight.dtype for weight in model.state_dict().values()} == {torch.float32}
    frozen = [w for w in model.network.whole.parameters() if not w.requires_grad]
    assert {weight.dtype for weight in frozen} == {torch.bfloat16}


def test_a_small_step_moves_an_adapter_of_a_model_in_bfloat16() -> None:
    model = in_half(sees=False)
    shake(model)
    _, inputs = reader().read(situation())
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.0)
    seen = model.evaluate([inputs] * 2, list(inputs.options[:2]))
    (seen.log_prob.sum() + seen.value_logits.sum()).backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    for name, weight in model.state_dict().items():
        if name.startswith("adapter."):
            assert not torch.equal(weight, before[name]), name
