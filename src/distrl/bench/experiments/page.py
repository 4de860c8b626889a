"""How the experiments are told: sections of the results page, from the figures that were written.

    FOLDER/tune/summary.json                                        distrl bench tune --out ...
    FOLDER/table/summary.json       and the pictures beside it      distrl bench table --out ...
    FOLDER/table_large_model/...    the same                        ... --cost large_model
    FOLDER/ablation/summary.json                                    distrl bench ablation --out ...
    FOLDER/ablation_quickstart/...                                  ... --recipe quickstart
    FOLDER/scale/summary.json                                       distrl bench scale --out ...
    FOLDER/scale_large_model/...                                    ... --cost large_model
    FOLDER/collect/summary.json                                     distrl bench collect --out ...
    FOLDER/replay/summary.json                                      distrl bench replay --out ...
    FOLDER/splits/summary.json                                      distrl bench splits --out ...
    FOLDER/factors/summary.json                                     distrl bench factors --out ...
    FOLDER/mobilegym/summary.json                                   distrl bench mobilegym --out ...
    FOLDER/*/notes.md               what a person has to say about them, if anything
    FOLDER/notes.md                 the same of the rows of trained policies

What there is no file for has no section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from distrl.bench.experiments.ablation import BASE, TERMS
from distrl.bench.experiments.factors_page import factors_section
from distrl.bench.experiments.speed_page import collect_section, replay_section, scale_section
from distrl.bench.experiments.splits_page import splits_section
from distrl.bench.experiments.table_page import table_section
from distrl.bench.mobilegym.page import mobilegym_section
from distrl.bench.telling import QUICK, Row, hours, interval, made, markdown, number
from distrl.errors import ConfigError

SUMMARY = "summary.json"
_ABLATIONS = {
    TERMS.recipe: "What the terms of A-RIDE are worth",
    "quickstart": "Where the gain of the default recipe comes from",
}
"""Titles by recipe; figures of before there were several name none."""


def sections(folder: Path) -> str:
    """All sections that there are files for."""
    tellers = (
        ("splits", splits_section),
        ("factors", factors_section),
        *(("tune", _tuning), ("table", table_section), ("table_large_model", table_section)),
        *(("ablation", _ablation), ("ablation_quickstart", _ablation)),
        *(("collect", collect_section), ("replay", replay_section)),
        *(("scale", scale_section), ("scale_large_model", scale_section)),
        ("mobilegym", mobilegym_section),
    )
    found = [_notes(folder)]
    for name, tell in tellers:
        path = folder / name / SUMMARY
        if path.exists():
            found += [tell(_load(path)), _notes(folder / name)]
    return "\n\n".join(filter(None, found))


def _notes(folder: Path) -> str:
    path = folder / "notes.md"
    return path.read_text("utf-8").strip() if path.exists() else ""


def _load(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"the figures in {path} cannot be read: {error}") from None


def _tuning(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    return "\n".join(
        [
            "## Equal tuning\n",
            "Every algorithm of the comparison got the same configurations, in the mode in which "
            f"it stands there,\nfor {hours(figures['seconds'])}; the best on val "
            f"({rows[0]['tasks']} tasks, the mean of the last three checkpoints) is what\nthe "
            "comparison runs with.\n",
            *([QUICK + "\n"] if figures["quick"] else []),
            markdown(
                ("method", "setting", "val", "episodes", "updates"),
                [
                    (
                        row["method"],
                        f"`{row['setting']}`",
                        interval(row, "val"),
                        f"{row['episodes']:,.0f}",
                        f"{row['updates']:,.0f}",
                    )
                    for row in rows
                ],
            ),
            "",
            made(figures),
        ]
    )


def _ablation(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    base = next(row for row in rows if row["row"] == BASE.name)
    then = "; then the worst\nand the best seed" if base["seeds"] > 1 else ""
    return "\n".join(
        [
            f"## {_ABLATIONS[figures.get('recipe', TERMS.recipe)]}\n",
            f"Each row changes the settings that it names, and nothing else; "
            f"{_counted(base['seeds'], 'seed')}, {base['tasks']} tasks of test,\n"
            f"{base['episodes']:,.0f} episodes. `gain` is against the first row, with the interval "
            "of the difference: both sides err\nover the tasks (Newcombe, unpaired), and all "
            f"{figures['comparisons']} differences together are right at 95 % (Bonferroni){then}."
            "\n",
            *([QUICK + "\n"] if figures["quick"] else []),
            markdown(
                ("row", "what is changed", "test", "unseen", "gain"),
                [
                    (
                        row["row"],
                        row["about"],
                        interval(row, "test"),
                        number(row["unseen"], ".3f"),
                        _gain(row),
                    )
                    for row in rows
                ],
            ),
            "",
            f"Better, with every seed and by the interval: {figures['better'] or 'none'}. "
            "Worse in the same sense,\nwhich is to say that what was changed helps here as it "
            f"was: {figures['worse'] or 'none'}.\nThe others cannot be told from the first row.\n",
            made(figures),
        ]
    )


def _gain(row: Row) -> str:
    if row["row"] == BASE.name:
        return ""
    gain = f"{row['gain']:+.3f} ({row['gain_low']:+.2f} to {row['gain_high']:+.2f})"
    if row["seeds"] == 1:
        return gain
    return f"{gain}, {row['gain_lowest']:+.3f} to {row['gain_highest']:+.3f}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
