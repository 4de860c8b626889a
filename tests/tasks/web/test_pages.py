"""Pages of MiniWoB++ in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tests.devices.browser.browsers import find, needs_chromium

from distrl import actions
from distrl.devices.browser.device import BrowserDevice
from distrl.envs.device_kinds import device_factory, env_on
from distrl.envs.page_env import PageEnv
from distrl.errors import DeviceLost
from distrl.interfaces import Transition
from distrl.tasks.suites import load_suite
from distrl.tasks.web.miniwob import SNUG, STAYS
from distrl.tasks.web.suite import PageSuite, PageTask
from distrl.types import Observation, Outcome, Task

pytest.importorskip("miniwob", reason="miniwob is not installed: pip install 'distrl[browser]'")
pytestmark = [pytest.mark.browser, pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def env() -> Iterator[PageEnv]:
    made, _ = env_on(device_factory("miniwob").make_device("page-0"))
    assert isinstance(made, PageEnv)
    yield made
    made.close()


def task_of(name: str, turn: int = 0, split: str = "train") -> Task:
    return load_suite(f"miniwob:{name}").tasks(split)[turn]


def shown(seen: Observation) -> tuple[object, ...]:
    return seen.app, seen.keyboard, seen.elements


@pytest.mark.timeout(1200)
def test_every_task_opens_asks_and_can_be_acted_on(env: PageEnv) -> None:
    silent, faults = [], []
    for name in load_suite("miniwob").templates:
        env.reset(task_of(name))
        if not env.goal or env.goal == task_of(name).goal:
            silent.append(name)
        faults += [name] if env.step(actions.tap(0.98, 0.98)).fault else []
    assert (silent, faults) == ([], [])


@pytest.mark.parametrize("name", sorted(STAYS))
def test_same_seed_gives_the_same_page_on_a_loaded_and_on_a_new_page(
    env: PageEnv, name: str
) -> None:
    new, _ = env_on(device_factory("miniwob").make_device("page-4"))
    assert isinstance(new, PageEnv)
    first = new.reset(task_of(name, 3))
    goal = new.goal
    assert first.elements
    assert first.screen is not None
    new.close()
    other = "click-test" if name != "click-test" else "click-link"
    for which, turn in ((name, 1), (other, 1), (name, 2)):  # whatever was done leaves no trace
        seen = env.reset(task_of(which, turn))
        for element in (seen.elements or ())[:2]:
            if env.step(actions.tap(*element.center)).outcome is not None:
                break
    again = env.reset(task_of(name, 3))
    assert (env.goal, shown(again)) == (goal, shown(first))
    np.testing.assert_array_equal(again.screen, first.screen)


def test_seeds_give_different_pages(env: PageEnv) -> None:
    goals = set()
    for turn in range(6):
        env.reset(task_of("click-button", turn))
        goals.add(env.goal)
    assert len(goals) > 2


@pytest.mark.parametrize("name", sorted(SNUG))
def test_a_window_of_its_own_size_changes_nothing_on_a_page(
    env: PageEnv, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [task_of(name, turn) for turn in range(3)]

    def played() -> list[tuple[object, ...]]:
        found = []
        for task in tasks:
            seen = env.reset(task)
            found.append((*shown(seen), seen.screen.tobytes()))
            # A list opens in a sheet that covers the window, so it is larger in a larger one.
            if name != "choose-list":
                seen = env.step(actions.tap(*(seen.elements or ())[-1].center)).observation
                found.append((*shown(seen), seen.screen.tobytes()))
        return found

    snug, page_of, suite = played(), PageSuite.page, load_suite("miniwob")
    assert isinstance(suite, PageSuite)
    assert suite.page(name).site.window is None

    def roomy(suite: PageSuite, template: str) -> PageTask:
        page = page_of(suite, template)
        return replace(page, site=replace(page.site, window=(340, 320)))

    monkeypatch.setattr(PageSuite, "page", roomy)
    assert played() == snug


def test_pages_that_stay_are_not_loaded_again() -> None:
    device = device_factory("miniwob").make_device("page-1")
    assert isinstance(device, BrowserDevice)
    env, _ = env_on(device)
    for name, stays in (("click-test", True), ("click-dialog", False)):
        env.reset(task_of(name, 0))
        device.run("window.mark = 1")
        env.reset(task_of(name, 1))
        assert device.evaluate("window.mark === 1") is stays
    device.close()


def test_pages_that_stay_are_there_again_after_others() -> None:
    device = device_factory("miniwob").make_device("page-2")
    assert isinstance(device, BrowserDevice)
    env, _ = env_on(device)
    env.reset(task_of("click-test", 0))
    device.run("window.mark = 1")
    shown = {}
    for name in ("click-button", "click-dialog", "click-test", "click-button"):
        shown[name] = env.reset(task_of(name, 1)).elements
        assert device.evaluate("location.pathname") == f"/miniwob/{name}.html"
        assert device.evaluate("window.mark === 1") is (name == "click-test")
    assert shown["click-button"] != shown["click-test"]
    device.close()


def test_pages_that_stay_are_opened_again_after_a_crash() -> None:
    device = device_factory("miniwob").make_device("page-3")
    assert isinstance(device, BrowserDevice)
    env, _ = env_on(device)
    for name in ("click-test", "click-button"):
        env.reset(task_of(name, 0))
    with pytest.raises(DeviceLost):
        device._call(device._page()._session.send("Page.crash"), "crashing")
    for name in ("click-test", "click-button"):
        assert env.reset(task_of(name, 1)).elements
    device.close()


def play(env: PageEnv, name: str, turn: int, *texts: str) -> Transition:
    """Tap what says so, one after the other; what starts with `>` is typed."""
    seen = env.reset(task_of(name, turn))
    for text in texts:
        if text.startswith(">"):
            moved = env.step(actions.type_text(text[1:]))
        else:
            moved = env.step(actions.tap(*find(seen, text).center))
        seen = moved.observation
    return moved


def quoted(env: PageEnv, name: str, turn: int) -> list[str]:
    env.reset(task_of(name, turn))
    return env.goal.split('"')[1::2]


def test_page_says_what_an_episode_was_worth(env: PageEnv) -> None:
    (wanted,) = quoted(env, "click-button", 0)
    assert play(env, "click-button", 0, wanted).outcome is Outcome.SUCCEEDED
    seen = env.reset(task_of("click-button", 0))
    (other, *_) = [e.text for e in seen.elements or () if e.role == "button" and e.text != wanted]
    assert play(env, "click-button", 0, other).outcome is Outcome.FAILED
    env.reset(task_of("click-test", 0))
    for _ in range(9):
        assert env.step(actions.wait()).outcome is None
    assert env.step(actions.wait()).outcome is Outcome.STEP_LIMIT


def test_tasks_with_typing_lists_and_boxes_can_be_solved(env: PageEnv) -> None:
    user, password = quoted(env, "login-user", 0)
    line = ("Username", f">{user}", "Password", f">{password}", "Login")
    seen = env.reset(task_of("login-user", 0))
    fields = [e for e in seen.elements or () if e.editable]
    for field, text in zip(fields, line[1::2], strict=True):
        env.step(actions.tap(*field.center))
        env.step(actions.type_text(text[1:]))
    moved = env.step(actions.tap(*find(env.step(actions.wait()).observation, "Login").center))
    assert moved.outcome is Outcome.SUCCEEDED

    seen = env.reset(task_of("choose-list", 0))
    wanted = env.goal.removeprefix("Select ").partition(" from the list")[0]
    shown_now = next(e.text for e in seen.elements or () if e.text != "Submit")
    clicks = ["Submit"] if shown_now == wanted else [shown_now, wanted, "Submit"]
    assert play(env, "choose-list", 0, *clicks).outcome is Outcome.SUCCEEDED

    env.reset(task_of("click-option", 0))
    wanted = env.goal.removeprefix("Select ").partition(" and click")[0]
    assert play(env, "click-option", 0, wanted, "Submit").outcome is Outcome.SUCCEEDED
