"""A server of adapters with plain peft behind it: nothing of what it computes is ours."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import peft
import torch
from tests.policies.lm.tiny import loaded_llama

from distrl.policies.lm.loading import Loaded

_SECONDS = 600.0


def even_llama() -> Loaded:
    """A Llama whose embeddings have no digits beyond half precision.

    What we hand from frozen layers to adapted ones is rounded so. With an adapter on all layers
    that leaves the embeddings, and then there is no difference to a server that rounds nothing.
    """
    loaded = loaded_llama()
    with torch.no_grad():
        weight = loaded.model.get_input_embeddings().weight
        weight.copy_(weight.half().float())
    return loaded


class PeftWriter:
    """Writes token by token with whatever adapter a request names."""

    def __init__(self, *, temperate: bool = True) -> None:
        """A server that is not `temperate` tells log-probabilities before their temperature."""
        self._base = even_llama().model
        self._model: Any = None
        # One thread for all requests: each that computes brings helpers, who spin for the cores.
        self._thread = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
        self._temperate = temperate

    def write(self, asked: Mapping[str, Any], adapter: Path) -> list[tuple[int, float]]:
        """Draw by the seed of the request."""
        return self._thread.submit(self._write, asked, adapter).result(_SECONDS)

    def _write(self, asked: Mapping[str, Any], adapter: Path) -> list[tuple[int, float]]:
        with torch.no_grad():
            self._use(adapter)
            draws = torch.Generator().manual_seed(asked["seed"])
            written: list[tuple[int, float]] = []
            while len(written) < asked["max_tokens"]:
                tokens = [*asked["prompt"], *(token for token, _ in written)]
                logits = self._model(input_ids=torch.tensor([tokens])).logits[0, -1]
                chances = (logits / asked["temperature"]).log_softmax(-1)
                told = chances if self._temperate else logits.log_softmax(-1)
                token = int(torch.multinomial(chances.exp(), 1, generator=draws))
                written.append((token, float(told[token])))
                if token in asked["stop_token_ids"]:
                    break
            return written

    def _use(self, folder: Path) -> None:
        library: Any = peft
        if self._model is None:
            kind = library.PeftModel
            self._model = kind.from_pretrained(self._base, folder, adapter_name=folder.name)
        elif folder.name not in self._model.peft_config:
            self._model.load_adapter(folder, adapter_name=folder.name)
        self._model.set_adapter(folder.name)
