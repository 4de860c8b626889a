"""Checks that a model split into frozen and adapted layers computes what the whole model does.

Families of models differ in what they do before, between and after their layers: scaling, soft
caps, masks. At start a short prompt passes the original model and the split one, whose adapter is
still the identity. If the outputs differ, training would silently be wrong: it is a ConfigError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from distrl.errors import ConfigError

_PROBE_TOKENS = 16
"""Long enough for positions and masks to matter, short enough to cost nothing at start."""
_TOLERANCE = 1e-4
"""In single precision, relative to the largest value: sums are taken in another order."""
_ROUNDINGS = 4
"""Tolerance in coarser types, in units of their epsilon: the model rounds its logits when they are
summed, scaled and capped, while here they are computed in single precision."""
_KNOWN = "Llama, Qwen2, Qwen3, Mistral, Granite or Gemma 3"


@dataclass(frozen=True, slots=True)
class ReferenceOutputs:
    """Outputs of the unmodified model for the probe prompt."""

    tokens: Tensor
    """[1, tokens] the prompt."""
    hidden: Tensor
    """[tokens, width] after the last layer."""
    logits: Tensor
    """[tokens, vocabulary] of the next token."""


def probe_tokens(embeddings: Tensor) -> Tensor:
    """[1, tokens] a prompt of tokens from all over the vocabulary."""
    return torch.linspace(1, len(embeddings) - 1, _PROBE_TOKENS, device=embeddings.device).long()[
        None
    ]


@torch.no_grad()
def reference_outputs(model: Any, decoder: Any, tokens: Tensor) -> ReferenceOutputs:
    """Run a prompt through a transformers model as it is."""
    passed: list[Tensor] = []
    # A hook, since families differ in whether and how they return the decoder's last state.
    hook = decoder.register_forward_hook(lambda *seen: passed.append(seen[-1].last_hidden_state))
    try:
        logits = model(input_ids=tokens, use_cache=False).logits
    finally:
        hook.remove()
    return ReferenceOutputs(tokens, passed[-1][0], logits[0].float())


def require_same_hidden(
    model: Any, reference: ReferenceOutputs, hidden: Tensor, *, instead: str = ""
) -> None:
    """ConfigError unless `hidden`, from the split layers, equals the reference."""
    size = float(reference.hidden.float().abs().max())
    apart = float((reference.hidden.float() - hidden.float()).abs().max())
    if not apart <= tolerance_of(reference.hidden.dtype) * size:
        raise unsupported(
            model,
            f"its layers come to something else when they are passed in two parts "
            f"({apart:.2g} where the largest number is {size:.2g})",
            instead=instead,
        )


def require_same_logits(model: Any, reference: ReferenceOutputs, logits: Tensor) -> None:
    """ConfigError unless the log-probabilities of `logits` equal those of the reference."""
    # Log-probabilities, not logits, are compared: a constant shift of logits does no harm.
    size = max(1.0, float(reference.logits.abs().max()))
    own, here = reference.logits.log_softmax(-1), logits.log_softmax(-1)
    apart = float((own - here).abs().max())
    if not apart <= tolerance_of(reference.hidden.dtype) * size:
        raise unsupported(
            model,
            f"it scores words in a way that is not known here (log-probabilities differ by "
            f"{apart:.2g})",
        )


def tolerance_of(dtype: torch.dtype) -> float:
    """The largest accepted difference for a type, relative to the largest value."""
    return max(_TOLERANCE, _ROUNDINGS * torch.finfo(dtype).eps)


def unsupported(model: Any, why: str, *, instead: str = "") -> ConfigError:
    """The ConfigError for an unsupported family of models, with what to do instead."""
    ways = [instead] if instead else []
    ways.append(f"take a model of another family, such as {_KNOWN}")
    return ConfigError(
        f"policy.lm.model is a {type(model).__name__}, which cannot be trained here: {why}; "
        f"{', or '.join(ways)}"
    )
