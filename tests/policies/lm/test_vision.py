from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.policies.lm.tiny import prefix_cache, shake, situation
from tests.policies.lm.tiny_vision import FAMILIES

from distrl.config.policies import LmConfig
from distrl.policies.lm.inputs import pack, unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.policies.lm.vision import VisionNetwork
from distrl.types import Picture, Situation


def seen(brightness: int, seed: int = 0) -> Situation:
    return situation(seed=seed, picture=Picture(np.full((40, 24, 3), brightness, np.uint8)))


@pytest.fixture(params=FAMILIES, name="sees")
def _sees(request: pytest.FixtureRequest) -> tuple[LmModel, PromptEncoder]:
    loaded = FAMILIES[request.param]()
    model = LmModel(VisionNetwork(loaded, rank=2, alpha=4.0), LmConfig())
    shake(model)
    return model, PromptEncoder(loaded.tokenizer, LmConfig(), processor=loaded.processor)


def test_another_picture_changes_the_log_prob(sees: tuple[LmModel, PromptEncoder]) -> None:
    model, prompt_encoder = sees
    _, dark = prompt_encoder.encode(seen(0))
    _, bright = prompt_encoder.encode(seen(255))
    assert dark.tokens == bright.tokens
    found = model.evaluate([dark, bright, dark], [dark.options[0]] * 3).log_prob.tolist()
    assert abs(found[0] - found[1]) > 1e-4
    assert found[0] == pytest.approx(found[2], abs=1e-6)


def test_who_learns_computes_the_probability_that_was_acted_with(
    sees: tuple[LmModel, PromptEncoder],
) -> None:
    model, prompt_encoder = sees
    situations = [seen(80 * seed, seed=seed) for seed in range(4)]
    choices = LmPolicy(model, prompt_encoder, prefix_cache()).act(situations)
    found = model.evaluate(
        [unpack(choice.inputs) for choice in choices],
        [choice.decision for choice in choices if choice.decision],
    )
    acted = torch.tensor([choice.log_prob for choice in choices])
    torch.testing.assert_close(found.log_prob.detach(), acted, atol=1e-4, rtol=0)


def test_only_language_layers_are_adapted(sees: tuple[LmModel, PromptEncoder]) -> None:
    names = [name for name in sees[0].state_dict() if name.startswith("adapter.")]
    assert names
    assert not any("vision" in name or "visual" in name for name in names)


def test_pictures_are_stored_with_a_step(sees: tuple[LmModel, PromptEncoder]) -> None:
    _, inputs = sees[1].encode(seen(7))
    again = unpack(pack(inputs))
    assert again.picture is not None
    assert inputs.picture is not None
    assert np.array_equal(again.picture, inputs.picture)
    assert replace(again, picture=None, states=None).tokens == inputs.tokens


def test_without_text_only_the_goal_is_told(sees: tuple[LmModel, PromptEncoder]) -> None:
    _, prompt_encoder = sees
    blind = PromptEncoder(
        prompt_encoder._tokenizer, LmConfig(sees="image"), processor=prompt_encoder._processor
    )
    _, inputs = blind.encode(seen(7))
    text = blind.decode(inputs.tokens)
    assert "Goal: Open the chat with Ann Lee" in text
    assert "Bob" not in text
