"""A learner's state as named tensors (safetensors) and JSON values, without pickle.

`flatten` splits a tree of dicts, lists, tensors and numbers into its tensors, by path, and a JSON
remainder. `unflatten` restores the same tree: tuples stay tuples, keys keep their types.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

# JSON has neither tensors, tuples nor keys that are not strings (an optimiser's are integers): each
# is written as a dict with one of these keys.
_TENSOR, _TUPLE, _ITEMS = "$tensor", "$tuple", "$items"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of a checkpoint."""

    step: int
    """Updates done."""
    tensors: dict[str, Tensor]
    state: dict[str, Any]
    """JSON values."""


def flatten(tree: Any, path: str, tensors: dict[str, Tensor]) -> Any:
    """Add copies of the tree's tensors to `tensors`, by path, and return the JSON remainder."""
    if isinstance(tree, Tensor):
        # A copy: the optimiser goes on to change the original in place.
        tensors[path] = tree.detach().cpu().clone().contiguous()
        return {_TENSOR: path}
    if isinstance(tree, Mapping):
        parts = [[key, flatten(value, f"{path}/{key}", tensors)] for key, value in tree.items()]
        if all(isinstance(key, str) and not key.startswith("$") for key in tree):
            return dict(parts)
        return {_ITEMS: parts}
    if isinstance(tree, list | tuple):
        values = [flatten(value, f"{path}/{i}", tensors) for i, value in enumerate(tree)]
        return {_TUPLE: values} if isinstance(tree, tuple) else values
    if tree is None or isinstance(tree, bool | int | float | str):
        return tree
    raise TypeError(f"{path} is a {type(tree).__name__}, which a checkpoint cannot hold")


def unflatten(plain: Any, tensors: Mapping[str, Tensor]) -> Any:
    """The tree that `flatten` was given."""
    if isinstance(plain, list):
        return [unflatten(value, tensors) for value in plain]
    if not isinstance(plain, dict):
        return plain
    if _TENSOR in plain:
        return tensors[plain[_TENSOR]]
    if _TUPLE in plain:
        return tuple(unflatten(value, tensors) for value in plain[_TUPLE])
    if _ITEMS in plain:
        return {key: unflatten(value, tensors) for key, value in plain[_ITEMS]}
    return {key: unflatten(value, tensors) for key, value in plain.items()}


def random_state() -> dict[str, Any]:
    """State of the global random generators of Python, NumPy, torch and CUDA."""
    name, numbers, place, has_gauss, gauss = np.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": (str(name), np.asarray(numbers).tolist(), place, has_gauss, gauss),
        "torch": torch.get_rng_state(),
        "cuda": list(torch.cuda.get_rng_state_all()) if torch.cuda.is_available() else [],
    }


def restore_random_state(state: Mapping[str, Any]) -> None:
    """Restore what `random_state` returned; CUDA only on a machine with as many devices."""
    random.setstate(state["python"])
    name, numbers, place, has_gauss, gauss = state["numpy"]
    np.random.set_state((name, np.array(numbers, np.uint32), place, has_gauss, gauss))
    torch.set_rng_state(state["torch"])
    # On a machine with other devices a run goes on, but is not reproduced bit for bit.
    if state["cuda"] and torch.cuda.device_count() == len(state["cuda"]):
        torch.cuda.set_rng_state_all(state["cuda"])
