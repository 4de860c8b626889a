"""Exports the sentence encoder to ONNX, so that a device can embed text that is in no table.

    text --tokenizer.json--> tokens [B, T]  ->  text.onnx  ->  early, late [B, T, DIMENSIONS]

`text_encoder.py` turns the two outputs into vectors of labels and of goal words.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from distrl.policies.pointer.export.network_onnx import (
    OPSET,
    need,
    one_core_session,
    silence_exporter,
)
from distrl.policies.pointer.text_encoder import EARLY_LAYER, MAX_TOKENS, Read, model_folder

TOKENIZER = "tokenizer.json"
_NAMES = ("input_ids", "attention_mask")
_EXAMPLES = ("Open the chat with Ann Lee", "Settings", "7:05 AM, alarm on")


class _Layers(nn.Module):
    """Maps tokens to the hidden states of the two layers that are used."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        layers = self.model(
            input_ids=input_ids, attention_mask=attention_mask, output_hidden_states=True
        ).hidden_states
        return layers[EARLY_LAYER], layers[-1]


def export_text_encoder(path: Path) -> None:
    """Write the encoder to `path`, for any number of texts and tokens, and its tokenizer.

    ConfigError if a needed package is missing.
    """
    need("onnx", "onnxscript")
    import transformers
    from torch.export import Dim

    transformers.utils.logging.disable_progress_bar()
    folder = model_folder()
    shutil.copyfile(folder / TOKENIZER, path.with_name(TOKENIZER))
    # Eager attention: the fused one cannot be exported with dynamic sizes.
    model: Any = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager")
    ids, mask, _ = _tokens(_tokenizer(path.with_name(TOKENIZER)), _EXAMPLES)
    sizes = {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}
    with torch.no_grad(), silence_exporter():
        program = torch.onnx.export(
            _Layers(model.eval()).eval(),
            (torch.from_numpy(ids), torch.from_numpy(mask)),
            dynamo=True,
            opset_version=OPSET,
            input_names=list(_NAMES),
            output_names=["early", "late"],
            dynamic_shapes=(sizes, sizes),
            verbose=False,
        )
        assert program is not None
        program.save(str(path), external_data=False)


class OnnxEncodeTexts:
    """Runs an exported encoder on one core; for `TextEncoder(load=...)`."""

    def __init__(self, path: Path) -> None:
        """Load the network and the tokenizer beside it."""
        self._session = one_core_session(path)
        self._tokenizer = _tokenizer(path.with_name(TOKENIZER))

    def __call__(self, texts: Sequence[str]) -> list[Read]:
        """Hidden states of each text, without special tokens."""
        # One by one, so that a text's vectors do not depend on the padding of a batch.
        return [self._read(text or ".") for text in texts]

    def _read(self, text: str) -> Read:
        ids, mask, offsets = _tokens(self._tokenizer, (text,))
        early, late = self._session.run(
            ["early", "late"], dict(zip(_NAMES, (ids, mask), strict=True))
        )
        return Read(early[0, 1:-1], late[0, 1:-1], offsets[0, 1:-1])


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()
    return tokenizer


def _tokens(tokenizer: Any, texts: Sequence[str]) -> tuple[Any, Any, Any]:
    """Ids, attention masks and character offsets of tokens, a row per text."""
    read = tokenizer.encode_batch(list(texts))
    return (
        np.array([one.ids for one in read], np.int64),
        np.array([one.attention_mask for one in read], np.int64),
        np.array([one.offsets for one in read], np.int64),
    )
