"""The real verifiers, in an environment of its own: it cannot share one with the newest mcp."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.own_environment import ROOT, make_own_python

VERSION = "verifiers==0.4.0"


@pytest.fixture(scope="module")
def own_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has verifiers, and everything else from this environment."""
    return make_own_python(tmp_path_factory.mktemp("verifiers"), VERSION, unpinned=["mcp"])


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_episode_of_the_phone_under_verifiers(own_python: Path, tmp_path: Path) -> None:
    played = subprocess.run(
        [own_python, "-m", "tests.integrations.verifiers_episode", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "NO_KEY": "none"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout.splitlines()[-1])
    assert told == {
        "ok": True,
        "errors": [],
        "tasks": 24,
        "task": "starter/val/0",
        "reward": 0.0,
        "outcome": "false_complete",
        "pictures": [1, 2, 3, 4],
    }
