from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ConfigError
from distrl.replay.public_datasets import (
    android_control_episode,
    from_aitw,
    from_android_control,
)
from distrl.types import Action

NOWHERE = (-1.0, -1.0)


@pytest.mark.parametrize(
    ("kind", "touch", "lift", "text", "action"),
    [
        (4, (0.2, 0.5), (0.2, 0.5), "", actions.tap(0.5, 0.2)),
        (4, (0.2, 0.5), (0.22, 0.51), "", actions.tap(0.5, 0.2)),
        (4, (0.8, 0.5), (0.2, 0.5), "", actions.swipe(0.5, 0.8, 0.5, 0.2)),
        (3, NOWHERE, NOWHERE, "oat milk", actions.type_text("oat milk")),
        (5, NOWHERE, NOWHERE, "", actions.press("back")),
        (6, NOWHERE, NOWHERE, "", actions.press("home")),
        (7, NOWHERE, NOWHERE, "", actions.press("enter")),
        (10, NOWHERE, NOWHERE, "", actions.complete()),
        (11, NOWHERE, NOWHERE, "", actions.infeasible()),
        (4, NOWHERE, NOWHERE, "", None),
        (99, NOWHERE, NOWHERE, "", None),
    ],
)
def test_android_in_the_wild(
    kind: int,
    touch: tuple[float, float],
    lift: tuple[float, float],
    text: str,
    action: Action | None,
) -> None:
    assert from_aitw(kind, touch, lift, text) == action


@pytest.mark.parametrize(
    ("given", "action"),
    [
        ({"action_type": "click", "x": 540, "y": 600}, actions.tap(0.5, 0.25)),
        ({"action_type": "long_press", "x": 540, "y": 600}, actions.long_press(0.5, 0.25)),
        ({"action_type": "input_text", "text": "hi"}, actions.type_text("hi")),
        (
            {"action_type": "scroll", "direction": "down"},
            actions.swipe_towards(Direction.UP),
        ),
        ({"action_type": "navigate_back"}, actions.press("back")),
        ({"action_type": "navigate_home"}, actions.press("home")),
        ({"action_type": "keyboard_enter"}, actions.press("enter")),
        ({"action_type": "wait"}, actions.wait()),
        ({"action_type": "status", "goal_status": "complete"}, actions.complete()),
        ({"action_type": "status", "goal_status": "infeasible"}, actions.infeasible()),
        ({"action_type": "click"}, None),
        ({"action_type": "click", "x": "left", "y": None}, None),
        ({"action_type": "click", "x": 5000, "y": 0}, None),
        ({"action_type": "scroll", "direction": "sideways"}, None),
        ({"action_type": "open_app", "app_name": "Clock"}, actions.open_app("Clock")),
        ({"action_type": "answer", "text": "3"}, actions.answer("3")),
        ({"action_type": "double_tap", "x": 540, "y": 600}, actions.double_tap(0.5, 0.25)),
        ({"action_type": "unheard_of"}, None),
        ({}, None),
    ],
)
def test_android_control(given: dict[str, Any], action: Action | None) -> None:
    assert from_android_control(given, (1080, 2400)) == action


def example(*more: dict[str, Any]) -> dict[str, Any]:
    actions = [{"action_type": "click", "x": 2, "y": 10}, *more]
    screens = [np.full((40, 8, 3), shade, np.uint8) for shade in range(len(actions) + 1)]
    return {"episode_id": 7, "goal": "Tap it", "actions": actions, "screenshots": screens}


def test_an_example_of_android_control_is_a_demonstration_that_can_be_exported(
    tmp_path: Path,
) -> None:
    pytest.importorskip("pyarrow")
    from distrl.replay.parquet import ParquetEpisodes, write_parquet

    done = {"action_type": "status", "goal_status": "complete"}
    made = android_control_episode(example(done))
    assert made is not None
    write_parquet([made], tmp_path / "shown.parquet")
    (episode,) = ParquetEpisodes(tmp_path / "shown.parquet")
    assert (episode.id, episode.task.goal) == ("android_control/7", "Tap it")
    assert episode.succeeded
    assert [s.choice.action for s in episode.steps] == [actions.tap(0.25, 0.25), actions.complete()]
    assert [s.choice.log_prob for s in episode.steps] == [None, None]
    assert episode.final is not None
    assert episode.final.screen.max() == 2


def test_an_example_with_an_action_that_nobody_has_here_is_left_out() -> None:
    assert android_control_episode(example({"action_type": "open_app"})) is None


def test_actions_may_be_json_text_as_the_dataset_has_them() -> None:
    plain = example({"action_type": "status", "goal_status": "complete"})
    as_text = {**plain, "actions": [json.dumps(action) for action in plain["actions"]]}
    made, same = android_control_episode(as_text), android_control_episode(plain)
    assert made is not None and same is not None
    assert [s.choice for s in made.steps] == [s.choice for s in same.steps]
    with pytest.raises(ConfigError, match="an action is JSON such as"):
        android_control_episode({**plain, "actions": ["click", "done"]})


@pytest.mark.parametrize("lost", ["episode_id", "goal", "actions", "screenshots"])
def test_an_example_that_lacks_something_says_what(lost: str) -> None:
    whole = example({"action_type": "wait"})
    with pytest.raises(ConfigError, match=f"missing: {lost}"):
        android_control_episode({name: part for name, part in whole.items() if name != lost})


def test_an_example_without_its_last_screenshot_is_refused() -> None:
    whole = example({"action_type": "wait"})
    short = {**whole, "screenshots": whole["screenshots"][:-1]}
    with pytest.raises(ConfigError, match="one more screenshot than actions, got 2 and 2"):
        android_control_episode(short)
