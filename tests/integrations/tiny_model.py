"""A language model of a few thousand random weights, with the chat template of Qwen3."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

_SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"),
    *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
)


def save_tiny_model(folder: Path) -> None:
    """Write model and tokenizer as `from_pretrained` reads them; the same at every call."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate((*_SPECIAL, *letters))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(_SPECIAL[:3]))
    tokenizer.add_tokens(list(_SPECIAL[3:]))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=_SPECIAL[2],
        pad_token=_SPECIAL[0],
    )
    template = importlib.resources.files("trl") / "chat_templates" / "qwen3.jinja"
    fast.chat_template = template.read_text("utf-8")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=16384,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
