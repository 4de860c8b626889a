"""AdamW with its two moments in the weights' precision or in 8 bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from distrl.config.learn import OptimiserKind
from distrl.errors import ConfigError

_WEIGHT_DECAY = 1e-2
"""The default of both libraries, written down so that the kind changes nothing but precision."""


def make_optimiser(
    kind: OptimiserKind, weights: Iterable[nn.Parameter], learning_rate: float
) -> torch.optim.Optimizer:
    """Build an optimiser of these weights; ConfigError if the package it needs is missing."""
    if kind is OptimiserKind.ADAMW:
        return adamw(weights, learning_rate)
    library = require_bitsandbytes()
    made: torch.optim.Optimizer = library.optim.AdamW8bit(
        weights, lr=learning_rate, weight_decay=_WEIGHT_DECAY
    )
    return made


def adamw(weights: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.AdamW:
    """AdamW in the weights' precision, one operation for all of them."""
    return torch.optim.AdamW(weights, learning_rate, weight_decay=_WEIGHT_DECAY, fused=True)


def require_bitsandbytes() -> Any:
    """Import bitsandbytes; ConfigError if it is not installed."""
    try:
        import bitsandbytes
    except ImportError:
        raise ConfigError(
            f"algorithm.optimiser={OptimiserKind.ADAMW_8BIT.value} needs bitsandbytes: "
            "pip install 'distrl[bitsandbytes]'"
        ) from None
    return bitsandbytes
