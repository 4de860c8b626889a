"""An environment without a device: the official MiniWoB++ of Gymnasium, driven by Selenium."""

import gymnasium
import miniwob

from distrl.envs.env_slot import EnvKind
from distrl.interfaces import Transition
from distrl.types import Action, Observation, Outcome, Picture, Task


class Official:
    def __init__(self, slot: str) -> None:
        gymnasium.register_envs(miniwob)
        self.device_id, self.goal = slot, ""
        self._env = gymnasium.make("miniwob/click-button-v1").unwrapped

    def reset(self, task: Task) -> Observation:
        self._left = task.step_limit
        seen, _ = self._env.reset(seed=task.seed)
        self.goal = seen["utterance"]
        return self._show(seen)

    def step(self, action: Action) -> Transition:
        self._left -= 1
        at = [action.x * 160, action.y * 210]
        seen, _, ended, _, info = self._env.step(self._env.create_action("CLICK_COORDS", coords=at))
        won = Outcome.SUCCEEDED if info["raw_reward"] == 1 else Outcome.FAILED
        outcome = won if ended else None if self._left else Outcome.STEP_LIMIT
        return Transition(self._show(seen), float(outcome == "succeeded"), ended, False, outcome)

    def verdicts(self) -> tuple[()]:
        return ()

    def close(self) -> None:
        self._env.close()

    def _show(self, seen: dict) -> Observation:
        return Observation(Picture(seen["screenshot"]), None, keyboard=False, app="miniwob")


def official() -> EnvKind:
    """[project.entry-points."distrl.devices"]: official = "env:official"."""
    return EnvKind("official", Official)
