from __future__ import annotations

import pytest
import torch

from distrl.policies.lm.loading import choose_dtype


@pytest.mark.parametrize(
    ("wanted", "device", "has_it", "chosen"),
    [
        ("auto", "cuda", True, torch.bfloat16),
        ("auto", "cuda", False, torch.float32),
        ("auto", "cpu", True, torch.float32),
        ("auto", "mps", True, torch.float32),
        ("float32", "cuda", True, torch.float32),
        ("bfloat16", "cpu", False, torch.bfloat16),
    ],
)
def test_weights_are_kept_in_what_the_device_of_the_run_computes_in(
    wanted: str, device: str, has_it: bool, chosen: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: has_it)
    assert choose_dtype(wanted, torch.device(device)) is chosen
