"""Plays the cells of a notebook as Jupyter would, without Jupyter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"

# Each cell as a notebook would run it: its last expression is shown, and a file is written.
_PLAYER = """
import ast, json, pathlib, sys
sys.path.insert(0, "")
names = {"__name__": "__main__"}
for source in json.load(sys.stdin):
    if source.startswith("%%writefile "):
        magic, _, text = source.partition("\\n")
        pathlib.Path(magic.split()[1]).write_text(text, "utf-8")
        continue
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        print("shows:", repr(eval(compile(ast.Expression(last.value), "cell", "eval"), names)))
"""


def cells(name: str) -> list[dict[str, Any]]:
    """All cells of an example."""
    found: list[dict[str, Any]] = json.loads((EXAMPLES / name).read_text("utf-8"))["cells"]
    return found


def sources(name: str) -> list[str]:
    """The code of each cell that has some."""
    return ["".join(cell["source"]) for cell in cells(name) if cell["cell_type"] == "code"]


def play(
    name: str, folder: Path, *, changed: Mapping[str, str] | None = None, timeout: float = 110
) -> str:
    """What the cells print, from top to bottom, in a folder; `changed` are texts to exchange."""
    code = sources(name)
    for old, new in (changed or {}).items():
        assert any(old in source for source in code), old
        code = [source.replace(old, new) for source in code]
    played = subprocess.run(
        [sys.executable, "-c", _PLAYER],
        input=json.dumps(code),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert played.returncode == 0, played.stderr
    return played.stdout
