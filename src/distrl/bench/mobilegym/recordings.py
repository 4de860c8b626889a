"""Episodes that are played twice: found on our page, and kept as what was done there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from distrl import actions
from distrl.devices.mobilegym.device import HEIGHT, WIDTH, MobileGymDevice
from distrl.types import Action, Key, Kind, Observation, Task

_KEYS = (Key.BACK, Key.BACK, Key.HOME)


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of the phone's state behind its screen, as a test does to see a judge say yes."""

    state: dict[str, Any]


Move = Action | Patch


def wander(seen: Observation, rng: Random) -> Action:
    """Something a hand could do: mostly taps on what is there."""
    pick = rng.random()
    if pick < 0.75 and seen.elements:
        return actions.tap(*rng.choice(seen.elements).center)
    if pick < 0.85:
        return actions.swipe(0.5, 0.7, 0.5, 0.3)
    if pick < 0.93:
        return actions.type_text("12")
    return actions.press(rng.choice(_KEYS))


def way_of(running: Any) -> list[str]:
    """The controls that a task of MobileGym names as its shortest way; none for most tasks."""
    paths = running.optimal_paths
    return [step if isinstance(step, str) else step["id"] for step in paths[0]] if paths else []


def patch_of(running: Any) -> Patch | None:
    """The state that a task's criteria ask for, where they are plain values of its first app."""
    criteria = getattr(running, "criteria", None) or {}
    if not criteria or not running.apps:
        return None
    state: dict[str, Any] = {}
    for path, wanted in criteria.items():
        if path == "route" or callable(wanted) or any(sign in path for sign in "[:{"):
            return None
        names = path.removeprefix(f"apps.{running.apps[0]}.").split(".")
        if names[0] == "os":
            return None
        place = state
        for name in names[:-1]:
            place = place.setdefault(name, {})
        place[names[-1]] = _value(wanted, running.params)
    return Patch({"apps": {running.apps[0]: state}})


def _value(wanted: Any, parameters: dict[str, Any]) -> Any:
    """A value that may stand for a parameter, as `{name}`."""
    if isinstance(wanted, str) and wanted.startswith("{") and wanted.endswith("}"):
        return parameters.get(wanted[1:-1], wanted)
    return wanted.format(**parameters) if isinstance(wanted, str) else wanted


def knows_way(running: Any) -> bool:
    """Whether an episode of a task is more than a walk."""
    return bool(way_of(running)) or patch_of(running) is not None


def moves(device: MobileGymDevice, running: Any, task: Task) -> Iterator[Move]:
    """What is done in an episode, one after the other: its shortest way or a walk, then the end."""
    rng = Random(f"mobilegym {task.id}")
    way = way_of(running)
    for control in way:
        rect = device.evaluate(
            f"window.__SIM_QUERY__.getRectByTrigger({control!r})?.center ?? null"
        )
        if rect is None:
            break
        yield actions.tap(min(1.0, rect["x"] / WIDTH), min(1.0, rect["y"] / HEIGHT))
    patch = patch_of(running)
    if patch is not None:
        yield patch
    elif not way:
        for _ in range(rng.randint(4, 10)):
            yield wander(device.observe(), rng)
    yield actions.complete()


def is_end(move: Move) -> bool:
    """Whether a move ends the episode."""
    return isinstance(move, Action) and move.kind is Kind.COMPLETE
