"""Every page of a live run and of a finished one, in a real browser that must not complain."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from distrl.clock import RealClock
from distrl.collect.takeover import HUMAN
from distrl.config import RunConfig, load_run_config
from distrl.monitor.gauges import LAG
from distrl.monitor.jsonl import read_records
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.state.folder import create_run
from distrl.run.train import train
from distrl.types import Episode
from distrl.web.serve import Place, Served, serving

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, Route, expect

from distrl.bench.dashboard.screenshots import PAGES, browsing, open_episode, settled, watched_page
from distrl.bench.dashboard.synthetic_run import make_synthetic_run, play_some

pytestmark = [pytest.mark.slow, pytest.mark.browser]

DISTRL = (sys.executable, "-m", "distrl")
DEADLINE = 300.0
PATIENT = 120_000
SMALL = (
    "policy.width=16",
    "policy.heads=2",
    "policy.layers=1",
    "collect.devices=3",
    "evaluate.tasks=2",
    "evaluate.before=false",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENT)
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("runs") / "finished"
    config = load_run_config("debug", [*SMALL, "max_episodes=24", "learner.checkpoint_every=5"])
    train(config, run_dir=root)
    with serving([root]) as served:
        yield served


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sound run, a damaged one, one of another version, and one whose names do not fit a line."""
    parent = tmp_path_factory.mktemp("mixed")
    for name in ("sound", "damaged", "foreign"):
        make_synthetic_run(parent / name, 24)
    (parent / "damaged" / "episodes.sqlite").write_bytes(b"no database" * 1000)
    (parent / "damaged" / "progress.json").write_text("{{")
    settings = parent / "foreign" / "config.yaml"
    settings.write_text(settings.read_text() + "quantum: {flux: 3}\n")
    wide = create_run(parent / "wide", RunConfig())
    with SqliteStore(wide.episodes) as store:
        for number, episode in enumerate(play_some(2)):
            store.add(with_long_names(episode, number))
    with serving([parent]) as served:
        yield served


def with_long_names(episode: Episode, number: int) -> Episode:
    name = f"{'longnamewithoutanyspace_' * 4}{number}"
    return replace(
        episode,
        id=name,
        device=name,
        fault=name,
        task=replace(episode.task, id=name, goal=name, template=name),
        verdicts=tuple(replace(v, reason=name, side_effects=(name,)) for v in episode.verdicts),
    )


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """A run in a process of its own, watched by somebody who may control it."""
    root = tmp_path_factory.mktemp("runs") / "live"
    # Slow phones, so that an episode lasts longer than a click.
    settings = [*SMALL, "minutes=30", "max_episodes=null", "collect.latency=0.3"]
    process = subprocess.Popen(
        [*DISTRL, "train", "--recipe", "debug", *settings, "--run-dir", str(root), "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        collected = root / "metrics" / "collect.jsonl"

        def trains() -> bool:
            return process.poll() is not None or bool(read_records(collected))

        assert RealClock().wait_until(trains, timeout=DEADLINE, poll=0.5)
        assert process.poll() is None
        with serving([root], Place(allow_control=True)) as served:
            yield served, root
    finally:
        process.terminate()  # whoever runs the tests in the background has SIGINT ignored
        process.wait(DEADLINE)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with watched_page(browser) as (opened, wrong):
        yield opened
        assert wrong == []


def run_name(page: Page) -> str:
    return page.input_value("#top select")


def enter(page: Page, served: Served, part: str = "overview") -> str:
    page.goto(served.address)
    settled(page)
    name = run_name(page)
    if part != "overview":
        page.goto(f"{served.origin}/#/{quote(name)}/{part}")
        settled(page)
    return name


WIDTHS = pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])


