"""Episodes of BrowserGym's own MiniWoB, in the environment of test_miniwob.py."""

from __future__ import annotations

import json

import numpy as np

from distrl import actions
from distrl.devices.browser.chromium import find_chromium
from distrl.envs.device_kinds import device_factory, env_on
from distrl.tasks.suites import load_suite
from distrl.types import Action, Element, Observation

TASKS = ("click-test", "click-dialog", "enter-text", "click-test-2", "focus-text")
SUITE = "browsergym:" + ",".join(f"miniwob.{name}" for name in TASKS)


def the(seen: Observation, role: str) -> Element:
    return next(element for element in seen.elements or () if element.role == role)


def way(name: str, goal: str, seen: Observation) -> list[Action]:
    """Taps and keys that do what the goal asks for."""
    if name == "enter-text":
        text = goal.split('"')[1]
        field, button = the(seen, "field").center, the(seen, "button").center
        return [actions.tap(*field), actions.type_text(text), actions.tap(*button)]
    if name == "focus-text":
        return [actions.tap(*the(seen, "field").center)]
    wanted = "ONE" if name == "click-test-2" else None
    buttons = [e for e in seen.elements or () if e.role == "button"]
    return [actions.tap(*next(b for b in buttons if wanted in (None, b.text)).center)]


def own_goal(name: str, seed: int) -> str:
    """How the task words the goal of a seed on a page that Playwright alone has opened.

    BrowserGym's own environment starts a second browser for its chat, of which nobody can say
    where it is.
    """
    from browsergym.miniwob.all import EnterTextTask
    from playwright.sync_api import sync_playwright

    assert EnterTextTask.get_task_id() == f"miniwob.{name}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        goal, _ = EnterTextTask(seed=seed).setup(browser.new_page())
        browser.close()
    return str(goal)


def main() -> None:
    suite = load_suite(SUITE)
    env, _ = env_on(device_factory(SUITE).make_device("page-0"))
    outcomes, goals, pictures = {}, {}, set()
    for task in suite.tasks("val")[: len(TASKS)]:
        name = task.template.removeprefix("miniwob.")
        seen = env.reset(task)
        goals[name] = env.goal  # type: ignore[attr-defined]
        for action in way(name, goals[name], seen):
            ended = env.step(action)
        outcomes[name] = str(ended.outcome)
        pictures.add((*seen.screen.shape, bool(np.ptp(seen.screen))))
    seeds = {task.template: task.seed for task in suite.tasks("val")[: len(TASKS)]}
    env.close()
    told = {
        "outcomes": outcomes,
        "all": len(load_suite("browsergym:miniwob").templates),
        "pictures": sorted(pictures),
        "same_goal": own_goal("enter-text", seeds["miniwob.enter-text"]) == goals["enter-text"],
    }
    print(json.dumps(told))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
