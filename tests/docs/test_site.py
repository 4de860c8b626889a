from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_site_is_built_without_a_complaint(tmp_path: Path) -> None:
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr
    pages = {
        "reference/index.html": "distrl.run.train.train",
        "reference/contracts/index.html": "distrl.types.Episode",
        "reference/envs/index.html": "distrl.devices.fleet.fleet.Fleet",
        "index.html": "images/film.gif",
    }
    for page, wanted in pages.items():
        assert wanted in (tmp_path / page).read_text("utf-8"), page


def test_the_reference_names_modules_that_are_there() -> None:
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        for module in re.findall(r"^::: ([\w.]+)$", page.read_text("utf-8"), re.MULTILINE):
            path = ROOT / "src" / module.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), module
