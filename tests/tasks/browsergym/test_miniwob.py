"""The real browsergym-miniwob, in an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.devices.browser.browsers import needs_chromium
from tests.own_environment import ROOT, make_own_python

VERSION = "browsergym-miniwob==0.13.3"


@pytest.mark.slow
@pytest.mark.browser
@needs_chromium
@pytest.mark.timeout(1200)
def test_clicks_that_do_what_is_asked_succeed_in_the_real_tasks(tmp_path: Path) -> None:
    package = pytest.importorskip("miniwob", reason="the pages are those of the package miniwob")
    pages = (Path(package.__file__).parent / "html" / "miniwob").as_uri() + "/"
    python = make_own_python(tmp_path, VERSION)

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [python, *arguments],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
                "MINIWOB_URL": pages,
            },
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    told = json.loads(run("-m", "tests.tasks.browsergym.miniwob_episodes").splitlines()[-1])
    assert set(told["outcomes"].values()) == {"succeeded"}, told
    assert told["all"] == 125
    assert told["pictures"] == [[320, 500, 3, True]]
    assert told["same_goal"], "the same seed gives another task than in BrowserGym itself"
    page = (ROOT / "docs" / "integrations.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n([^`]*browsergym[^`]*)^```", page, re.MULTILINE)
    assert run("-c", block).splitlines()[-1] == "Click the button. 1.0"
