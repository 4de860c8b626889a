"""Where the program adb is: on PATH, or inside the package adbutils, which carries one."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path


def locate_adb() -> str | None:
    """The path of adb; None when neither PATH nor adbutils has one."""
    return shutil.which("adb") or _inside_adbutils()


def adb_to_type() -> str:
    """What a person types to run adb: its name where a shell finds it, else its path."""
    return "adb" if shutil.which("adb") else (_inside_adbutils() or "adb")


def _inside_adbutils() -> str | None:
    # Found and not imported: a broken package must not keep anybody from asking.
    spec = find_spec("adbutils")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        inside = Path(folder) / "binaries" / "adb"
        if inside.exists():
            return str(inside)
    return None
