"""Pictures of every page, wide and narrow, light and dark, taken by a headless browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    TimeoutError,
    sync_playwright,
)

from distrl.errors import ConfigError, PipelineError, ResourceError

# A laptop and a phone.
WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
PAGES = ("overview", "fleet", "tasks", "episodes", "lag", "duel")
_DEADLINE_MS = 60_000


@contextmanager
def browsing() -> Iterator[Browser]:
    """A headless Chromium: the system's own, or the one that playwright installed."""
    system = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=system)
        except Error as cause:
            raise ConfigError(
                "no Chromium was found; install chromium, or run `playwright install chromium`"
            ) from cause
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def watched_page(
    browser: Browser, *, width: int = 1440, height: int = 900, dark: bool = False
) -> Iterator[tuple[Page, list[str]]]:
    """A page in a context of its own, and the list of whatever goes wrong on it."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.set_default_timeout(_DEADLINE_MS)
    wrong: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"{message.type}: {message.text}")

    page.on("console", note)
    page.on("pageerror", lambda error: wrong.append(f"page: {error}"))
    try:
        yield page, wrong
    finally:
        context.close()


def settled(page: Page) -> None:
    """Wait until the page shows what it was asked for."""
    page.wait_for_function(
        "() => document.querySelector('#content').dataset.shown === location.hash"
    )
    page.wait_for_function(
        "() => [...document.querySelectorAll('.plot')].every("
        "plot => plot.closest('details:not([open])') || plot.querySelector('.main-svg, .empty'))"
    )
    # Pictures below the fold are loaded when they come into view; here the whole page is.
    page.evaluate("() => [...document.images].forEach(i => { i.loading = 'eager' })")
    page.wait_for_function("() => [...document.images].every(i => i.complete)")


def has_episodes(page: Page, origin: str, run: str) -> bool:
    """Whether the page of episodes lists any, as it does not for a run that has just begun."""
    page.goto(f"{origin}/#/{quote(run)}/episodes")
    settled(page)
    return page.locator("#episodes tbody tr[tabindex]").count() > 0


def open_episode(page: Page, origin: str, run: str) -> None:
    """Open the player on the newest episode, with all that is known about its steps."""
    page.goto(f"{origin}/#/{quote(run)}/episodes")
    page.wait_for_selector("#episodes tbody tr[tabindex]")
    page.click("#episodes tbody tr[tabindex]")
    page.wait_for_selector("#steps")
    page.wait_for_function("() => !document.body.innerText.includes('Asking the newest')")


def take_screenshots(address: str, folder: Path) -> list[Path]:
    """A picture of the page of runs, of each page of the newest run, and of its player.

    There is none of the player if the run has no episodes.

    PipelineError when the browser's console reports anything wrong, ResourceError when the machine
    is too busy to draw a page in time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return _take(address, folder)
    except TimeoutError as error:
        raise ResourceError(
            f"a page was not drawn within {_DEADLINE_MS // 1000} s; the machine is busy: try again "
            f"when it is not. Pictures so far are in {folder}"
        ) from error


def _take(address: str, folder: Path) -> list[Path]:
    origin = address.split("/?")[0]
    taken: list[Path] = []
    with browsing() as browser:
        for name, (width, height) in WIDTHS.items():
            for dark in (False, True):
                with watched_page(browser, width=width, height=height, dark=dark) as (page, wrong):
                    page.goto(address)
                    settled(page)
                    run = page.input_value("#top select")
                    look = f"{name}-{'dark' if dark else 'light'}"
                    page.goto(f"{origin}/#/runs")
                    settled(page)
                    taken.append(_shoot(page, folder / f"runs-{look}.png"))
                    for part in PAGES:
                        page.goto(f"{origin}/#/{quote(run)}/{part}")
                        settled(page)
                        taken.append(_shoot(page, folder / f"{part}-{look}.png"))
                    if has_episodes(page, origin, run):
                        open_episode(page, origin, run)
                        settled(page)
                        taken.append(_shoot(page, folder / f"player-{look}.png"))
                    if wrong:
                        raise PipelineError("the page complained: " + "; ".join(wrong))
    return taken


def _shoot(page: Page, path: Path) -> Path:
    # On a picture of the whole page, what stays at the window's edge would lie across the middle.
    edge = "body { position: relative } #pages { position: absolute !important }"
    narrow = page.evaluate("() => getComputedStyle(document.querySelector('#pages')).position")
    page.screenshot(path=path, full_page=True, style=edge if narrow == "fixed" else "")
    return path
