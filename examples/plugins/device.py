"""A device: a lamp behind a touch screen."""

import numpy as np

from distrl.errors import ActionError, DeviceLost
from distrl.types import Action, Element, Kind, Observation, Picture


class Lamp:
    """[project.entry-points."distrl.devices"]: lamp = "device:Lamp"."""

    kinds = frozenset({Kind.TAP, Kind.WAIT})

    def __init__(self, id: str) -> None:
        self.id, self._on, self._closed = id, False, False

    def reset(self, seed: int) -> None:
        self.perform(Action(Kind.WAIT))
        self._on = seed % 2 == 1

    def observe(self) -> Observation:
        self.perform(Action(Kind.WAIT))
        screen = np.full((80, 36, 3), 255 if self._on else 20, np.uint8)
        switch = Element("switch", "Lamp", bounds=(0.0, 0.0, 1.0, 1.0), checked=self._on)
        return Observation(Picture(screen), (switch,), keyboard=False, app="lamp")

    def perform(self, action: Action) -> None:
        if self._closed:
            raise DeviceLost(f"{self.id} is closed")
        if action.kind not in self.kinds:
            raise ActionError(f"{self.id} cannot {action.kind}")
        self._on ^= action.kind is Kind.TAP

    def close(self) -> None:
        self._closed = True
