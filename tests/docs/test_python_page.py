"""The Python of the documentation runs as it is written, on a small recipe."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import distrl

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"
_FENCED = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[str]:
    return _FENCED.findall(page.read_text("utf-8"))


def quick(block: str) -> str:
    """The same with a recipe of seconds, and without the page that waits for Ctrl-C."""
    block = block.replace('"quickstart", ["minutes=5"]', '"debug"').replace("tasks=64", "tasks=4")
    return re.sub(r"^distrl\.play\(.*\n", "", block, flags=re.MULTILINE)


FIRST, *OTHERS = blocks(PAGE)
(README,) = blocks(ROOT / "README.md")


@pytest.mark.parametrize("block", [FIRST, README], ids=["page", "readme"])
def test_ten_lines_show_every_function(block: str) -> None:
    calls = {
        call.func.attr
        for call in ast.walk(ast.parse(block))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    }
    assert calls >= set(distrl.__all__) - {"__version__"}
    assert len(block.strip().splitlines()) <= 13


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("block", [FIRST, README, *OTHERS])
def test_a_block_runs_as_it_is_written(block: str, tmp_path: Path) -> None:
    if "stable_baselines3" in block:
        pytest.importorskip("sb3_contrib")
    done = subprocess.run(
        [sys.executable, "-c", quick(block)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
