"""BrowserGym's tasks as they are written, on a page of Playwright."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.devices.browser.browsers import find, needs_chromium
from tests.tasks.browsergym.toy import ToyTask, toy

from distrl import actions
from distrl.devices.playwright.device import PlaywrightDevice
from distrl.envs.device_kinds import device_factory, env_on
from distrl.envs.page_env import PageEnv
from distrl.errors import DeviceLost, TaskError
from distrl.tasks.suites import find_task
from distrl.types import Action, Outcome, Task

pytestmark = [
    pytest.mark.browser,
    needs_chromium,
    pytest.mark.usefixtures("toy"),
]
__all__ = ["toy"]
pytest.importorskip("playwright", reason="Playwright is not installed")


@pytest.fixture(scope="module")
def device() -> Iterator[PlaywrightDevice]:
    made = PlaywrightDevice("page-0")
    yield made
    made.close()


@pytest.fixture
def env(device: PlaywrightDevice) -> PageEnv:
    made, oracle = env_on(device)
    assert isinstance(made, PageEnv)
    assert oracle is None
    return made


def task_named(name: str, number: int = 0) -> Task:
    return find_task(f"browsergym:miniwob.{name}/val/{number}")


def test_a_task_is_set_up_on_its_own_page_and_words_its_goal(env: PageEnv) -> None:
    seen = env.reset(task_named("press", 2))
    assert env.goal == "Mail number 1000002"
    assert [e.text for e in seen.elements or ()] == ["", "Send"]
    assert seen.app == "Mail"
    assert seen.screen.shape == (200, 300, 3)


def test_the_task_ends_the_episode_when_it_is_done(env: PageEnv) -> None:
    seen = env.reset(task_named("press"))
    typed = env.step(actions.tap(*find(seen, "To").center))
    assert (typed.outcome, typed.observation.keyboard) == (None, True)
    env.step(actions.type_text("Ann"))
    ended = env.step(actions.tap(*find(seen, "Send").center))
    assert (ended.outcome, ended.reward, ended.terminated) == (Outcome.SUCCEEDED, 1.0, True)
    assert [e.text for e in ended.observation.elements or ()] == ["Ann", "Sent"]
    (verdict,) = env.verdicts()
    assert (verdict.judge, verdict.success) == ("task", True)


def test_a_task_that_is_done_without_reward_has_failed(env: PageEnv) -> None:
    seen = env.reset(task_named("lost"))
    ended = env.step(actions.tap(*find(seen, "Send").center))
    assert (ended.outcome, ended.reward) == (Outcome.FAILED, 0.0)


@pytest.mark.parametrize(
    ("name", "said", "outcome"),
    [
        ("ask", actions.answer("42"), Outcome.SUCCEEDED),
        ("ask", actions.answer("43"), Outcome.FALSE_COMPLETE),
        ("ask", actions.complete(), Outcome.FALSE_COMPLETE),
        ("ask", actions.infeasible(), Outcome.FAILED),
        ("refuse", actions.infeasible(), Outcome.SUCCEEDED),
        ("refuse", actions.answer("no"), Outcome.FALSE_COMPLETE),
        ("press", actions.complete(), Outcome.FALSE_COMPLETE),
    ],
)
def test_a_declared_end_is_a_message_to_the_task(
    env: PageEnv, name: str, said: Action, outcome: Outcome
) -> None:
    env.reset(task_named(name))
    assert env.step(said).outcome is outcome


def test_a_task_is_torn_down_before_the_next_one_and_with_the_device() -> None:
    device = device_factory("browsergym:miniwob.press").make_device("page-1")
    env, _ = env_on(device)
    env.reset(task_named("press", 0))
    env.reset(task_named("press", 1))
    assert ToyTask.torn_down == [1_000_000]
    env.close()
    assert ToyTask.torn_down == [1_000_000, 1_000_001]


def test_what_goes_wrong_in_a_task_is_the_fault_of_the_task(env: PageEnv) -> None:
    with pytest.raises(
        TaskError, match=r"setting up miniwob\.broken: KeyError\('no such record'\)"
    ):
        env.reset(task_named("broken"))
    env.reset(task_named("confused"))
    ended = env.step(actions.wait())
    assert (ended.outcome, ended.truncated) == (Outcome.TASK_ERROR, True)
    assert "no such state" in ended.fault
    env.reset(task_named("press"))  # and the page goes on


def test_a_browser_that_dies_costs_one_episode(env: PageEnv, device: PlaywrightDevice) -> None:
    seen = env.reset(task_named("press"))
    browser = device._browser
    assert browser is not None
    browser.kill()
    ended = env.step(actions.tap(*find(seen, "Send").center))
    assert (ended.outcome, ended.truncated) == (Outcome.DEVICE_LOST, True)
    with pytest.raises(DeviceLost):
        device.observe()
    assert find(env.reset(task_named("press")), "Send")
