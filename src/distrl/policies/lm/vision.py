"""Models that see: prompts with a picture in them, one after another.

Pictures differ in how many tokens they become, and each family of models counts their places in a
way of its own. So every prompt passes alone, with a cache of its own while it is written on.
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
from distrl.policies.lm.network import Adapted, adapt, decoder_of
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.lm.split_check import listen, require_same_words

_PROBE = "Goal: Open the chat"
_PLACES = "rope_deltas"
"""Where some models remember how far a picture has moved the places after it."""


class VisionNetwork(Adapted):
    """An image-text-to-text model with an adapter on its language layers."""

    def __init__(self, loaded: Loaded, *, rank: int, alpha: float) -> None:
        """Adapt a model, which is changed by it.

        ConfigError for a family of models that scores words in a way of its own.
        """
        self.whole = loaded.model
        self._require_likeness(loaded.tokenizer)
        self._pictures = loaded.processor.image_processor
        self._picture_token = int(loaded.processor.image_token_id)
        adapt(self.whole, layers=None, rank=rank, alpha=alpha)
        self.width = int(decoder_of(self.whole).config.hidden_size)

    @torch.no_grad()
    def _require_likeness(self, tokenizer: Any) -> None:
        """Only scores of words are computed otherwise than the model does it."""
        ids = tokenizer(_PROBE, add_special_tokens=False, return_tensors="pt").input_ids
        said = listen(self.whole, decoder_of(self.whole), ids.to(self.embeddings.device))
        require_same_words(self.whole, said, self.logits(said.hidden.float()))

    def hidden(self, inputs: Sequence[LmInputs], written: Sequence[Tokens]) -> Tensor:
        """[B, 1 + most written, width] after each prompt and each token that was written."""
        rows = []
        for step, tokens in zip(inputs, written, strict=True):
            out = self.whole.model(**self.read(step, tokens), use_cache=False).last_hidden_state
            rows.append(out[0, len(step.tokens) - 1 :])
        return pad_sequence(rows, batch_first=True).float()

    def read(self, step: LmInputs, written: Tokens = ()) -> dict[str, Tensor]:
        """A prompt and what was written after it, as the model takes them."""
        device = self.embeddings.device
        ids = torch.tensor([[*step.tokens, *written]], device=device)
        read = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if step.picture is None:
            return read
        seen = self._pictures(images=[Image.fromarray(step.picture)], return_tensors="pt")
        read |= {name: value.to(device) for name, value in seen.items() if torch.is_tensor(value)}
        read["pixel_values"] = read["pixel_values"].to(self.embeddings.dtype)
        if "image_grid_thw" in read:
            read["mm_token_type_ids"] = (ids == self._picture_token).int()
        return read

    def generation(self, inputs: Sequence[LmInputs], memory: PrefixCache) -> VisionGeneration:
        """Prompts to go on writing after; nothing in them is frozen, so nothing is remembered."""
        del memory
        return VisionGeneration(self, inputs)


class VisionGeneration:
    """Prompts one by one, each with a cache of its own."""

    def __init__(self, network: VisionNetwork, inputs: Sequence[LmInputs]) -> None:
        """Read the prompts; `hidden` [B, width] is where each of them has come to."""
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
        """Go on with tokens of each row, none for some of them, and move `hidden`."""
        rows = [self._fed(row, new) if new else self.hidden[row] for row, new in enumerate(tokens)]
        self.hidden = torch.stack(rows)

    def _fed(self, row: int, tokens: Tokens) -> Tensor:
        if self._places[row] is not None:
            setattr(self._model, _PLACES, self._places[row])
        # No mask: nothing is padded, and with one, some models count places from the start again.
        out = self._model(
            input_ids=torch.tensor([tokens], device=self._device),
            past_key_values=self._caches[row],
            use_cache=True,
        )
        last: Tensor = out.last_hidden_state[0, -1].float()
        return last

    def states(self, row: int) -> None:
        """Nothing below the adapter is worth keeping: all layers have it."""
        del row
