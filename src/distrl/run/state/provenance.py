"""Where figures come from: the code that made them, and the machine that it ran on."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import distrl
from distrl.config.load import recipe_folder

_PACKAGE = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Which code it was."""

    version: str
    """Of the package."""
    commit: str | None
    """None where the package is not part of a git checkout."""
    changed: bool
    """Whether modules or recipes differed from the commit."""
    digest: str
    """Of all modules and recipes, whether committed or not."""

    @property
    def label(self) -> str:
        """What a person would call it."""
        if self.commit is None:
            return f"version {self.version}"
        return f"commit {self.commit[:10]}{' with changes' if self.changed else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What it ran on."""

    processor: str
    cores: int
    """That this process may use."""
    memory_gb: float
    system: str
    python: str
    torch: str

    @property
    def label(self) -> str:
        """What a person would call it."""
        return (
            f"{self.cores} cores of {self.processor}, {self.memory_gb:.0f} GB, {self.system}, "
            f"Python {self.python}, torch {self.torch}"
        )


def this_code() -> Code:
    """The code that is running."""
    # A package that lies in somebody else's checkout, as in a virtual environment, is not of it.
    tracked = _git("ls-files", "--error-unmatch", "__init__.py") is not None
    commit = _git("rev-parse", "HEAD") if tracked else None
    kinds = (str(_PACKAGE / "**/*.py"), str(recipe_folder() / "*.yaml"))
    changes = _git("status", "--porcelain", "--", *(f":(glob){kind}" for kind in kinds))
    return Code(
        version=distrl.__version__,
        commit=commit or None,
        changed=bool(commit and changes),
        digest=_digest(),
    )


def this_machine() -> Machine:
    """The machine that we are on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _all_cores(),
        memory_gb=round(memory / 2**30, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        torch=version("torch"),
    )


def _all_cores() -> int:
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def _git(*words: str) -> str | None:
    """What git says about the package's folder; None if it cannot say."""
    program = shutil.which("git")
    if program is None:
        return None
    command = [program, "-C", str(_PACKAGE), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() if done.returncode == 0 else None


def _digest() -> str:
    total = hashlib.sha256()
    for folder, kind in ((_PACKAGE, "*.py"), (recipe_folder(), "*.yaml")):
        for path in sorted(folder.rglob(kind)):
            total.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]
