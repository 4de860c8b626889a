from __future__ import annotations

from pathlib import Path

from tests.examples.notebooks import cells, play

NOTEBOOK = "first_look.ipynb"


def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    said = play(NOTEBOOK, tmp_path)
    assert "-> succeeded" in said
    assert said.count("shows:") >= 7


def test_no_output_is_kept_in_the_notebook() -> None:
    assert all(not cell.get("outputs") for cell in cells(NOTEBOOK))
