from __future__ import annotations

import copy

import pytest
import torch
from tests.policies.lm.tiny import (
    llama_model,
    prefix_cache,
    prompt_encoder,
    shake,
    situation,
    tokenizer,
)

from distrl.config.policies import LmConfig
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.types import Choice


def some_choices() -> list[Choice]:
    return LmPolicy(llama_model(), prompt_encoder(), prefix_cache()).act(
        [situation(seed=s) for s in range(5)]
    )


def test_only_adapter_and_critics_are_trained_and_travel() -> None:
    model = llama_model()
    names = model.state_dict().keys()
    assert all("lora" in name for name in names if name.startswith("adapter."))
    assert {name.split(".")[0] for name in names} == {"adapter", "heads"}
    frozen = sum(weight.numel() for weight in model.network.whole.parameters())
    assert sum(weight.numel() for weight in model.parameters()) < frozen


def test_only_the_top_layers_are_adapted() -> None:
    model = llama_model(top=1)
    adapted = {name for name in model.state_dict() if name.startswith("adapter.")}
    assert adapted
    assert all("layers.3." in name for name in adapted)


def test_a_new_adapter_changes_nothing() -> None:
    model = llama_model()
    _, inputs = prompt_encoder().encode(situation())
    with torch.no_grad():
        for name, weight in model._trained().items():
            if "lora_B" in name:
                weight.zero_()
        adapted = model.evaluate([inputs], [inputs.options[0]]).log_prob
        for name, weight in model._trained().items():
            if "lora_A" in name:
                weight.mul_(3.0)
        again = model.evaluate([inputs], [inputs.options[0]]).log_prob
    torch.testing.assert_close(adapted, again)


def test_every_weight_of_the_adapter_has_a_gradient() -> None:
    model, choices = llama_model(), some_choices()
    seen = model.evaluate(
        [unpack(c.inputs) for c in choices], [c.decision for c in choices if c.decision]
    )
    seen.log_prob.sum().backward()  # type: ignore[no-untyped-call]
    for name, weight in model._trained().items():
        moved = weight.grad is not None and bool(weight.grad.abs().sum() > 0)
        assert moved == name.startswith("adapter."), name


def test_critics_learn_without_moving_the_policy() -> None:
    model, choices = llama_model(), some_choices()
    inputs = [unpack(c.inputs) for c in choices]
    seen = model.evaluate(inputs, [c.decision for c in choices if c.decision])
    loss = seen.value_logits.square().sum() + model.goal_logits(inputs).square().sum()
    loss.backward()  # type: ignore[no-untyped-call]
    for name, weight in model._trained().items():
        assert (weight.grad is not None) == name.startswith("heads."), name


def test_the_goal_critic_reads_the_goal_alone() -> None:
    model, encoder = llama_model(), prompt_encoder()
    _, one = encoder.encode(situation("Open the chat with Ann Lee", labels=("Ann",)))
    _, same = encoder.encode(situation("Open the chat with Ann Lee", labels=("Bob", "Search")))
    _, other = encoder.encode(situation("Open the chat with Bob", labels=("Ann",)))
    logits = model.goal_logits([one, same, other]).tolist()
    assert logits[0] == pytest.approx(logits[1])
    assert logits[0] != pytest.approx(logits[2])


def test_the_goal_critic_does_not_read_what_every_prompt_starts_with() -> None:
    encoder = PromptEncoder(tokenizer(), LmConfig(brief=False))
    _, inputs = encoder.encode(situation("Open the chat with Ann Lee"))
    said = encoder.decode(inputs.tokens[inputs.lead : inputs.lead + inputs.goal])
    assert said == "Goal: Open the chat with Ann Lee\n"


def test_a_copy_has_weights_of_its_own_and_shares_the_frozen_ones() -> None:
    model = llama_model()
    twin = copy.deepcopy(model)
    _, inputs = prompt_encoder().encode(situation())
    before = model.evaluate([inputs], [inputs.options[0]]).log_prob
    shake(twin, seed=5)
    torch.testing.assert_close(model.evaluate([inputs], [inputs.options[0]]).log_prob, before)
    assert not torch.allclose(twin.evaluate([inputs], [inputs.options[0]]).log_prob, before)
    assert twin.network.embeddings is model.network.embeddings


def test_checkpointed_passes_have_the_same_gradients() -> None:
    choices = some_choices()
    found = []
    for gradient_checkpointing in (False, True):
        model = llama_model(gradient_checkpointing=gradient_checkpointing, micro_batch=2)
        seen = model.evaluate(
            [unpack(c.inputs) for c in choices], [c.decision for c in choices if c.decision]
        )
        seen.log_prob.sum().backward()  # type: ignore[no-untyped-call]
        found.append([w.grad.clone() for w in model.parameters() if w.grad is not None])
    assert len(found[0]) == len(found[1]) > 0
    for plain, again in zip(*found, strict=True):
        torch.testing.assert_close(plain, again)


def test_weights_of_another_adapter_are_refused() -> None:
    with pytest.raises(KeyError, match="do not fit"):
        llama_model(top=2).load_state_dict(llama_model(top=1).state_dict())


def test_a_decision_that_is_no_option_has_no_probability() -> None:
    _, inputs = prompt_encoder().encode(situation())
    wrong = (inputs.options[0][0], 5, *inputs.options[0][2:])
    seen = llama_model().evaluate([inputs], [(5, *wrong[1:])])
    assert torch.isnan(seen.log_prob).all()
