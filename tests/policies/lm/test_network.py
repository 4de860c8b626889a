from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.policies.lm.families import LAYERS, REFUSED, RIGHT
from tests.policies.lm.tiny import loaded_llama, prefix_cache, prompt_encoder, shake, situation
from tests.policies.lm.tiny_vision import FAMILIES
from transformers import LlamaForCausalLM

from distrl.config.policies import LmConfig
from distrl.errors import ConfigError
from distrl.policies.lm import network
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.network import TextNetwork
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.vision import VisionNetwork

TOPS = (1, 4, LAYERS)
"""Layers with an adapter: parts that begin elsewhere than a pattern of layers does, and all."""


def text_model(model: Any, *, top: int = 2, **settings: Any) -> LmModel:
    return LmModel(TextNetwork(model, top=top, rank=2, alpha=4.0), LmConfig(**settings))


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("family", RIGHT)
def test_a_new_adapter_says_what_the_model_says(family: str, top: int) -> None:
    whole = RIGHT[family]()
    _, inputs = prompt_encoder().encode(situation())
    with torch.no_grad():
        own = whole(input_ids=torch.tensor([inputs.tokens])).logits[0, -1].log_softmax(-1)
        model = text_model(whole, top=top, constrained=False)
        hidden = model.network.hidden([inputs], [()])[:, 0]
        here = model.token_scores(hidden, [(0,)]).log_probs[0]
    torch.testing.assert_close(here, own, atol=0.02, rtol=0)


@pytest.mark.parametrize("family", RIGHT)
def test_who_learns_computes_the_probability_that_was_acted_with(family: str) -> None:
    model = text_model(RIGHT[family](), top=4)
    shake(model)
    many = [situation(labels=("Search", "Ann", "Bob")[: 1 + k % 3], seed=k) for k in range(6)]
    choices = LmPolicy(model, prompt_encoder(), prefix_cache()).act(many)
    found = model.evaluate([unpack(c.inputs) for c in choices], [c.decision or () for c in choices])
    acted = torch.tensor([choice.log_prob for choice in choices])
    torch.testing.assert_close(found.log_prob.detach(), acted, atol=1e-4, rtol=0)


@pytest.mark.parametrize("family", REFUSED)
def test_a_family_that_cannot_be_taken_apart_is_refused_in_plain_words(family: str) -> None:
    make, why = REFUSED[family]
    with pytest.raises(ConfigError, match=why) as caught:
        text_model(make())
    assert "policy.lm.model is a " in str(caught.value)
    assert "such as Llama" in str(caught.value)


def test_who_could_adapt_all_layers_instead_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_kinds_of", lambda config: None)
    with pytest.raises(ConfigError, match=rf"policy\.lm\.top_layers={LAYERS}"):
        text_model(RIGHT["gemma3"](), top=4)


class _Tripled(LlamaForCausalLM):  # type: ignore[misc]
    """Scores words in a way that no configuration tells."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        out = super().forward(*args, **kwargs)
        out.logits = 3 * out.logits
        return out


def test_scores_of_words_that_are_made_otherwise_are_refused() -> None:
    odd: Any = _Tripled
    with pytest.raises(ConfigError, match="scores words in a way"):
        text_model(odd(loaded_llama().model.config).eval())


def test_states_that_half_precision_cannot_hold_are_refused() -> None:
    model = loaded_llama().model
    with torch.no_grad():
        model.model.layers[0].mlp.down_proj.weight.mul_(1e7)
    with pytest.raises(ConfigError, match="more than half precision holds"):
        text_model(model)


def test_a_bias_of_words_counts() -> None:
    whole = loaded_llama().model
    whole.lm_head.bias = torch.nn.Parameter(torch.randn(whole.config.vocab_size))
    _, inputs = prompt_encoder().encode(situation())
    with torch.no_grad():
        own = whole(input_ids=torch.tensor([inputs.tokens])).logits[0, -1]
        some = torch.tensor([[3, 1, 4]])
        model = text_model(whole)
        hidden = model.network.hidden([inputs], [()])[:, 0]
        torch.testing.assert_close(
            model.network.logits(hidden, some)[0], own[some[0]], atol=0.02, rtol=0
        )


def in_half(sees: bool) -> LmModel:
    if sees:
        loaded = FAMILIES["idefics3"]()
        loaded.model.to(torch.bfloat16)
        return LmModel(VisionNetwork(loaded, rank=2, alpha=4.0), LmConfig())
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
    _, inputs = prompt_encoder().encode(situation())
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.0)
    seen = model.evaluate([inputs] * 2, list(inputs.options[:2]))
    (seen.log_prob.sum() + seen.value_logits.sum()).backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    for name, weight in model.state_dict().items():
        if name.startswith("adapter."):
            assert not torch.equal(weight, before[name]), name
