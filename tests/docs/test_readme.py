"""The figures of the README are those of the files in docs/results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = " ".join((ROOT / "README.md").read_text("utf-8").split())
RESULTS = ROOT / "docs" / "results"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / name).read_text("utf-8"))
    return found


def success(name: str, split: str) -> float:
    (found,) = (
        row["figures"]["success"]
        for row in read(name)["evaluations"]
        if row["split"] == split and row["without"] == "nothing"
    )
    return float(found)


def mean(numbers: Iterable[float]) -> float:
    listed = list(numbers)
    return sum(listed) / len(listed)


def test_what_make_train_reaches_is_told_with_its_seeds_and_its_limits() -> None:
    rows = [f"quickstart-seed{seed}.json" for seed in range(3)]
    test, unseen = ([success(row, split) for row in rows] for split in ("test", "unseen"))
    minutes = {read(row)["effort"]["minutes"] for row in rows}
    assert minutes == {7.5}
    assert (
        f"**{mean(test):.2f}** after 7.5 minutes (three seeds: {min(test):.2f} to {max(test):.2f})"
        in README
    )
    assert f"{mean(unseen):.2f} ({min(unseen):.2f} to {max(unseen):.2f})" in README
    assert f"alone gives {success('cloning-seed0.json', 'test'):.2f}" in README


def test_the_comparison_is_told_with_its_seeds_and_its_limits() -> None:
    table = read("table/summary.json")
    low, high = table["success_ratio_general_lowest"], table["success_ratio_general_highest"]
    ratio = table["success_ratio_general"]
    assert f"**{ratio:.2f}** times the success ({low:.2f} to {high:.2f})" in README
    assert f"{table['time_ratio_general']:.1f} times sooner" in README
    low, high = (table[f"interaction_ratio_general_{end}"] for end in ("lowest", "highest"))
    ratio = table["interaction_ratio_general"]
    assert f"per interaction it is {ratio:.1f} times ({low:.2f} to {high:.2f})" in README


def test_the_comparison_is_told_with_the_cost_of_a_large_model_too() -> None:
    table = read("table_large_model/summary.json")
    low, high = table["success_ratio_general_lowest"], table["success_ratio_general_highest"]
    ratio = table["success_ratio_general"]
    told = f"with a large model: {ratio:.2f} times the success ({low:.2f} to {high:.2f})"
    assert told in README


def test_collecting_is_told_with_where_it_ends() -> None:
    collect = read("collect/summary.json")
    assert f"**{collect['async_over_sync']:.1f}** times as many steps" in README
    assert f"busy {collect['async_utilisation']:.2f} of the time" in README
    assert f"busy {collect['utilisation']:.2f} |" in README
    assert (collect["ratio_devices"], collect["devices"], collect["step_ms"]) == (32, 32, 100.0)


def test_what_carries_over_is_told_with_where_it_ends() -> None:
    of = {(r["suite"], r["split"]): r["success"] for r in read("splits/summary.json")["rows"]}
    test, words, new, apps, unseen = (
        of["general", split] for split in ("test", "worded", "composed", "unseen_app", "unseen")
    )
    assert f"**{test:.2f}**; {words:.2f}, {new:.2f} and {apps:.2f}" in README
    assert f"operations that were never trained: {unseen:.2f}" in README
