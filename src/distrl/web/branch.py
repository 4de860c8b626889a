"""Another future of a stored episode: replay it to a step, do something else there, see both.

On the embedded phone an episode follows from its task and its actions, so that any step of it can
be reached again exactly. Every replayed screen is compared with the stored one.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError, unknown_name
from distrl.interfaces import Oracle, Policy
from distrl.policies import make_policy
from distrl.replay.store.picture_codec import digest_of, encode
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.types import Action, Choice, Episode, Observation, Situation
from distrl.web.player import film

FOLLOWERS = ("run", "scripted", "random", "none")
"""Who goes on after the new action: the run's own policy, the oracle, chance, or nobody."""


class _Detour:
    """Plays an episode again, does one thing differently, and then lets somebody go on."""

    def __init__(self, played: tuple[Action, ...], other: Action | None, then: Policy) -> None:
        self._script = (*played, other) if other is not None else played
        self._then = then

    def begin(self, seed: int) -> None:
        self._then.begin(seed)

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        choices = []
        for situation in situations:
            done = len(situation.history)
            if done < len(self._script):
                choices.append(Choice(action=self._script[done]))
            else:
                choices.extend(self._then.act((situation,)))
        return choices


class _Nobody:
    """Ends an episode where it is."""

    def begin(self, seed: int) -> None:
        del seed

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        return [Choice(action=actions.complete()) for _ in situations]


def branch(
    episode: Episode,
    *,
    step: int,
    action: str,
    then: str,
    phone: PhoneConfig,
    load_policy: Callable[[], Policy],
) -> dict[str, Any]:
    """Fork an episode before `step`; both futures, and whether the replay was exact.

    `action` is in the grammar of `actions.parse`, or empty: then whoever goes on decides.
    """
    if not 0 <= step < len(episode.steps):
        raise ConfigError(f"the episode has steps 0 to {len(episode.steps) - 1}, got {step}")
    other = actions.parse(action) if action else None
    if action and other is None:
        raise ConfigError(f"{action!r} is no action, such as tap(0.5, 0.25) or press(back)")
    if then not in FOLLOWERS:
        raise unknown_name("follower", then, FOLLOWERS)
    device = PhoneDevice("branch", phone)
    referee = PhoneReferee(device)
    played = tuple(s.choice.action for s in episode.steps[:step])
    detour = _Detour(played, other, _follower(then, PhoneOracle(referee), load_policy))
    forked = run_episode(
        DeviceEnv(device, referee),
        detour,
        episode.task,
        clock=RealClock(),
        episode_id=f"{episode.id}-branch",
    )
    device.close()
    return {
        "step": step,
        "then": then,
        "exact": _differs_at(episode, forked, step) is None,
        "differs_at": _differs_at(episode, forked, step),
        "branch": {**film(forked), "screens": _screens(forked, step)},
    }


def _follower(name: str, oracle: Oracle, load_policy: Callable[[], Policy]) -> Policy:
    match name:
        case "run":
            return load_policy()
        case "none":
            return _Nobody()
        case _:
            return make_policy(name, oracle)


def _differs_at(stored: Episode, forked: Episode, step: int) -> int | None:
    """The first step whose screen was another one than before; None when all were the same."""
    for place, (was, now) in enumerate(zip(stored.steps, forked.steps, strict=False)):
        if place > step:
            break
        if digest_of(was.observation.screen) != digest_of(now.observation.screen):
            return place
    return None


def _screens(episode: Episode, start: int) -> list[str]:
    """Screens from a step on, for the page."""
    seen: list[Observation] = [step.observation for step in episode.steps[start:]]
    if episode.final is not None:
        seen.append(episode.final)
    return [
        "data:image/png;base64," + base64.b64encode(encode(o.screen, "png")).decode() for o in seen
    ]
