from __future__ import annotations

from pathlib import Path

import pytest
from tests.devices.browser.browsers import needs_chromium

from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite
from distrl.tasks.web.suite import PageSuite
from distrl.tasks.web.trial import require_working_checks, try_checks

PAGE = "<script>const subscribers = [];</script>"
SUITE = """
name: letters
url: http://letters.test/
folder: app
tasks:
  right:
    goals: [Subscribe]
    check: subscribers.includes('anna')
  mistyped:
    goals: [Subscribe]
    check: subscriber.includes('anna')
  unclosed:
    goals: [Subscribe]
    check: subscribers.includes('anna'
  eager:
    goals: [Subscribe]
    check: subscribers.length === 0
  python:
    goals: [Subscribe]
    check_python: checks:subscribed
  unready:
    goals: [Subscribe]
    reset: subscriber.clear()
    check: subscribers.includes('anna')
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "index.html").write_text(PAGE)
    (tmp_path / "checks.py").write_text("def subscribed(device, task): return task.nothing\n")
    (tmp_path / "suite.yaml").write_text(SUITE)
    return str(tmp_path / "suite.yaml")


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_each_check_is_asked_on_a_fresh_page(path: str) -> None:
    suite = load_suite(path)
    assert isinstance(suite, PageSuite)
    trials = {trial.task.template: trial for trial in try_checks(suite)}
    held = {name: trial.held for name, trial in trials.items()}
    wrong = dict.fromkeys(("mistyped", "unclosed", "python", "unready"), None)
    assert held == {"right": False, "eager": True, **wrong}
    said = "(suite.yaml, line 11) fails on http://letters.test/: ReferenceError: subscriber is not"
    assert said in trials["mistyped"].fault
    assert "line 14) fails on http://letters.test/: a script" in trials["unclosed"].fault
    assert "SyntaxError" in trials["unclosed"].fault
    assert "AttributeError" in trials["python"].fault
    assert "ReferenceError" in trials["unready"].fault


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_all_checks_that_throw_are_told_at_once_before_a_run(path: str) -> None:
    with pytest.raises(ConfigError) as told:
        require_working_checks(path)
    lines = str(told.value).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        *("mistyped", "unclosed", "python", "unready"),
    ]


@pytest.mark.parametrize("suite", ["general", "miniwob:click-test"])
def test_suites_that_ship_with_the_package_open_no_page(
    suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if suite != "general":
        pytest.importorskip("miniwob")
    monkeypatch.setattr("distrl.tasks.web.trial.BrowserDevice", None)
    require_working_checks(suite)