@WIDTHS
def test_every_page_of_a_finished_run_opens_and_fits_the_screen(
    browser: Browser, finished: Served, width: int, height: int
) -> None:
    with watched_page(browser, width=width, height=height) as (page, wrong):
        name = enter(page, finished)
        for part in PAGES:
            page.goto(f"{finished.origin}/#/{quote(name)}/{part}")
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, part
            assert not page.is_visible(".error"), part
        open_episode(page, finished.origin, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert wrong == []


@WIDTHS
def test_damaged_and_foreign_runs_say_so_and_the_others_are_shown(
    browser: Browser, mixed: Served, width: int, height: int
) -> None:
    with watched_page(browser, width=width, height=height) as (page, wrong):
        enter(page, mixed)
        assert run_name(page) != "damaged"
        for run, said in (
            ("damaged", ["not an episode store", "progress.json cannot be read"]),
            ("foreign", ["does not know", "quantum: {'flux': 3}"]),
        ):
            page.goto(f"{mixed.origin}/#/{run}/overview")
            settled(page)
            for words in said:
                expect(page.locator(".alerts")).to_contain_text(words)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, run
        for part in PAGES:
            page.goto(f"{mixed.origin}/#/sound/{part}")
            settled(page)
            assert not page.is_visible(".error"), part
        assert wrong == []


@WIDTHS
def test_the_player_fits_the_screen_however_long_the_names_are(
    browser: Browser, mixed: Served, width: int, height: int
) -> None:
    with watched_page(browser, width=width, height=height) as (page, wrong):
        enter(page, mixed)
        open_episode(page, mixed.origin, "wide")
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cards = "[...document.querySelectorAll('.scroll')]"
        assert not page.evaluate(f"{cards}.some(e => e.scrollWidth > e.clientWidth)")
        page.goto(f"{mixed.origin}/#/wide/fleet")
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert wrong == []


@WIDTHS
def test_a_run_that_is_not_there_is_named_with_the_nearest_and_never_replaced(
    browser: Browser, mixed: Served, width: int, height: int
) -> None:
    with watched_page(browser, width=width, height=height) as (page, wrong):
        enter(page, mixed)
        page.goto(f"{mixed.origin}/#/sond/tasks")
        settled(page)
        expect(page.locator("#content")).to_contain_text(
            "there is no run named 'sond'; did you mean 'sound'?"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("3")
        page.click("#content a:has-text('sound')")
        settled(page)
        assert run_name(page) == "sound"
        assert wrong == []


def test_whoever_is_quicker_than_the_server_meets_no_error(browser: Browser, mixed: Served) -> None:
    with watched_page(browser) as (page, wrong):
        enter(page, mixed)
        held: list[Route] = []
        page.route("**/api/runs", lambda route: held.append(route))
        with page.expect_request("**/api/runs"):
            page.reload(wait_until="commit")
        page.evaluate("() => { location.hash = '#/sound/tasks' }")
        page.keyboard.press("2")
        page.evaluate("() => new Promise(done => setTimeout(done, 0))")
        held[0].continue_()
        page.wait_for_function("() => document.querySelector('#content').dataset.shown")
        assert page.inner_text("#content h1") == "Tasks"
        assert wrong == []


def test_the_fleet_of_a_run_that_ended_shows_its_last_screens(page: Page, finished: Served) -> None:
    enter(page, finished, "fleet")
    expect(page.locator(".device.last")).to_have_count(3)
    shown = "[...document.querySelectorAll('.device img')].filter(i => i.naturalWidth)"
    page.wait_for_function(f"() => {shown}.length === 3")
    page.locator(".device.last a").first.click()
    page.wait_for_selector("#steps")


def test_ratios_and_lag_say_what_they_are_of(page: Page, finished: Served) -> None:
    enter(page, finished, "lag")
    expect(page.locator("#histogram-ratio")).to_contain_text("newest 240 episodes only")
    expect(page.locator("#histogram-lag")).to_contain_text(LAG)
    enter(page, finished)
    expect(page.locator("#chart-lag")).to_contain_text(LAG)
    enter(page, finished, "episodes?ratio_low=0")
    expect(page.locator("#range-note")).to_contain_text("newest 240 episodes only")


def test_the_token_leaves_the_address_and_the_cookie_is_enough(
    page: Page, finished: Served
) -> None:
    enter(page, finished)
    assert "token" not in page.url
    page.goto(f"{finished.origin}/")
    settled(page)
    assert run_name(page) == "finished"


def test_filters_narrow_the_list_and_survive_a_reload(page: Page, finished: Served) -> None:
    enter(page, finished, "episodes")
    expect(page.locator("#content h1 + .row")).to_contain_text("24 episodes")
    outcome = page.locator("select[aria-label=outcome] option").nth(1).get_attribute("value")
    page.select_option("select[aria-label=outcome]", outcome)
    expect(page.locator("#content h1 + .row")).not_to_contain_text("24 episodes")
    narrowed = page.locator("#content h1 + .row span").inner_text()
    page.reload()
    settled(page)
    expect(page.locator("#content h1 + .row span")).to_have_text(narrowed)


def test_the_player_steps_with_clicks_and_keys(page: Page, finished: Served) -> None:
    name = enter(page, finished)
    open_episode(page, finished.origin, name)
    expect(page.locator("text=/^step 1 of/")).to_be_visible()
    assert page.locator("#steps tbody tr").first.locator("td").nth(2).inner_text()[0].isdigit()
    page.keyboard.press("ArrowRight")
    expect(page.locator("text=/^(step 2 of|the end)/")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("text=/^step 1 of/")).to_be_visible()
    page.click("button:has-text('Play')")
    expect(page.locator("text=/^the end$/")).to_be_visible()
    page.keyboard.press("[")
    expect(page.locator("text=/^step 1 of/")).to_be_visible()


def test_a_branch_shows_both_futures(page: Page, finished: Served) -> None:
    name = enter(page, finished)
    open_episode(page, finished.origin, name)
    page.click("text=Choose on the screen")
    page.click(".player .screen.active", position={"x": 40, "y": 60})
    assert page.input_value("#branch input").startswith("tap(")
    page.select_option("#branch select", "scripted")
    page.click("text=Show the other future")
    futures = page.locator("#futures")
    expect(futures).to_contain_text("same screens")
    assert futures.locator(".strip").count() == 2
    assert futures.locator("figure img").count() >= 3


def test_a_bar_of_the_microscope_leads_to_its_episodes(page: Page, finished: Served) -> None:
    enter(page, finished, "lag")
    page.click("#histogram-lag summary")
    bar = page.locator("#histogram-lag details button").first
    count = bar.inner_text().rsplit(": ", 1)[1]
    bar.click()
    expect(page.locator("#content h1 + .row")).to_contain_text(f"{count} episodes")


def test_two_checkpoints_play_the_same_tasks(page: Page, finished: Served) -> None:
    enter(page, finished, "duel")
    page.click("#duel button")
    expect(page.locator("#duel .pair-of")).to_have_count(4)
    assert page.locator("#duel .chip").count() == 8


def test_keys_lead_to_every_page_and_explain_themselves(page: Page, finished: Served) -> None:
    enter(page, finished)
    for number, part in enumerate(PAGES, 1):
        page.keyboard.press(str(number))
        page.wait_for_function(f"() => location.hash.endsWith('/{part}')")
        settled(page)
    page.keyboard.press("?")
    expect(page.locator("#help")).to_contain_text("step through an episode")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    page.wait_for_selector("#episodes tr[tabindex]")
    settled(page)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#steps")


def test_a_live_run_shows_its_pages_and_news(page: Page, live: tuple[Served, Path]) -> None:
    served, _ = live
    name = enter(page, served)
    expect(page.locator("#top .chip")).to_have_text("running")
    for part in PAGES:
        page.goto(f"{served.origin}/#/{quote(name)}/{part}")
        settled(page)
    before = page.inner_text("#facts")
    page.wait_for_function("was => document.querySelector('#facts').innerText !== was", arg=before)


def test_the_wall_shows_every_device_and_quarantine_works(
    page: Page, live: tuple[Served, Path]
) -> None:
    enter(page, live[0], "fleet")
    expect(page.locator(".device")).to_have_count(3)
    expect(page.locator(".device img")).to_have_count(3)
    first = page.locator(".device").first
    first.locator("button", has_text="Quarantine").click()
    expect(first.locator(".chip")).to_have_text("quarantined")
    expect(first).to_contain_text("by hand")
    first.locator("button", has_text="Release").click()
    expect(first.locator(".chip")).to_have_text("acting")


def test_the_fleet_of_a_run_that_evaluates_says_that_its_screens_are_the_last(
    page: Page, live: tuple[Served, Path]
) -> None:
    def age(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "fresh": False})

    page.route("**/api/runs/*/fleet", age)
    enter(page, live[0], "fleet")
    expect(page.locator("#content")).to_contain_text("these are the last screens of its devices")
    expect(page.locator(".device")).to_have_count(3)


def test_a_person_takes_a_device_over_and_the_steps_are_stored_as_theirs(
    page: Page, live: tuple[Served, Path]
) -> None:
    served, root = live
    enter(page, served, "fleet")
    expect(page.locator(".device img")).to_have_count(3)
    page.locator(".device a").nth(1).click()
    page.click("#take")
    expect(page.locator("#content")).to_contain_text("it waits for you")
    page.click(".screen.active", position={"x": 80, "y": 200})
    expect(page.locator("#content")).to_contain_text("tap(")
    page.click("button:has-text('done')")

    def stored() -> bool:
        with StoreReader(root / "episodes.sqlite") as store:
            return any(
                step.digest == HUMAN and step.log_prob is None
                for _, episode in store.read_after(0, 100_000)
                for step in episode.steps
            )

    assert RealClock().wait_until(stored, timeout=DEADLINE, poll=0.5)
    page.click("#give")
    page.wait_for_selector("#take")
