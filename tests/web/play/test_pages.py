"""The page of `distrl play` in a real browser that must not complain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.web.play.sessions import DEADLINE, OPENED, QUIET, TIMER, GatedPhone, session_on

from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_kinds import NoOracle, env_on
from distrl.policies import make_policy
from distrl.run.state.episode_sources import open_episodes
from distrl.tasks.suites import load_suite
from distrl.types import Action, Key, Kind, Task
from distrl.web.play.app import Stage, make_app
from distrl.web.play.catalogue import Catalogue
from distrl.web.play.serve import Show, playing
from distrl.web.serve import Place, Served, Site, serving_site

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect

from distrl.bench.dashboard.screenshots import browsing, watched_page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PATIENT = 60_000
WEBAPP = Path(__file__).resolve().parents[3] / "examples" / "webapp" / "suite.yaml"
WIDTHS = pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENT)
    with browsing() as opened:
        yield opened


@contextmanager
def opened(
    browser: Browser, served: Served, width: int = 1440, height: int = 900
) -> Iterator[Page]:
    """The page, which must fit its window and have nothing to complain about."""
    with watched_page(browser, width=width, height=height) as (page, wrong):
        page.goto(served.address)
        page.wait_for_selector("#frame[data-screen]")
        page.wait_for_selector("#list button")
        yield page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert wrong == []


def show(folder: Path, task: Task = TIMER, *policies: str) -> Show:
    return Show(task=task.id, policies=policies, demonstrations=folder / "demos", phone=QUIET)


def way_of(task: Task) -> list[Action]:
    """What the oracle does, for the person to do the same."""
    env, oracle = env_on(PhoneDevice("shown", QUIET))
    policy = make_policy("scripted", oracle or NoOracle(task.suite))
    episode = run_episode(env, policy, task, clock=RealClock(), episode_id="shown")
    return [step.choice.action for step in episode.steps]


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    box = page.locator(".glass").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


KEYS = {Key.BACK: "Escape", Key.ENTER: "Enter"}


def do_by_hand(page: Page, action: Action) -> None:
    """The same with mouse and keyboard."""
    match action.kind:
        case Kind.TAP:
            page.mouse.click(*at(page, action.x, action.y))
        case Kind.SWIPE:
            page.mouse.move(*at(page, action.x, action.y))
            page.mouse.down()
            page.mouse.move(*at(page, action.x2, action.y2), steps=4)
            page.mouse.up()
        case Kind.TYPE:
            page.keyboard.type(action.text)
        case Kind.PRESS if action.key is Key.HOME:
            page.click("#key-home")
        case Kind.PRESS:
            assert action.key is not None
            page.keyboard.press(KEYS[action.key])
        case Kind.COMPLETE:
            page.click("#key-done")
        case Kind.ANSWER:
            page.click("#key-answer")
            page.fill("#answer", action.text)
            page.click("#answer-send")
        case _:
            raise AssertionError(action)


def steps(page: Page, count: int) -> None:
    expect(page.locator("#history li")).to_have_count(count)


@WIDTHS
def test_a_task_is_played_by_hand_to_success_and_kept_for_training(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    with (
        playing(show(tmp_path), Place()) as served,
        opened(browser, served, width, height) as page,
    ):
        assert "token" not in page.url
        expect(page.locator("#goal h1")).to_have_text(TIMER.goal)
        way = way_of(TIMER)
        assert {Kind.TAP, Kind.TYPE} <= {action.kind for action in way}
        for number, action in enumerate(way, 1):
            do_by_hand(page, action)
            steps(page, number)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator("#verdict")).to_contain_text("Success")
        expect(page.locator("#verdict")).to_contain_text("No side effects")
        page.click("#keep")
        expect(page.locator("#keep")).to_have_text("✓ Kept as demonstration")
        expect(page.locator("#kept")).to_contain_text(TIMER.id)
        page.click("#next")
        expect(page.locator("#goal h1")).not_to_have_text(TIMER.goal)
    with open_episodes(tmp_path / "demos") as source:
        (episode,) = source.episodes
    assert episode.succeeded
    assert [step.choice.action.kind for step in episode.steps] == [action.kind for action in way]


def test_mouse_wheel_and_keys_are_the_actions_of_a_hand(browser: Browser, tmp_path: Path) -> None:
    with playing(show(tmp_path, OPENED), Place()) as served, opened(browser, served) as page:
        page.click("#key-home")
        steps(page, 1)
        page.mouse.move(*at(page, 0.5, 0.6))
        page.mouse.wheel(0, 120)
        steps(page, 2)
        page.keyboard.press("Escape")
        steps(page, 3)
        page.mouse.move(*at(page, 0.5, 0.5))
        page.mouse.down()
        steps(page, 4)  # while it is still down
        page.mouse.up()
        page.mouse.move(*at(page, 0.8, 0.5))
        page.mouse.down()
        page.mouse.move(*at(page, 0.2, 0.5), steps=4)
        page.mouse.up()
        steps(page, 5)
        page.click("#key-wait")
        steps(page, 6)
        told = page.locator("#history li").all_inner_texts()
        for line, words in zip(
            told,
            ["press Home", "swipe up", "press Back", "hold", "swipe left", "wait"],
            strict=True,
        ):
            assert words in line
        page.click("#key-never")
        expect(page.locator("#verdict")).to_contain_text("it can be done")
        page.click("#verdict >> text=Try again")
        expect(page.locator("#history")).to_contain_text("Nothing yet")


def test_letters_are_gathered_into_one_step_and_backspace_takes_the_last(
    browser: Browser, tmp_path: Path
) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served) as page:
        way = way_of(TIMER)
        place = next(i for i, action in enumerate(way) if action.kind is Kind.TYPE)
        for number, action in enumerate(way[:place], 1):
            do_by_hand(page, action)
            steps(page, number)
        expect(page.locator(".typing.on")).to_be_visible()
        page.keyboard.type("123")
        page.keyboard.press("Backspace")
        page.keyboard.press("Enter")
        steps(page, place + 1)
        expect(page.locator("#history li").last).to_contain_text("type “12”")
        expect(page.locator("#typing")).to_have_value("")
        page.keyboard.press("Backspace")
        steps(page, place + 2)
        page.keyboard.type("7")  # and a pause types it
        steps(page, place + 3)
        page.keyboard.type("8")
        page.mouse.click(*at(page, 0.5, 0.01))  # a tap does, too, and comes after it
        steps(page, place + 5)
        expect(page.locator("#history li").nth(place + 3)).to_contain_text("type “8”")


@WIDTHS
def test_a_policy_plays_pauses_is_taken_over_and_given_back(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    with (
        playing(show(tmp_path, TIMER, "scripted"), Place()) as served,
        opened(browser, served, width, height) as page,
    ):
        page.click("#run")
        expect(page.locator("#run")).to_have_text("Play")
        page.evaluate("document.querySelector('#restart').click()")
        expect(page.locator("#history")).to_contain_text("Nothing yet")
        expect(page.locator("#about-to")).to_contain_text("Next:")
        expect(page.locator(".glass .next, .glass .bubble")).to_have_count(1)
        page.click("#step")
        steps(page, 1)
        page.evaluate("scrollTo(0, 0)")
        page.mouse.click(*at(page, 0.5, 0.01))  # any touch takes over
        steps(page, 2)
        expect(page.locator("#now")).to_contain_text("You took over from scripted")
        expect(page.locator("#history li.you")).to_have_count(1)
        page.click("#give")
        expect(page.locator("#about-to")).to_contain_text("Next:")
        page.click("#hand")
        expect(page.locator("#now")).to_contain_text("Your turn")
        page.click("#hand")
        page.click("[data-pace='0']")
        page.click("#run")
        expect(page.locator("#verdict")).to_contain_text("Success")


def test_a_policy_is_chosen_on_the_page_and_says_how_sure_it_is(
    browser: Browser, tmp_path: Path
) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served) as page:
        expect(page.locator("#run")).to_be_hidden()
        page.select_option("#policy", "pretrained")
        page.click("#run")
        expect(page.locator("#run")).to_have_text("Play")
        expect(page.locator(".bars")).to_contain_text("sure of it")
        expect(page.locator(".bars")).to_contain_text("sees success at")
        page.select_option("#policy", "")
        expect(page.locator("#now")).to_contain_text("Your turn")


def test_tasks_are_searched_chosen_and_marked(browser: Browser, tmp_path: Path) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served) as page:
        page.click("#tasks button:has-text('val')")
        expect(page.locator("#list button[data-task^='general/val/']").first).to_be_visible()
        page.fill("#search", "alarm")
        expect(page.locator("#list button")).to_have_count(2)
        page.fill("#search", "xyzzy")
        expect(page.locator("#list")).to_contain_text("No goal has these words")
        page.fill("#search", "")
        page.select_option("#template", "open_app")
        first = page.locator("#list button").first
        expect(first).to_contain_text("open app")
        first.click()
        expect(first).to_have_attribute("aria-current", "")
        expect(page.locator("#goal .about")).to_contain_text("general/val/")
        page.click("#key-never")
        expect(first.locator(".mark")).to_have_text("✗")


def test_a_task_chosen_below_the_device_brings_the_device_back(
    browser: Browser, tmp_path: Path
) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served, 390, 844) as page:
        page.click("#top [aria-label=Tasks]")
        page.locator("#list button").nth(1).click()
        expect(page.locator("#goal h1")).not_to_have_text(TIMER.goal)
        expect(page.locator("#goal h1")).to_be_in_viewport()


def test_two_tabs_show_the_same_session(browser: Browser, tmp_path: Path) -> None:
    with (
        playing(show(tmp_path), Place()) as served,
        opened(browser, served) as one,
        opened(browser, served, 390, 844) as other,
    ):
        one.click("#key-home")
        steps(other, 1)
        other.mouse.click(*at(other, 0.5, 0.3))
        steps(one, 2)


def test_a_finger_taps_and_swipes_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with playing(show(tmp_path), Place()) as served:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        try:
            page = context.new_page()
            page.goto(served.address)
            page.wait_for_selector("#frame[data-screen]")
            page.touchscreen.tap(*at(page, 0.5, 0.3))
            steps(page, 1)
            expect(page.locator("#history li").last).to_contain_text("tap")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        finally:
            context.close()


@contextmanager
def on_gated_phones(folder: Path) -> Iterator[tuple[Served, list[GatedPhone]]]:
    phones: list[GatedPhone] = []

    def make() -> GatedPhone:
        phones.append(GatedPhone())
        return phones[-1]

    with session_on(folder, make_device=make) as session:
        stage = Stage(session, Catalogue.of("general"), ("scripted",), folder / "demos")
        site = Site(make_app(stage), stage.close)
        with serving_site(lambda _: site, Place(allow_control=True)) as served:
            yield served, phones


def test_a_slow_device_is_shown_as_busy_and_a_lost_one_is_started_over(
    browser: Browser, tmp_path: Path
) -> None:
    with on_gated_phones(tmp_path) as (served, phones), opened(browser, served) as page:
        phones[0].gate.clear()
        page.click("#key-home")
        page.click("#key-wait")
        page.click("#key-wait")
        expect(page.locator(".busy")).to_contain_text("2 waiting")
        phones[0].gate.set()
        steps(page, 3)
        expect(page.locator(".busy")).to_be_hidden()
        phones[0].lost = True
        page.click("#key-home")
        expect(page.locator("#verdict")).to_contain_text("the cable was pulled")
        page.click("#again")
        expect(page.locator("#now")).to_contain_text("Your turn")
        assert RealClock().wait_until(lambda: len(phones) == 2, timeout=DEADLINE)


def test_a_web_suite_is_played_on_its_page(browser: Browser, tmp_path: Path) -> None:
    chosen = Show(suite=str(WEBAPP), split="val", demonstrations=tmp_path / "demos")
    with playing(chosen, Place()) as served, opened(browser, served) as page:
        expect(page.locator("#frame")).to_have_class("frame page")
        page.click("#key-wait")
        steps(page, 1)
        page.select_option("#policy", "random")
        page.click("[data-pace='0']")
        expect(page.locator("#verdict")).to_be_visible()
        page.click("#keep")
        expect(page.locator("#kept code")).to_contain_text(f"tasks.suite={WEBAPP}")


LONG = "Write a note that says everything that has to be done before the guests arrive. " * 2


def test_a_goal_of_several_lines_leaves_the_keys_in_sight(browser: Browser, tmp_path: Path) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served) as page:
        page.evaluate("words => { document.querySelector('#goal h1').textContent = words }", LONG)

        def in_sight() -> bool:
            return bool(
                page.evaluate(
                    "() => document.querySelector('#goal h1').offsetHeight > 50 && "
                    "document.querySelector('.keys').getBoundingClientRect().bottom <= innerHeight"
                )
            )

        assert RealClock().wait_until(in_sight, timeout=DEADLINE, poll=0.05)


def test_after_taking_over_from_a_paused_policy_there_is_one_way_back(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        playing(show(tmp_path, TIMER, "scripted"), Place()) as served,
        opened(browser, served) as page,
    ):
        page.click("#run")
        expect(page.locator("#run")).to_have_text("Play")
        page.click("#hand")
        expect(page.locator("#hand")).to_have_text("Give back")
        expect(page.locator("#run")).to_be_hidden()
        page.click("#hand")
        expect(page.locator("#run")).to_have_text("Play")
        expect(page.locator("#run")).to_be_visible()


def test_a_question_is_answered_by_hand(browser: Browser, tmp_path: Path) -> None:
    asked = next(t for t in load_suite("questions").tasks("val") if t.template == "q_temperature")
    with playing(show(tmp_path, asked), Place()) as served, opened(browser, served) as page:
        way = way_of(asked)
        assert way[-1].kind is Kind.ANSWER
        for number, action in enumerate(way, 1):
            do_by_hand(page, action)
            steps(page, number)
        expect(page.locator("#verdict")).to_contain_text("Success")
        expect(page.locator("#verdict")).to_contain_text(f"“{way[-1].text}” is right")


def test_shift_takes_hold_of_things_and_taps_twice(browser: Browser, tmp_path: Path) -> None:
    with playing(show(tmp_path), Place()) as served, opened(browser, served) as page:
        page.keyboard.down("Shift")
        page.mouse.click(*at(page, 0.5, 0.02))
        steps(page, 1)
        page.mouse.move(*at(page, 0.5, 0.7))
        page.mouse.down()
        page.mouse.move(*at(page, 0.5, 0.5), steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        steps(page, 2)
        page.click("#key-recents")
        steps(page, 3)
        expect(page.locator("#history")).to_contain_text("tap twice")
        expect(page.locator("#history")).to_contain_text("drag")
        expect(page.locator("#history")).to_contain_text("press Recents")
