import json
import random
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from distrl.learn.learner_state import (
    flatten,
    random_state,
    restore_random_state,
    unflatten,
)


def there_and_back(tree: Any) -> Any:
    tensors: dict[str, Tensor] = {}
    plain = json.loads(json.dumps(flatten(tree, "root", tensors)))
    return unflatten(plain, tensors)


@pytest.mark.parametrize(
    "tree",
    [
        {"a": [1, 2.5, None, True, "x"], "b": {"c": ()}},
        {0: "zero", 1: {"step": 3}},
        {"$tensor": "a trap", "$tuple": [1]},
        (1, (2, [3, (4,)]), {"k": (5,)}),
        {1: (0.9, 0.999), "mixed": 2},
        [0.1 + 0.2, 1e-300, 2**70],
        {},
        "text",
    ],
)
def test_a_tree_of_plain_values_comes_back_as_it_was(tree: Any) -> None:
    back = there_and_back(tree)
    assert back == tree
    assert repr(back) == repr(tree)


def test_tensors_go_apart_by_their_path_and_come_back() -> None:
    tree: Any = {"model": {"w": torch.ones(2, 3)}, "state": {0: {"step": torch.tensor(4.0)}}}
    tensors: dict[str, Tensor] = {}
    plain = flatten(tree, "a", tensors)
    assert sorted(tensors) == ["a/model/w", "a/state/0/step"]
    back = unflatten(json.loads(json.dumps(plain)), tensors)
    assert torch.equal(back["model"]["w"], tree["model"]["w"])
    assert back["state"][0]["step"] == 4.0


def test_what_is_taken_apart_no_longer_follows_its_source() -> None:
    weight = torch.ones(3)
    tensors: dict[str, Tensor] = {}
    flatten({"w": weight, "same": weight}, "a", tensors)
    weight.fill_(2.0)
    assert tensors["a/w"].sum() == 3.0
    assert tensors["a/w"].data_ptr() != tensors["a/same"].data_ptr()


def test_what_cannot_be_kept_is_named() -> None:
    with pytest.raises(TypeError, match="a/here is a set"):
        flatten({"here": {1, 2}}, "a", {})


def test_an_optimiser_survives() -> None:
    weight = torch.nn.Parameter(torch.ones(3))
    optimiser = torch.optim.AdamW([weight], lr=0.1)
    for _ in range(3):
        weight.grad = torch.ones(3)
        optimiser.step()
    state = there_and_back(optimiser.state_dict())
    twin = torch.nn.Parameter(weight.detach().clone())
    revived = torch.optim.AdamW([twin], lr=0.9)
    revived.load_state_dict(state)
    for parameter, stepped in ((weight, optimiser), (twin, revived)):
        parameter.grad = torch.full((3,), 0.5)
        stepped.step()
    assert torch.equal(weight, twin)


def test_every_generator_draws_on() -> None:
    def draw() -> tuple[float, float, float]:
        return random.random(), float(np.random.rand()), float(torch.rand(1))

    draw()
    state = there_and_back(random_state())
    expected = [draw() for _ in range(3)]
    restore_random_state(state)
    assert [draw() for _ in range(3)] == expected
