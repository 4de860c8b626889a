"""Small language models of many families, with random weights: made on the spot, no download."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers
from tests.policies.lm.tiny import tokenizer

LAYERS = 6
_SHAPE = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
_HEADS = {"head_dim": 8, "query_pre_attn_scalar": 8}
_NARROW = 8
"""A window that every prompt is longer than."""


def made(family: str, **settings: Any) -> Any:
    """A causal language model of a family of transformers."""
    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config".replace("Gemma3Config", "Gemma3TextConfig"))
    model = getattr(transformers, _MODELS.get(family, f"{family}ForCausalLM"))
    return model(config(vocab_size=len(tokenizer()), **settings)).eval()


_MODELS = {"GPT2": "GPT2LMHeadModel"}

RIGHT: dict[str, Callable[[], Any]] = {
    "llama": lambda: made("Llama", **_SHAPE),
    "qwen2": lambda: made("Qwen2", **_SHAPE),
    "qwen3": lambda: made("Qwen3", **_SHAPE, head_dim=8),
    "mistral": lambda: made("Mistral", **_SHAPE, sliding_window=_NARROW),
    "granite": lambda: made(
        "Granite",
        **_SHAPE,
        embedding_multiplier=12.0,
        residual_multiplier=0.4,
        attention_multiplier=0.3,
        logits_scaling=3.0,
    ),
    "gemma2": lambda: made(
        "Gemma2", **_SHAPE, **_HEADS, sliding_window=_NARROW, final_logit_softcapping=2.0
    ),
    "gemma3": lambda: made("Gemma3", **_SHAPE, **_HEADS, sliding_window=_NARROW),
    "cohere": lambda: made("Cohere", **_SHAPE, logit_scale=0.25),
}
"""What can be trained, in parts."""

_OLD = {"n_embd": 32, "n_layer": 4, "n_head": 4, "bos_token_id": 0, "eos_token_id": 0}
_NEOX = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
}

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "gpt2": (lambda: made("GPT2", **_OLD), "no list of `layers`"),
    "gpt_neox": (lambda: made("GPTNeoX", **_NEOX), "no `self_attn`"),
    "opt": (
        lambda: made(
            "OPT",
            hidden_size=32,
            ffn_dim=48,
            num_hidden_layers=4,
            num_attention_heads=4,
            word_embed_proj_dim=32,
            init_std=0.3,
        ),
        "in two parts",
    ),
    "phi": (lambda: made("Phi", **_SHAPE), "in two parts"),
}
"""What cannot, and what is said of it."""
