"""Where a network is trained, or acts: the torch device that a run's settings ask for."""

from __future__ import annotations

import torch

from distrl.errors import ConfigError


def choose_device(wanted: str) -> torch.device:
    """The device that a network is trained on; ConfigError for one that is not there."""
    # Best first: auto takes the first that is there.
    there = [name for name in ("cuda", "mps", "cpu") if _is_there(name)]
    if wanted == "auto":
        return torch.device(there[0])
    if wanted not in there:
        raise ConfigError(
            f"device is {wanted}, which this machine does not have (it has: {', '.join(there)})"
        )
    return torch.device(wanted)


def nearest_device(wanted: str) -> torch.device:
    """The same, or the best there is, for who looks at a run on another machine."""
    return choose_device(wanted if wanted == "auto" or _is_there(wanted) else "auto")


def _is_there(device: str) -> bool:
    if device == "cuda":
        return torch.cuda.is_available()
    return device == "cpu" or torch.backends.mps.is_available()
