"""The page of runs in a real browser that must not complain."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import make_synthetic_runs
from distrl.config import RunConfig
from distrl.run.state.folder import RunFolder, create_run
from distrl.web.serve import Served, serving

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect

from distrl.bench.dashboard.screenshots import browsing, settled, watched_page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PATIENT = 30_000
WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENT)
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve sound runs, and three that are broken in different ways; one folder is empty."""
    parent = tmp_path_factory.mktemp("runs")
    folders = make_synthetic_runs(parent, episodes=120)
    for name in ("bad-store", "bad-settings", "half-written"):
        shutil.copytree(folders[0].root, parent / name)
    (parent / "bad-store" / "episodes.sqlite").write_bytes(b"no database" * 1000)
    (parent / "bad-settings" / "config.yaml").write_text("seed: [")
    (parent / "half-written" / "progress.json").write_text('{"seconds": 12')
    (parent / "empty").mkdir()
    return parent


@pytest.fixture(scope="module")
def served(parent: Path) -> Iterator[Served]:
    with serving([parent]) as served:
        yield served


@pytest.fixture(params=list(WIDTHS.values()), ids=list(WIDTHS))
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    width, height = request.param
    with watched_page(browser, width=width, height=height) as (opened, wrong):
        yield opened
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert wrong == []


def enter(page: Page, served: Served, query: str = "") -> None:
    page.goto(served.address)
    settled(page)
    page.goto(f"{served.origin}/#/runs{query}")
    settled(page)


def test_it_opens_with_the_newest_run_and_the_page_of_runs_is_a_click_away(
    page: Page, served: Served
) -> None:
    page.goto(served.address)
    settled(page)
    assert page.input_value("#top select") == "general-a-ride-seed2"
    expect(page.locator("#content h1")).to_have_text("general-a-ride-seed2")
    page.click("#pages a:has-text('Runs')")
    settled(page)
    assert page.evaluate("location.hash").startswith("#/runs?")
    first = page.locator("#runs tbody tr[data-row]:not(.broken)").first
    expect(first).to_contain_text("general-a-ride")
    assert first.locator("input").is_checked()
    expect(page.locator("#overlay .pick")).to_have_count(1)
    page.click(".brand")
    settled(page)
    assert page.inner_text("#content h1") == "Runs"
    page.keyboard.press("1")
    expect(page.locator("#content h1")).to_have_text("general-a-ride-seed2")
    page.keyboard.press("0")
    expect(page.locator("#content h1")).to_have_text("Runs")
    settled(page)


def test_seeds_are_one_row_that_unfolds_to_its_runs(page: Page, served: Served) -> None:
    enter(page, served)
    expect(page.locator("#runs tbody tr[data-row]")).to_have_count(9)
    group = page.locator("#runs tbody tr[data-row]").filter(has_text="general-a-ride").first
    expect(group).to_contain_text("3 runs")
    expect(group).to_contain_text("seeds 0, 1, 2")
    group.locator(".fold").click()
    expect(page.locator("#runs tr.inside")).to_have_count(3)
    expect(page.locator("#runs tr.inside").nth(1)).to_contain_text("general-a-ride-seed1")
    page.locator("#runs .fold[aria-expanded=true]").click()
    expect(page.locator("#runs tr.inside")).to_have_count(0)


def test_five_are_laid_over_one_another_on_any_axis_with_what_differs(
    page: Page, served: Served
) -> None:
    enter(page, served)
    boxes = page.locator("#runs tbody tr[data-row]:not(.broken) input[type=checkbox]")
    for number in range(5):
        boxes.nth(number).check()
    expect(page.locator("#overlay .pick")).to_have_count(5)
    page.wait_for_function(
        "() => document.querySelectorAll('#overlay .plot.large .scatterlayer .trace').length >= 10"
    )
    expect(page.locator("#differences")).to_contain_text("algorithm.name")
    expect(page.locator("#differences th")).to_have_count(6)
    page.click("#overlay .segments button:has-text('Updates')")
    expect(page.locator("#overlay .plot.large")).to_contain_text("updates")
    page.click("#overlay summary")
    page.wait_for_selector("#overlay-entropy .main-svg")
    page.click("#templates summary")
    expect(page.locator("#templates tbody tr").first).to_be_visible()
    address = page.evaluate("location.hash")
    page.reload()
    settled(page)
    assert page.evaluate("location.hash") == address
    expect(page.locator("#overlay .pick")).to_have_count(5)
    for left in (4, 3, 2, 1, 0):
        page.locator("#overlay .pick .drop").first.click()
        expect(page.locator("#overlay .pick")).to_have_count(left)
    expect(page.locator("#beneath")).to_be_hidden()
    expect(page.locator("#overlay")).to_contain_text("Tick a run")
    settled(page)


