from __future__ import annotations

import sys

import pytest
import torch
from torch import nn

from distrl.config.learn import OptimiserKind
from distrl.errors import ConfigError
from distrl.learn.learner_state import flatten, unflatten
from distrl.learn.optimisers import make_optimiser


def a_weight() -> nn.Parameter:
    """Large enough for 8 bits to be used."""
    return nn.Parameter(torch.randn(64, 128, generator=torch.Generator().manual_seed(0)))


def step(weight: nn.Parameter, optimiser: torch.optim.Optimizer, times: int = 1) -> None:
    """Walk downhill from a bowl's rim."""
    for _ in range(times):
        optimiser.zero_grad()
        weight.square().sum().backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def state_bytes(optimiser: torch.optim.Optimizer) -> int:
    return sum(
        value.numel() * value.element_size()
        for state in optimiser.state.values()
        for name, value in state.items()
        if torch.is_tensor(value) and not name.startswith("qmap")
    )


def test_without_bitsandbytes_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    with pytest.raises(ConfigError, match=r"adamw_8bit needs bitsandbytes: pip install"):
        make_optimiser(OptimiserKind.ADAMW_8BIT, [a_weight()], 1e-2)


def test_8_bits_walk_the_same_way_with_a_quarter_of_the_memory() -> None:
    pytest.importorskip("bitsandbytes")
    plain, small = a_weight(), a_weight()
    both = [
        make_optimiser(OptimiserKind.ADAMW, [plain], 1e-2),
        make_optimiser(OptimiserKind.ADAMW_8BIT, [small], 1e-2),
    ]
    began = plain.detach().clone()
    for weight, optimiser in zip((plain, small), both, strict=True):
        step(weight, optimiser, times=20)
    walked = (plain.detach() - began).flatten()
    also = (small.detach() - began).flatten()
    assert float(nn.functional.cosine_similarity(walked, also, dim=0)) > 0.99
    assert state_bytes(both[1]) < 0.3 * state_bytes(both[0])


def test_what_8_bits_remember_is_kept_in_a_checkpoint() -> None:
    pytest.importorskip("bitsandbytes")
    weight = a_weight()
    optimiser = make_optimiser(OptimiserKind.ADAMW_8BIT, [weight], 1e-2)
    step(weight, optimiser, times=3)
    tensors: dict[str, torch.Tensor] = {}
    plain = flatten(optimiser.state_dict(), "optimiser", tensors)
    again = nn.Parameter(weight.detach().clone())
    other = make_optimiser(OptimiserKind.ADAMW_8BIT, [again], 1e-2)
    other.load_state_dict(unflatten(plain, tensors))
    step(weight, optimiser, times=3)
    step(again, other, times=3)
    assert torch.equal(weight, again)
