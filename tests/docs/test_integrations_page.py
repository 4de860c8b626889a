"""The Python of docs/integrations.md runs as it is written, against the real packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "integrations.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def block_with(word: str) -> str:
    (found,) = (block for block in BLOCKS if word in block)
    return str(found)


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_way_takes_about_ten_lines() -> None:
    for block in BLOCKS:
        lines = [line for line in block.splitlines() if line.strip()]
        assert len(lines) <= 13, block


def test_the_lines_for_openenv_play_on_a_server(tmp_path: Path) -> None:
    pytest.importorskip("openenv", reason="openenv is not installed")
    from distrl.integrations.openenv.serve import Offer, serving_openenv

    with serving_openenv(Offer()) as served:
        code = block_with("GenericEnvClient").replace("http://127.0.0.1:8000", served.origin)
        said = run(f"TOKEN = {served.access.token!r}\n{code}", tmp_path)
    assert "0.0 False iVBORw0K" in said


def test_the_lines_for_mcp_play_with_a_server_that_they_start(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the official MCP package is not installed")
    started = 'command="distrl", args=["serve", "mcp"]'
    here = (
        f'command={sys.executable!r}, args=["-m", "distrl", "serve", "mcp"], env=dict(os.environ)'
    )
    code = block_with("stdio_client")
    assert started in code
    said = run("import os\n" + code.replace(started, here), tmp_path)
    assert said.count("Goal:") == 2
