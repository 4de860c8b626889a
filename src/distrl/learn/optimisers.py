"""What turns gradients into steps: AdamW, with its two averages in 32 or in 8 bits."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import torch
from torch import nn

from distrl.errors import ConfigError

_WEIGHT_DECAY = 1e-2


class OptimiserKind(StrEnum):
    """In what the averages of gradients are kept."""

    ADAMW = "adamw"
    """In the numbers of the weights."""
    ADAMW_8BIT = "adamw_8bit"
    """In blocks of 8 bits, a quarter of the memory; weights of fewer than 4,096 numbers are left
    alone. It needs bitsandbytes."""


def make_optimiser(
    kind: OptimiserKind, weights: Iterable[nn.Parameter], learning_rate: float
) -> torch.optim.Optimizer:
    """An optimiser of these weights; ConfigError when what it needs is not installed."""
    if kind is OptimiserKind.ADAMW:
        return torch.optim.AdamW(weights, lr=learning_rate, weight_decay=_WEIGHT_DECAY)
    library = require_bitsandbytes()
    made: torch.optim.Optimizer = library.optim.AdamW8bit(
        weights, lr=learning_rate, weight_decay=_WEIGHT_DECAY
    )
    return made


def require_bitsandbytes() -> Any:
    """The package; ConfigError when it is not installed."""
    try:
        import bitsandbytes
    except ImportError:
        raise ConfigError(
            f"algorithm.optimiser={OptimiserKind.ADAMW_8BIT.value} needs bitsandbytes: "
            "pip install 'distrl[bitsandbytes]'"
        ) from None
    return bitsandbytes
