"""The Python of docs/integrations.md runs as it is written, against the real packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integrations.tiny_model import save_tiny_model

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


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_lines_for_trl_train_two_steps(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="TRL is not installed")
    save_tiny_model(tmp_path / "tiny")
    more = {"max_completion_length": 16, "report_to": "none", "use_cpu": True, "bf16": False}
    code = f"MODEL, MORE = {str(tmp_path / 'tiny')!r}, {more!r}\n{block_with('GRPOTrainer')}"
    run(f"{code}\nassert trainer.state.global_step == 2", tmp_path)


def test_the_module_for_verifiers_is_the_one_that_its_test_plays() -> None:
    block = block_with("PhoneTaskset")
    assert "from distrl.integrations.verifiers import PhoneEnv, PhoneTaskset" in block
    played = (Path(__file__).parents[1] / "integrations" / "verifiers_episode.py").read_text()
    assert "from distrl.integrations.verifiers import PhoneEnv, PhoneTaskset" in played
