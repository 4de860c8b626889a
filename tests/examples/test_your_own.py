from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.examples.notebooks import EXAMPLES, cells, play, sources

NOTEBOOK = "your_own.ipynb"
QUICK = {
    "max_episodes=500": "max_episodes=16",
    "evaluate.every_minutes=0.5": "learner.min_episodes=8",
}
"""The same in seconds; it learns nothing."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    said = play(NOTEBOOK, tmp_path, changed=QUICK, timeout=500)
    assert "scripted     1.00" in said
    assert re.search(r"16 episodes, \d+ updates", said)
    assert "trained " in said
    assert said.count("shows: <PIL") == 4
    assert (tmp_path / "tea-run" / "report.html").is_file()


def outputs() -> list[list[dict[str, object]]]:
    return [cell["outputs"] for cell in cells(NOTEBOOK) if cell["cell_type"] == "code"]


def test_every_cell_of_the_notebook_keeps_its_output() -> None:
    assert all(outputs())
    kept = json.dumps(outputs())
    assert '"output_type": "error"' not in kept
    assert kept.count('"image/png"') == 4
    assert (EXAMPLES / NOTEBOOK).stat().st_size < 1_000_000


def printed() -> str:
    lines = [output.get("text", []) for cell in outputs() for output in cell]
    return "".join(line for part in lines for line in part)  # type: ignore[attr-defined]


def test_what_is_kept_names_no_folder_of_who_ran_it() -> None:
    assert "-> succeeded" in printed()
    assert not re.search(r"(?<![\w<])/(home|root|tmp|usr|work|opt)\b", printed())


def test_the_policy_that_is_shown_learned_something() -> None:
    success = dict(re.findall(r"^(cloned|trained) +(\d\.\d\d)", printed(), re.MULTILINE))
    assert float(success["trained"]) > float(success["cloned"]) + 0.1


def test_the_app_is_written_by_the_first_cell() -> None:
    assert sources(NOTEBOOK)[0].startswith("%%writefile tea_house.py\n")
