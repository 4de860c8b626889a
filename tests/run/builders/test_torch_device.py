from __future__ import annotations

import pytest
import torch

from distrl.errors import ConfigError
from distrl.run.builders import torch_device
from distrl.run.builders.torch_device import choose_device, nearest_device


def test_auto_takes_a_device_that_is_there() -> None:
    there = choose_device("auto")
    assert torch.zeros(1, device=there).device.type == there.type
    assert choose_device("cpu") == torch.device("cpu")


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert nearest_device("cuda") == choose_device("auto")
    with pytest.raises(ConfigError, match=r"device is cuda, which .* \(it has: .*cpu\)"):
        choose_device("cuda")


@pytest.mark.parametrize(
    ("there", "best"),
    [({"cuda", "mps", "cpu"}, "cuda"), ({"mps", "cpu"}, "mps"), ({"cpu"}, "cpu")],
)
def test_auto_takes_the_quickest_device(
    there: set[str], best: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_device, "_is_there", lambda device: device in there)
    assert choose_device("auto").type == best
    assert nearest_device("cuda").type == best
    assert nearest_device("cpu").type == "cpu"
