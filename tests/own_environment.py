"""An environment of its own for a package that cannot share ours, or that we do not want in it."""

from __future__ import annotations

import site
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def make_own_python(folder: Path, requirement: str, *, unpinned: Sequence[str] = ()) -> Path:
    """An interpreter that has a package, and everything else from this environment.

    The test is skipped with the reason where the package cannot be installed. What is `unpinned`
    may be of another version there.
    """
    venv.create(folder, with_pip=True)
    own = next((folder / "lib").glob("python*")) / "site-packages"
    # Below its own packages, so that its versions come before ours.
    ours = [*site.getsitepackages(), *(path for path in sys.path if path.endswith("-packages"))]
    (own / "zz_ours.pth").write_text("\n".join(dict.fromkeys(ours)))
    pins = (ROOT / "constraints.txt").read_text().splitlines()[1:]
    kept = [pin for pin in pins if not pin.startswith(tuple(unpinned))] if unpinned else pins
    (folder / "pins.txt").write_text("\n".join(kept))
    python = folder / "bin" / "python"
    print(f"installing {requirement} into {folder}")  # noqa: T201 - it takes a while
    installed = subprocess.run(
        [python, "-m", "pip", "install", "-q", "-c", folder / "pins.txt", requirement],
        capture_output=True,
        text=True,
        timeout=900,
    )
    if installed.returncode:
        pytest.skip(f"{requirement} cannot be installed: {installed.stderr[-400:]}")
    return python
