"""A learner's whole state as tensors and plain values, so that no pickle is needed to keep it.

A tree of dicts, lists, tensors and numbers is taken apart into the tensors, by path, and the rest,
which is JSON. Put together again, it is the same tree: tuples stay tuples, keys keep their types.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

_TENSOR, _TUPLE, _ITEMS = "$tensor", "$tuple", "$items"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a checkpoint holds."""

    step: int
    """Updates done."""
    tensors: dict[str, Tensor]
    state: dict[str, Any]
    """Plain values: JSON and back gives the same."""


def take_apart(tree: Any, path: str, tensors: dict[str, Tensor]) -> Any:
    """Put the tensors of a tree into `tensors`, as copies, and return the plain rest."""
    if isinstance(tree, Tensor):
        tensors[path] = tree.detach().cpu().clone().contiguous()
        return {_TENSOR: path}
    if isinstance(tree, Mapping):
        parts = [[key, take_apart(value, f"{path}/{key}", tensors)] for key, value in tree.items()]
        if all(isinstance(key, str) and not key.startswith("$") for key in tree):
            return dict(parts)
        return {_ITEMS: parts}
    if isinstance(tree, list | tuple):
        values = [take_apart(value, f"{path}/{i}", tensors) for i, value in enumerate(tree)]
        return {_TUPLE: values} if isinstance(tree, tuple) else values
    if tree is None or isinstance(tree, bool | int | float | str):
        return tree
    raise TypeError(f"{path} is a {type(tree).__name__}, which a checkpoint cannot hold")


def put_together(plain: Any, tensors: Mapping[str, Tensor]) -> Any:
    """The tree that was taken apart."""
    if isinstance(plain, list):
        return [put_together(value, tensors) for value in plain]
    if not isinstance(plain, dict):
        return plain
    if _TENSOR in plain:
        return tensors[plain[_TENSOR]]
    if _TUPLE in plain:
        return tuple(put_together(value, tensors) for value in plain[_TUPLE])
    if _ITEMS in plain:
        return {key: put_together(value, tensors) for key, value in plain[_ITEMS]}
    return {key: put_together(value, tensors) for key, value in plain.items()}


def random_state() -> dict[str, Any]:
    """States of the generators that everybody shares."""
    name, numbers, place, has_gauss, gauss = np.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": (str(name), np.asarray(numbers).tolist(), place, has_gauss, gauss),
        "torch": torch.get_rng_state(),
        "cuda": list(torch.cuda.get_rng_state_all()) if torch.cuda.is_available() else [],
    }


def restore_random_state(state: Mapping[str, Any]) -> None:
    """Draw on from there; what this machine has no device for is left out."""
    random.setstate(state["python"])
    name, numbers, place, has_gauss, gauss = state["numpy"]
    np.random.set_state((name, np.array(numbers, np.uint32), place, has_gauss, gauss))
    torch.set_rng_state(state["torch"])
    if state["cuda"] and torch.cuda.device_count() == len(state["cuda"]):
        torch.cuda.set_rng_state_all(state["cuda"])
