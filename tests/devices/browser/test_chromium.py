from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.devices.browser import chromium as module
from distrl.devices.browser.chromium import Chromium, find_chromium
from distrl.errors import ConfigError, DeviceLost, TaskError


def test_browser_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser = tmp_path / "my-browser"
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    monkeypatch.setenv("DISTRL_CHROMIUM", str(browser))
    assert find_chromium() == browser


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for what Playwright downloads, on a machine that has no browser."""
    monkeypatch.delenv("DISTRL_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    return tmp_path


def test_what_playwright_downloaded_is_found_the_newest_without_windows_first(bare: Path) -> None:
    names = (
        "chromium-1187/chrome-linux/chrome",
        "chromium_headless_shell-1187/chrome-linux/headless_shell",
        "chromium_headless_shell-1208/chrome-linux/headless_shell",
        "chromium_headless_shell-987/chrome-linux/headless_shell",
    )
    for name in names:
        (bare / name).parent.mkdir(parents=True)
        (bare / name).touch(mode=0o755)
    assert find_chromium() == bare / names[2]
    assert find_chromium(full=True) == bare / names[0]


@pytest.mark.usefixtures("bare")
def test_missing_browser_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        find_chromium()
    monkeypatch.setenv("DISTRL_CHROMIUM", "/no/such/browser")
    with pytest.raises(ConfigError, match="looked for: /no/such/browser"):
        find_chromium()


@pytest.mark.parametrize(
    ("path", "revision"),
    [
        ("x/chromium-1187/chrome-linux/chrome", 1187),
        ("x/chromium_headless_shell-987/chrome-linux/headless_shell", 987),
        ("x/chrome", 0),
    ],
)
def test_revision_is_the_number_of_the_folder(path: str, revision: int) -> None:
    assert module._revision(Path(path)) == revision


def test_browser_on_the_path_comes_before_what_was_downloaded(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloaded = bare / "chromium-1187" / "chrome-linux" / "chrome"
    downloaded.parent.mkdir(parents=True)
    downloaded.touch(mode=0o755)
    folder = bare / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    assert find_chromium() == downloaded
    for name in ("google-chrome", "chromium", "chromium-headless-shell"):
        (folder / name).touch(mode=0o755)
        assert find_chromium() == folder / name  # each is preferred to those before
    assert find_chromium(full=True) == folder / "chromium"


# The thread, without a browser in it


@pytest.fixture
def chromium() -> Iterator[Chromium]:
    made = Chromium(Path("/no/such/browser"))
    yield made
    made.close()


async def soon(value: object) -> object:
    await asyncio.sleep(0)
    return value


def test_work_is_done_in_one_thread_for_all(chromium: Chromium) -> None:
    async def where() -> str:
        return threading.current_thread().name

    answers: list[str] = []

    def ask() -> None:
        answers.append(chromium.call(where(), doing="asking", timeout=10.0))

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert answers == ["chromium"] * 5


def test_work_that_takes_too_long_is_lost(chromium: Chromium) -> None:
    with pytest.raises(DeviceLost, match=r"phone-3: waiting: no answer within 0\.02 s"):
        chromium.call(asyncio.sleep(60), doing="phone-3: waiting", timeout=0.02)
    assert chromium.call(soon(5), doing="x", timeout=10.0) == 5


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("first line\nCall log:\n - more"), "x: first line"),
        (ValueError(), "x: ValueError"),
        (KeyError("id"), "x: 'id'"),
    ],
)
def test_whatever_goes_wrong_in_there_is_a_lost_device_in_one_line(
    chromium: Chromium, error: Exception, words: str
) -> None:
    async def fail() -> None:
        raise error

    with pytest.raises(DeviceLost) as caught:
        chromium.call(fail(), doing="x", timeout=10.0)
    assert str(caught.value) == words
    assert caught.value.__cause__ is error


def test_error_of_a_task_stays_one(chromium: Chromium) -> None:
    async def fail() -> None:
        raise TaskError("a script failed")

    with pytest.raises(TaskError, match="a script failed"):
        chromium.call(fail(), doing="x", timeout=10.0)


def test_browser_that_has_not_been_started_answers_and_is_not_killed(
    chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append((pid, number)))
    assert chromium.answers()
    assert (chromium.pid, chromium.starts) == (None, 0)
    chromium.kill()
    assert killed == []
    chromium.pid = 2**30
    chromium.kill()
    assert killed == [(2**30, signal.SIGKILL)]


def test_process_that_is_gone_already_is_killed_without_an_error(chromium: Chromium) -> None:
    chromium.pid = 2**30
    chromium.kill()


def test_browser_that_cannot_be_started_is_lost_and_can_be_tried_again(chromium: Chromium) -> None:
    for _ in range(2):
        with pytest.raises(DeviceLost, match="opening: "):
            chromium.call(chromium.browser(), doing="opening", timeout=30.0)
    assert chromium.starts == 0


def test_closed_browser_takes_no_more_work_and_leaves_no_thread() -> None:
    chromium = Chromium(Path("/no/such/browser"))
    chromium.close()
    chromium.close()
    assert not chromium._thread.is_alive()
    work = soon(1)
    with pytest.raises(DeviceLost, match="x: the browser is closed"):
        chromium.call(work, doing="x", timeout=1.0)
    with pytest.raises(RuntimeError, match="cannot reuse"):
        work.send(None)  # it was closed, so that nobody is warned of it
