"""The real verifiers, in an environment of its own: it cannot share one with the newest mcp."""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = "verifiers==0.4.0"


@pytest.fixture(scope="module")
def own_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has verifiers, and everything else from this environment."""
    folder = tmp_path_factory.mktemp("verifiers")
    venv.create(folder, with_pip=True)
    own = next((folder / "lib").glob("python*")) / "site-packages"
    # Below its own packages, so that its mcp comes before ours.
    ours = [*site.getsitepackages(), *(path for path in sys.path if path.endswith("-packages"))]
    (own / "zz_ours.pth").write_text("\n".join(dict.fromkeys(ours)))
    pins = (ROOT / "constraints.txt").read_text().splitlines()[1:]
    (folder / "pins.txt").write_text("\n".join(p for p in pins if not p.startswith("mcp")))
    python = folder / "bin" / "python"
    print(f"installing {VERSION} into {folder}")  # noqa: T201 - it takes a while
    installed = subprocess.run(
        [python, "-m", "pip", "install", "-q", "-c", folder / "pins.txt", VERSION],
        capture_output=True,
        text=True,
        timeout=900,
    )
    if installed.returncode:
        pytest.skip(f"{VERSION} cannot be installed: {installed.stderr[-400:]}")
    return python


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
