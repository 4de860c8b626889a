"""Captions for unlabelled elements: what an icon or photo on the screen shows, in a word or two.

Buttons and photos often come without a label. A small convolutional classifier, trained once on
pictures with known names, names them; the policy reads the name like a label. Screens repeat
themselves, so most crops are found in a cache.

    crop [16, 16, 3]  ->  convolutions  ->  one of its names, or none where it is not sure
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor, nn

from distrl.types import Pixels

SHIPPED = Path(__file__).with_name("captions.safetensors")
MIN_CONFIDENCE = 0.5
"""Least probability of a name: below it, no name is better than a wrong one."""
_SIDE = 16
_MAX_CACHED = 50_000
"""Cached crops with their names: at most 40 MB."""


class CaptionNetwork(nn.Module):
    """Classifier of crops: one logit per name, and a last one for "no name"."""

    def __init__(self, names: int, width: int = 32) -> None:
        """Random weights; seed torch first for the same ones."""
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.second = nn.Conv2d(width, 2 * width, 3, padding=1, stride=2)
        self.third = nn.Conv2d(2 * width, 2 * width, 3, padding=1, stride=2)
        self.inner = nn.Linear(2 * width * (_SIDE // 4) ** 2, 4 * width)
        self.out = nn.Linear(4 * width, names + 1)

    def forward(self, crops: Tensor) -> Tensor:
        """[M, names + 1] for uint8 crops [M, 16, 16, 3]."""
        x = crops.permute(0, 3, 1, 2).float().div(255.0)
        # Normalised per crop: a glyph means the same in any colours and on any ground. 0.05 keeps
        # the noise of an almost uniform crop from being amplified.
        middle, spread = x.mean((2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True)
        x = (x - middle) / (spread + 0.05)
        x = F.relu(self.third(F.relu(self.second(F.relu(self.first(x))))))
        scores: Tensor = self.out(F.relu(self.inner(x.flatten(1))))
        return scores


class Captioner:
    """Names crops, with a cache; the same crop always gets the same name. Thread-safe."""

    def __init__(self, network: CaptionNetwork, names: Sequence[str]) -> None:
        """`names` in the order of the network's scores."""
        self.names = tuple(names)
        self._network = network.eval()
        self._known: dict[bytes, str] = {}

    def name(self, crops: Pixels) -> list[str]:
        """A name for each crop [M, 16, 16, 3]; empty where no name is likely enough."""
        keys = [crop.tobytes() for crop in crops]
        # A local reference instead of a lock: another thread may replace the full cache meanwhile,
        # and keys found in this one must stay.
        known = self._known
        new = {key: crop for key, crop in zip(keys, crops, strict=True) if key not in known}
        found = (
            dict(zip(new, self._classify(np.stack(list(new.values()))), strict=True)) if new else {}
        )
        said = [found[key] if key in found else known[key] for key in keys]
        if len(self._known) + len(found) > _MAX_CACHED:
            # Start over instead of evicting one by one: no order has to be kept, and so no lock.
            self._known = {}
        self._known.update(found)
        return said

    def _classify(self, crops: Pixels) -> list[str]:
        with torch.inference_mode():
            likely, best = F.softmax(self._network(torch.from_numpy(crops)), -1).max(-1)
        return [
            self.names[index] if p >= MIN_CONFIDENCE and index < len(self.names) else ""
            for p, index in zip(likely.tolist(), best.tolist(), strict=True)
        ]


def pack_captioner(
    network: CaptionNetwork, names: Sequence[str], about: Mapping[str, str]
) -> bytes:
    """Serialise as safetensors in half precision, with the names and `about` as metadata."""
    halves = {key: tensor.half().contiguous() for key, tensor in network.state_dict().items()}
    return save(halves, {**about, "names": json.dumps(list(names))})


def load_captioner(path: Path) -> Captioner:
    """Load what `pack_captioner` wrote."""
    with safe_open(path, framework="pt") as file:
        names = json.loads(file.metadata()["names"])
        weights = {key: file.get_tensor(key).float() for key in file.keys()}  # noqa: SIM118
    network = CaptionNetwork(len(names), width=len(weights["first.bias"]))
    network.load_state_dict(weights)
    return Captioner(network, names)


@cache
def shipped_captioner() -> Captioner:
    """The captioner in the package, loaded once per process."""
    return load_captioner(SHIPPED)
