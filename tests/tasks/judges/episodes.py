"""Episodes to judge: made up, and played on the embedded phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image, ImageDraw

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.policies import make_policy
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import (
    Action,
    Choice,
    Element,
    Episode,
    Observation,
    Outcome,
    Picture,
    Pixels,
    Step,
    Task,
)

TASK = Task(
    id="made/train/1",
    goal="Write a note called Oat milk",
    suite="made",
    split="train",
    template="write_note",
    parameters={"title": "Oat milk", "pinned": False},
    seed=7,
    step_limit=9,
)
LINES = ("Notes", "Oat milk", "Call the plumber")


def draw_screen(lines: Sequence[str]) -> Pixels:
    image = Image.new("RGB", (180, 400), "white")
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((8, 12 + 24 * number), line, fill="black")
    return np.asarray(image)


def show(lines: Sequence[str]) -> Observation:
    elements = tuple(
        Element("text", line, bounds=(0.0, 0.06 * n, 1.0, 0.06 * n + 0.05))
        for n, line in enumerate(lines)
    )
    return Observation(Picture(draw_screen(lines)), elements, keyboard=False, app="notes")


def make_episode(
    lines: Sequence[str] = LINES,
    *,
    outcome: Outcome = Outcome.SUCCEEDED,
    done: Sequence[Action] = (actions.tap(0.5, 0.2), actions.complete()),
    task: Task = TASK,
) -> Episode:
    """An episode that starts at an empty list and ends with these lines on the screen."""
    first, last = show(("Notes",)), show(lines)
    seen = [first, *([last] * (len(done) - 1))]
    return Episode(
        id="e1",
        task=task,
        steps=tuple(
            Step(observation=o, choice=Choice(action=action))
            for o, action in zip(seen, done, strict=False)
        ),
        final=last,
        outcome=outcome,
        verdicts=(),
        device="phone-0",
        started=0.0,
        ended=1.0,
    )


def play_task(policy: str, number: int = 0, *, phone: PhoneConfig | None = None) -> Episode:
    """An episode of a built-in policy on the embedded phone."""
    task = load_suite("general").tasks("train")[number]
    device = PhoneDevice("phone-0", phone)
    referee = PhoneReferee(device)
    made = make_policy(policy, PhoneOracle(referee), seed=3)
    env = DeviceEnv(device, referee)
    return run_episode(env, made, task, clock=VirtualClock(), episode_id=task.id)


def lost(episode: Episode) -> Episode:
    return replace(episode, outcome=Outcome.DEVICE_LOST, final=None, fault="the cable is loose")
