from __future__ import annotations

import torch
from tests.learn.fakes import TinyModel
from tests.learn.tables import TableModel

from distrl.config.policies import PolicyConfig
from distrl.learn.model import Evaluation, Model
from distrl.policies.pointer.model import PointerModel


def models() -> list[Model]:
    """The type checker proves the contract; running it proves the shapes."""
    return [
        TableModel(),
        TinyModel(),
        PointerModel(PolicyConfig(width=8, layers=1, heads=2, crop_width=4)),
    ]


def test_every_trainable_policy_keeps_the_contract() -> None:
    for model in models():
        weights = model.state_dict()
        assert all(isinstance(tensor, torch.Tensor) for tensor in weights.values())
        shapes = [tensor.shape for tensor in weights.values()]
        assert sorted(p.shape for p in model.parameters()) == sorted(shapes)
        model.load_state_dict({name: tensor + 1 for name, tensor in weights.items()})
        changed = model.state_dict()
        assert list(changed) == list(weights)


def test_an_evaluation_has_a_number_per_step_and_two_critics() -> None:
    seen = TableModel(seed=1).evaluate([0, 3, 0], [(0,), (1,), (1,)])
    assert isinstance(seen, Evaluation)
    assert seen.log_prob.shape == seen.entropy.shape == seen.invalid.shape == (3,)
    assert seen.value_logits.shape == (3, 2)
    assert seen.log_prob.requires_grad
