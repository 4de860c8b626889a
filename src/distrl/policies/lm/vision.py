"""Vision-language models: prompts with a screenshot, passed one at a time.

Pictures become different numbers of tokens, and each family of models computes their position ids
in its own way. So prompts are not batched; each has a KV cache of its own while it is decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from PIL import Image
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.loading import Loaded
from distrl.policies.lm.network import AdaptedModel, adapt, decoder_of
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.lm.split_check import reference_outputs, require_same_logits

_PROBE = "Goal: Open the chat"
_PLACES = "rope_deltas"
"""Attribute in which some models keep the position offset that a picture causes."""


class VisionNetwork(AdaptedModel):
    """An image-text-to-text model with an adapter on its language layers."""

    def __init__(self, loaded: Loaded, *, rank: int, alpha: float) -> None:
        """Put an adapter on all language layers of a model, in place.

        ConfigError for a family of models whose logits are computed in an unknown way.
        """
        self.whole = loaded.model
        self._require_same_outputs(loaded.tokenizer)
        self._pictures = loaded.processor.image_processor
        self._picture_token = int(loaded.processor.image_token_id)
        adapt(self.whole, layers=None, rank=rank, alpha=alpha)
        self.width = int(decoder_of(self.whole).config.hidden_size)

    @torch.no_grad()
    def _require_same_outputs(self, tokenizer: Any) -> None:
        """ConfigError if `logits` differs from the model's own output layer."""
        ids = tokenizer(_PROBE, add_special_tokens=False, return_tensors="pt").input_ids
        reference = reference_outputs(
            self.whole, decoder_of(self.whole), ids.to(self.embeddings.device)
        )
        require_same_logits(self.whole, reference, self.logits(reference.hidden.float()))

    def hidden(self, inputs: Sequence[LmInputs], written: Sequence[Tokens]) -> Tensor:
        """[B, 1 + longest, width] hidden states after each prompt and each written token."""
        rows = []
        for step, tokens in zip(inputs, written, strict=True):
            out = self.whole.model(**self.read(step, tokens), use_cache=False).last_hidden_state
            rows.append(out[0, len(step.tokens) - 1 :])
        return pad_sequence(rows, batch_first=True).float()

    def read(self, step: LmInputs, written: Tokens = ()) -> dict[str, Tensor]:
        """Keyword arguments of the model for a prompt and the tokens written after it."""
        device = self.embeddings.device
        ids = torch.tensor([[*step.tokens, *written]], device=device)
        read = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if step.picture is None:
            return read
        seen = self._pictures(images=[Image.fromarray(step.picture)], return_tensors="pt")
        read |= {name: value.to(device) for name, value in seen.items() if torch.is_tensor(value)}
        read["pixel_values"] = read["pixel_values"].to(self.embeddings.dtype)
        # The Qwen-VL family derives its position ids from these.
        if "image_grid_thw" in read:
            read["mm_token_type_ids"] = (ids == self._picture_token).int()
        return read

    def generation(self, inputs: Sequence[LmInputs], prefix_cache: PrefixCache) -> VisionGeneration:
        """Start decoding. All layers have the adapter, so no prefix can be cached."""
        del prefix_cache
        return VisionGeneration(self, inputs)


class VisionGeneration:
    """Decodes prompts one by one, each with its own KV cache."""

    def __init__(self, network: VisionNetwork, inputs: Sequence[LmInputs]) -> None:
        """Read the prompts; `hidden` [B, width] is the last state of each."""
        self._model: Any = network.whole.model
        self._device = network.embeddings.device
        self._caches: list[Any] = []
        self._places: list[Any] = []
        rows = []
        for step in inputs:
            out = self._model(**network.read(step), use_cache=True)
            self._caches.append(out.past_key_values)
            self._places.append(getattr(self._model, _PLACES, None))
            rows.append(out.last_hidden_state[0, -1].float())
        self.hidden: Tensor = torch.stack(rows)

    def feed(self, tokens: Sequence[Tokens]) -> None:
        """Append tokens to each row (possibly none) and update `hidden`."""
        rows = [self._fed(row, new) if new else self.hidden[row] for row, new in enumerate(tokens)]
        self.hidden = torch.stack(rows)

    def _fed(self, row: int, tokens: Tokens) -> Tensor:
        # The model keeps this offset in itself, where the prompt read last has overwritten it.
        if self._places[row] is not None:
            setattr(self._model, _PLACES, self._places[row])
        # No mask: nothing is padded, and with one some models would restart their position ids.
        out = self._model(
            input_ids=torch.tensor([tokens], device=self._device),
            past_key_values=self._caches[row],
            use_cache=True,
        )
        last: Tensor = out.last_hidden_state[0, -1].float()
        return last

    def states(self, row: int) -> None:
        """None: no layer is below the adapter."""
        del row
