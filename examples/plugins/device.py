"""A device: a lamp behind a touch screen, with the tasks that can be set on it.

[project.entry-points."distrl.devices"]: lamp = "device:LampKind"
[project.entry-points."distrl.suites"]: lamps = "device:lamps"
"""

import numpy as np

from distrl.envs.device_env import DeviceEnv
from distrl.errors import ActionError, DeviceLost
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate
from distrl.types import Action, Element, Kind, Observation, Outcome, Picture, Task, Verdict


class Lamp:
    device_kind, kinds = "lamp", frozenset({Kind.TAP, Kind.WAIT})

    def __init__(self, id: str) -> None:
        self.id, self.on, self._closed = id, False, False

    def reset(self, seed: int) -> None:
        self.perform(Action(Kind.WAIT))
        self.on = seed % 2 == 1

    def observe(self) -> Observation:
        self.perform(Action(Kind.WAIT))
        screen = np.full((80, 36, 3), 255 if self.on else 20, np.uint8)
        switch = Element("switch", "Lamp", bounds=(0.0, 0.0, 1.0, 1.0), checked=self.on)
        return Observation(Picture(screen), (switch,), keyboard=False, app="lamp")

    def perform(self, action: Action) -> None:
        if self._closed:
            raise DeviceLost(f"{self.id} is closed")
        if action.kind not in self.kinds:
            raise ActionError(f"{self.id} cannot {action.kind}")
        self.on ^= action.kind is Kind.TAP

    def close(self) -> None:
        self._closed = True


class LampReferee:
    def __init__(self, lamp: Lamp) -> None:
        self._lamp = lamp

    def begin(self, task: Task) -> None:
        self._wanted = task.template == "light"
        self._lamp.reset(task.seed)

    def outcome(self, kind: Kind) -> Outcome:
        if kind is not Kind.COMPLETE:
            return Outcome.FAILED if kind is Kind.INFEASIBLE else Outcome.STEP_LIMIT
        return Outcome.SUCCEEDED if self._lamp.on == self._wanted else Outcome.FALSE_COMPLETE

    def verdict(self, outcome: Outcome) -> Verdict:
        return Verdict(judge="lamp", success=outcome is Outcome.SUCCEEDED)


class LampKind:
    def make_device(self, device_id: str, settings: object) -> Lamp:
        return Lamp(device_id)

    def make_env(self, device: Lamp, inside: Lamp) -> tuple[DeviceEnv, None]:
        return DeviceEnv(device, LampReferee(inside)), None


def lamps() -> SeedSuite:
    kinds = [SeedTemplate("light", ["Switch it on"], 4), SeedTemplate("dark", ["Switch it off"], 4)]
    return SeedSuite("lamps", kinds, {"train": 20, "val": 5, "test": 5}, device="lamp")
