from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.policies.lm.tiny import llama_model, prefix_cache, prompt_encoder, shake, situation

from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.text_actions import INVALID, parse_action
from distrl.types import Situation


def several(count: int = 6) -> list[Situation]:
    """Prompts of different lengths, so that some of them are padded."""
    return [
        situation(labels=tuple(f"Item {k}" for k in range(1 + n)), seed=n) for n in range(count)
    ]


@pytest.mark.parametrize("constrained", [True, False])
@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_who_learns_computes_the_probability_that_was_acted_with(
    constrained: bool, temperature: float
) -> None:
    model = llama_model(constrained=constrained, temperature=temperature)
    choices = LmPolicy(model, prompt_encoder(), prefix_cache()).act(several())
    seen = model.evaluate(
        [unpack(choice.inputs) for choice in choices],
        [choice.decision for choice in choices if choice.decision],
    )
    acted = torch.tensor([choice.log_prob for choice in choices])
    assert (acted < -0.1).any()
    torch.testing.assert_close(seen.log_prob.detach(), acted, atol=1e-4, rtol=0)
    entropies = torch.tensor([choice.entropy for choice in choices])
    torch.testing.assert_close(seen.entropy.detach(), entropies, atol=1e-4, rtol=0)
    values = torch.tensor([choice.value for choice in choices])
    assert values.std() > 1e-4
    wanted = torch.sigmoid(seen.value_logits.detach()).amin(1)
    torch.testing.assert_close(values, wanted, atol=1e-4, rtol=0)


def test_the_probability_is_the_same_without_stored_states() -> None:
    model = llama_model()
    choices = LmPolicy(model, prompt_encoder(), prefix_cache()).act(several())
    inputs = [unpack(choice.inputs) for choice in choices]
    decisions = [choice.decision for choice in choices if choice.decision]
    stored = model.evaluate(inputs, decisions)
    again = model.evaluate([replace(step, states=None) for step in inputs], decisions)
    assert all(step.states is not None for step in inputs)
    torch.testing.assert_close(again.log_prob, stored.log_prob, atol=1e-3, rtol=0)


def test_probabilities_of_all_actions_add_up_to_one() -> None:
    model = llama_model()
    _, inputs = prompt_encoder().encode(situation())
    with torch.no_grad():
        seen = model.evaluate([inputs] * len(inputs.options), inputs.options)
    assert float(seen.log_prob.exp().sum()) == pytest.approx(1.0, abs=1e-4)
    assert float(seen.invalid.abs().max()) == 0.0


def test_constrained_writing_gives_only_actions_that_can_be_carried_out() -> None:
    policy = LmPolicy(llama_model(), prompt_encoder(), prefix_cache())
    for choice in policy.act([situation(seed=seed) for seed in range(24)]):
        assert choice.action != INVALID


def test_free_writing_of_a_random_model_is_mostly_no_action() -> None:
    policy = LmPolicy(llama_model(constrained=False), prompt_encoder(), prefix_cache())
    choices = policy.act([situation(seed=seed) for seed in range(12)])
    assert any(choice.action == INVALID for choice in choices)
    assert all(choice.decision and choice.log_prob is not None for choice in choices)


def test_free_writing_knows_how_likely_it_is_to_go_wrong() -> None:
    model = llama_model(constrained=False)
    _, inputs = prompt_encoder().encode(situation())
    seen = model.evaluate([inputs], [inputs.options[0]])
    assert 0.5 < float(seen.invalid.detach()) <= 1.0
    assert seen.invalid.requires_grad


def test_a_choice_does_not_depend_on_who_else_is_decided_for() -> None:
    policy = LmPolicy(llama_model(), prompt_encoder(), prefix_cache())
    situations = several()
    together = policy.act(situations)
    alone = [policy.act([one])[0] for one in situations]
    assert [choice.decision for choice in together] == [choice.decision for choice in alone]


def test_a_prompt_that_comes_again_is_not_read_again() -> None:
    kept = prefix_cache()
    policy = LmPolicy(llama_model(), prompt_encoder(), kept)
    first = policy.act([situation(seed=1)])
    assert (kept.hits, kept.misses) == (0, 1)
    assert policy.act([situation(seed=1)])[0].decision == first[0].decision
    assert (kept.hits, kept.misses) == (1, 1)


def test_the_prefix_cache_evicts_the_least_recently_used_prompt() -> None:
    kept = PrefixCache(1)
    policy = LmPolicy(llama_model(), prompt_encoder(), kept)
    policy.act([situation("Open one")])
    policy.act([situation("Open two")])
    policy.act([situation("Open one")])
    assert kept.hits == 0


def test_greedy_takes_the_likeliest_token_whatever_the_seed() -> None:
    policy = LmPolicy(llama_model(), prompt_encoder(), prefix_cache(), greedy=True)
    decisions = {choice.decision for choice in policy.act([situation(seed=s) for s in range(8)])}
    assert len(decisions) == 1


def test_drawn_actions_come_as_often_as_their_probability_says() -> None:
    model, encoder = llama_model(), prompt_encoder()
    policy = LmPolicy(model, encoder, prefix_cache())
    _, inputs = encoder.encode(situation())
    with torch.no_grad():
        seen = model.evaluate([inputs] * len(inputs.options), inputs.options)
    likeliest = int(seen.log_prob.argmax())
    chance = float(seen.log_prob[likeliest].exp())
    draws = 400
    choices = policy.act([situation(seed=seed) for seed in range(draws)])
    share = sum(choice.decision == inputs.options[likeliest] for choice in choices) / draws
    assert share == pytest.approx(chance, abs=4 * (chance * (1 - chance) / draws) ** 0.5)


def test_loaded_weights_are_used_and_named() -> None:
    policy = LmPolicy(llama_model(), prompt_encoder(), prefix_cache(), greedy=True)
    other = llama_model()
    shake(other, seed=7)
    before = policy.act([situation()])[0]
    policy.load(other.state_dict(), 3, "abc")
    after = policy.act([situation()])[0]
    assert (after.version, after.digest) == (3, "abc")
    assert after.log_prob != pytest.approx(before.log_prob, abs=1e-6)


def test_what_is_written_can_be_read_back() -> None:
    encoder = prompt_encoder()
    prompt, inputs = encoder.encode(situation())
    for text, tokens in zip(prompt.options, inputs.options, strict=True):
        assert encoder.decode(tokens).strip() == text
        assert parse_action(encoder.decode(tokens), prompt.elements) is not None
