"""Names for what has none: what a picture on the screen shows, in a word or two.

Buttons and photos often come without a label. A small convolutional network, trained once on
pictures whose names are known, says what is drawn on them; from there on the policy reads that name
as it reads a label. Screens repeat themselves, so most pictures are named from memory.

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
SURE = 0.5
"""How likely a name must be to be said."""
_SIDE = 16
_REMEMBERED = 50_000
"""Crops that are kept in memory with their names: 40 MB of them at the most."""


class CaptionNetwork(nn.Module):
    """Scores of names for crops; the last score is for none of them."""

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
        # A glyph means the same in any colours: what counts is how it differs from its ground.
        middle, spread = x.mean((2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True)
        x = (x - middle) / (spread + 0.05)
        x = F.relu(self.third(F.relu(self.second(F.relu(self.first(x))))))
        scores: Tensor = self.out(F.relu(self.inner(x.flatten(1))))
        return scores


class Captioner:
    """Names crops; the same crop always has the same name. May be shared by threads."""

    def __init__(self, network: CaptionNetwork, names: Sequence[str]) -> None:
        """`names` in the order of the network's scores."""
        self.names = tuple(names)
        self._network = network.eval()
        self._known: dict[bytes, str] = {}

    def name(self, crops: Pixels) -> list[str]:
        """A name for each crop [M, 16, 16, 3], empty where nothing is recognised."""
        keys = [crop.tobytes() for crop in crops]
        # Another thread may begin a new memory meanwhile; what was known stays known here.
        known = self._known
        new = {key: crop for key, crop in zip(keys, crops, strict=True) if key not in known}
        found = dict(zip(new, self._look(np.stack(list(new.values()))), strict=True)) if new else {}
        said = [found[key] if key in found else known[key] for key in keys]
        if len(self._known) + len(found) > _REMEMBERED:
            self._known = {}
        self._known.update(found)
        return said

    def _look(self, crops: Pixels) -> list[str]:
        with torch.inference_mode():
            likely, best = F.softmax(self._network(torch.from_numpy(crops)), -1).max(-1)
        return [
            self.names[index] if p >= SURE and index < len(self.names) else ""
            for p, index in zip(likely.tolist(), best.tolist(), strict=True)
        ]


def pack_captioner(
    network: CaptionNetwork, names: Sequence[str], about: Mapping[str, str]
) -> bytes:
    """The file that `load_captioner` reads: half precision, with the names and more about it."""
    halves = {key: tensor.half().contiguous() for key, tensor in network.state_dict().items()}
    return save(halves, {**about, "names": json.dumps(list(names))})


def load_captioner(path: Path) -> Captioner:
    """Read what `pack_captioner` made."""
    with safe_open(path, framework="pt") as file:
        names = json.loads(file.metadata()["names"])
        weights = {key: file.get_tensor(key).float() for key in file.keys()}  # noqa: SIM118
    network = CaptionNetwork(len(names), width=len(weights["first.bias"]))
    network.load_state_dict(weights)
    return Captioner(network, names)


@cache
def shipped_captioner() -> Captioner:
    """The one that comes with the package; everyone in a process shares it."""
    return load_captioner(SHIPPED)