def test_the_best_of_each_suite_are_listed_and_ties_are_marked(page: Page, served: Served) -> None:
    enter(page, served)
    suites = page.locator("#bests .suite")
    expect(suites).to_have_count(2)
    best = suites.first.locator("li").first
    expect(best).to_contain_text("general-a-ride")
    expect(best).to_contain_text("128 tasks")
    expect(best).to_contain_text("step-12")
    expect(best.locator(".chip")).to_have_count(0)
    tied = suites.first.locator("li").filter(has_text="general-ppo")
    expect(tied.locator(".chip")).to_have_text("tied")
    expect(suites.first).to_contain_text("cannot be told apart")


def test_a_broken_folder_is_shown_with_its_reason_beside_the_others(
    page: Page, served: Served
) -> None:
    enter(page, served)
    for name, why in (
        ("bad-store", "not an episode store"),
        ("bad-settings", "not YAML"),
        ("half-written", "progress.json cannot be read"),
    ):
        broken = page.locator(f"tr[data-row='{name}']")
        expect(broken.locator(".chip.bad:visible")).to_have_text("broken")
        expect(broken.locator("xpath=following-sibling::tr[1]")).to_contain_text(why)
    broken.locator("input").check()
    expect(page.locator("#overlay .pick")).to_have_count(2)
    expect(page.locator("#overlay .pick").nth(1)).to_contain_text("damaged")
    settled(page)


def test_the_table_is_sorted_and_filtered_and_the_address_keeps_it(
    page: Page, served: Served
) -> None:
    enter(page, served)
    rows = page.locator("#runs tbody tr[data-row]")
    page.select_option("select[aria-label='Sort by']", "after")
    expect(rows.first).to_contain_text("general-a-ride")
    expect(rows.last).to_contain_text("half-written")
    page.select_option("select[aria-label=Suite]", "shopping/test")
    expect(rows).to_have_count(2)
    page.fill("#runs input[type=search]", "digirl")
    expect(rows).to_have_count(1)
    page.reload()
    settled(page)
    expect(rows).to_have_count(1)
    page.fill("#runs input[type=search]", "no such thing")
    expect(page.locator("#runs tbody")).to_contain_text("no run is like this")
    page.fill("#runs input[type=search]", "")
    page.select_option("select[aria-label=Suite]", "")
    page.select_option("select[aria-label=State]", "broken")
    expect(rows).to_have_count(3)
    if page.is_visible(".sort:has-text('minutes')"):
        page.click(".sort:has-text('minutes')")
        expect(page.locator("th[aria-sort=descending]")).to_contain_text("minutes ↓")
        page.click(".sort:has-text('minutes')")
        expect(page.locator("th[aria-sort=ascending]")).to_contain_text("minutes ↑")


def test_a_run_that_begins_or_is_removed_while_the_page_is_open_is_told(
    browser: Browser, tmp_path: Path
) -> None:
    create_run(tmp_path / "first", RunConfig(seed=1))
    with serving([tmp_path]) as served, watched_page(browser) as (page, wrong):
        enter(page, served)
        expect(page.locator("#runs tbody tr[data-row]")).to_have_count(1)
        second = create_run(tmp_path / "second", RunConfig(minutes=99)).root
        expect(page.locator("#runs tbody tr[data-row]")).to_have_count(2)
        with RunFolder(second).lock("run"):
            expect(page.locator("tr[data-row=second] .chip:visible")).to_have_text("running")
        shutil.rmtree(second)
        expect(page.locator("tr[data-row=second] + tr")).to_contain_text("is no longer there")
        assert wrong == []
