from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_look.ipynb"

# Each cell as a notebook would run it: its last expression is shown.
PLAYER = """
import ast, json, sys
names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        print("shows:", repr(eval(compile(ast.Expression(last.value), "cell", "eval"), names)))
"""


def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    played = subprocess.run(
        [sys.executable, "-c", PLAYER, str(NOTEBOOK)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert played.returncode == 0, played.stderr
    assert "-> succeeded" in played.stdout
    assert played.stdout.count("shows:") >= 7


def test_no_output_is_kept_in_the_notebook() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)
