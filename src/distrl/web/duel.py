"""Two checkpoints of a run on the same tasks side by side."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Policy
from distrl.replay.store.picture_codec import encode
from distrl.run.report.film import describe
from distrl.tasks.referee import PhoneReferee
from distrl.types import Episode, Task


def duel(
    policies: Sequence[Policy], tasks: Sequence[Task], phone: PhoneConfig
) -> list[dict[str, Any]]:
    """Each task once by each policy, on phones in the same state."""
    rows = []
    for task in tasks:
        played = []
        for policy in policies:
            device = PhoneDevice("duel", phone)
            env = DeviceEnv(device, PhoneReferee(device))
            episode = run_episode(env, policy, task, clock=RealClock(), episode_id=task.id)
            played.append(_short(episode))
            env.close()
        rows.append({"task": task.id, "goal": task.goal, "played": played})
    return rows


def _short(episode: Episode) -> dict[str, Any]:
    final = episode.final
    return {
        "outcome": episode.outcome.value,
        "steps": [describe(s.choice.action, s.observation) for s in episode.steps],
        "screen": None
        if final is None
        else "data:image/png;base64," + base64.b64encode(encode(final.screen, "png")).decode(),
    }
