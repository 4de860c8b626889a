"""Whether a model that is used in parts says what it says as a whole.

Families of models differ in what they do before, between and after their layers. A short prompt
passes a model as it came, and again as it is used here, while its adapter does nothing yet. What
then differs would differ in training, and nobody would notice: it is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from distrl.errors import ConfigError

_TOKENS = 16
"""Of the prompt: enough for places to matter, and read in no time."""
_SLACK = 1e-4
"""Of single precision, relative to the largest number: the same sums in another order."""
_ROUNDINGS = 4
"""Of a coarser precision: scores of words are rounded when they are added up, scaled and capped,
and here they are not rounded at all."""
_KNOWN = "Llama, Qwen2, Qwen3, Mistral, Granite or Gemma 3"


@dataclass(frozen=True, slots=True)
class Said:
    """What a model makes of a prompt."""

    tokens: Tensor
    """[1, tokens] of the prompt."""
    hidden: Tensor
    """[tokens, width] after the last layer."""
    logits: Tensor
    """[tokens, vocabulary] of the words that may come next."""


def probe(embeddings: Tensor) -> Tensor:
    """[1, tokens] from all over a vocabulary."""
    return torch.linspace(1, len(embeddings) - 1, _TOKENS, device=embeddings.device).long()[None]


@torch.no_grad()
def listen(model: Any, decoder: Any, tokens: Tensor) -> Said:
    """Let a model of transformers read a prompt."""
    passed: list[Tensor] = []
    hook = decoder.register_forward_hook(lambda *seen: passed.append(seen[-1].last_hidden_state))
    try:
        logits = model(input_ids=tokens, use_cache=False).logits
    finally:
        hook.remove()
    return Said(tokens, passed[-1][0], logits[0].float())


def require_same_hidden(model: Any, said: Said, hidden: Tensor, *, instead: str = "") -> None:
    """ConfigError unless the layers of a model, taken apart, make [tokens, width] of it."""
    size = float(said.hidden.float().abs().max())
    apart = float((said.hidden.float() - hidden.float()).abs().max())
    if not apart <= slack_of(said.hidden.dtype) * size:
        raise refusal(
            model,
            f"its layers come to something else when they are passed in two parts "
            f"({apart:.2g} where the largest number is {size:.2g})",
            instead=instead,
        )


def require_same_words(model: Any, said: Said, logits: Tensor) -> None:
    """ConfigError unless words are as likely by [tokens, vocabulary] as the model says."""
    size = max(1.0, float(said.logits.abs().max()))
    own, here = said.logits.log_softmax(-1), logits.log_softmax(-1)
    apart = float((own - here).abs().max())
    if not apart <= slack_of(said.hidden.dtype) * size:
        raise refusal(
            model,
            f"it scores words in a way that is not known here (log-probabilities differ by "
            f"{apart:.2g})",
        )


def slack_of(dtype: torch.dtype) -> float:
    """How far numbers of one type may be apart, relative to the largest of them."""
    return max(_SLACK, _ROUNDINGS * torch.finfo(dtype).eps)


def refusal(model: Any, why: str, *, instead: str = "") -> ConfigError:
    """The error for a family of models that cannot be used, and what can."""
    ways = [instead] if instead else []
    ways.append(f"take a model of another family, such as {_KNOWN}")
    return ConfigError(
        f"policy.lm.model is a {type(model).__name__}, which cannot be trained here: {why}; "
        f"{', or '.join(ways)}"
    )
