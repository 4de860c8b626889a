from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_site_is_built_without_a_complaint(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr
    reference = (tmp_path / "api" / "index.html").read_text("utf-8")
    for name in ("distrl.types.Episode", "distrl.interfaces.Device", "distrl.run.train.train"):
        assert name in reference
    assert "reinforcement learning" in (tmp_path / "index.html").read_text("utf-8")
