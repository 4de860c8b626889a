"""Small language models with random weights, made on the spot: real architectures, no download."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

pytest.importorskip("peft")

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from distrl.actions import Direction
from distrl.config.policies import LmConfig
from distrl.policies.lm.loading import Loaded
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.network import TextNetwork
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.types import Element, Observation, Picture, Situation

END = "<end>"
_CORPUS = (
    "Goal: Open the chat with Ann Lee\nApp: messages\nSteps left: 5\n1 button item switch field",
    *(f" tap({n}) long_press({n}) swipe({n}, up) swipe(left)" for n in range(10)),
    " press(back) press(home) press(enter) wait() complete() infeasible() Action: Done:",
    *(f" swipe({direction})" for direction in Direction),
)


@cache
def tokenizer(*extra: str) -> Any:
    """A tokeniser of a few hundred tokens, and of marks such as that of a picture."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=[END, *extra],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(_CORPUS, trainer)
    fast: Any = PreTrainedTokenizerFast
    return fast(tokenizer_object=made, eos_token=END, pad_token=END)


def loaded_llama(seed: int = 0) -> Loaded:
    """A Llama of four layers."""
    torch.manual_seed(seed)
    reads = tokenizer()
    config = LlamaConfig(
        vocab_size=len(reads),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        eos_token_id=0,
        bos_token_id=0,
        pad_token_id=0,
        initializer_range=0.3,
    )
    llama: Any = LlamaForCausalLM
    return Loaded(llama(config).eval(), reads)


def llama_model(seed: int = 0, *, top: int = 2, **settings: Any) -> LmModel:
    """The same as a model that can be trained; its adapter does something already."""
    network = TextNetwork(loaded_llama(seed).model, top=top, rank=2, alpha=4.0)
    model = LmModel(network, LmConfig(**settings))
    shake(model)
    return model


def shake(model: LmModel, seed: int = 0) -> None:
    """Random weights everywhere: a new adapter is made to do nothing."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.1 * torch.randn_like(weight))


def prompt_encoder() -> PromptEncoder:
    """Reads for `llama_model`."""
    return PromptEncoder(tokenizer(), LmConfig())


def prefix_cache() -> PrefixCache:
    """Room enough."""
    return PrefixCache(2**26)


def situation(
    goal: str = "Open the chat with Ann Lee",
    *,
    labels: tuple[str, ...] = ("Search", "Ann Lee", "Bob"),
    seed: int = 0,
    picture: Picture | None = None,
) -> Situation:
    """A screen with some items, one below the other."""
    import numpy as np

    elements = tuple(
        Element(role="item", text=label, bounds=(0.0, k / 10, 1.0, (k + 1) / 10))
        for k, label in enumerate(labels)
    )
    blank = picture or Picture(np.zeros((32, 24, 3), np.uint8))
    return Situation(
        goal=goal,
        observation=Observation(blank, elements, keyboard=False, app="messages"),
        history=(),
        steps_left=5,
        seed=seed,
    )
