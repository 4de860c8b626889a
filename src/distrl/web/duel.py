"""Two runs, or two checkpoints of one, on the same tasks side by side."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
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
from distrl.web.overview import charts, status
from distrl.web.runs import Run
from distrl.web.tasks import templates

_ABSENT = "(absent)"


def compare(left: Run, right: Run) -> dict[str, Any]:
    """Curves, success per template, evaluations and settings of two runs."""
    rows = {side: {r["template"]: r for r in templates(run.index.table())} for side, run in
            (("left", left), ("right", right))}  # fmt: skip
    return {
        "left": {**status(left), "charts": charts(left)},
        "right": {**status(right), "charts": charts(right)},
        "templates": _templates(rows["left"], rows["right"]),
        "settings": differences(left.settings.as_tree(), right.settings.as_tree()),
    }


def _templates(
    left: Mapping[str, dict[str, Any]], right: Mapping[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Templates that both have tried; those that differ most first."""
    rows = []
    for name in left.keys() & right.keys():
        a, b = left[name], right[name]
        if a["success"] is None or b["success"] is None:
            continue
        apart = a["low"] > b["high"] or b["low"] > a["high"]
        rows.append(
            {
                "template": name,
                "left": {key: a[key] for key in ("success", "low", "high", "episodes")},
                "right": {key: b[key] for key in ("success", "low", "high", "episodes")},
                "difference": b["success"] - a["success"],
                "apart": apart,
            }
        )
    return sorted(rows, key=lambda row: (-abs(row["difference"]), row["template"]))


def differences(
    left: Mapping[str, Any], right: Mapping[str, Any], prefix: str = ""
) -> list[dict[str, str]]:
    """Settings that are not the same, by their dotted names."""
    found = []
    for name in sorted({*left, *right}):
        a, b = left.get(name, _ABSENT), right.get(name, _ABSENT)
        if isinstance(a, dict) and isinstance(b, dict):
            found += differences(a, b, f"{prefix}{name}.")
        elif a != b:
            found.append({"name": f"{prefix}{name}", "left": str(a), "right": str(b)})
    return found


def duel(
    policies: Sequence[Policy], tasks: Sequence[Task], phone: PhoneConfig
) -> list[dict[str, Any]]:
    """Each task once by each policy, on phones in the same state."""
    rows = []
    for task in tasks:
        played = []
        for policy in policies:
            device = PhoneDevice("compare", phone)
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
