"""What the pages say of files and nouns is true of the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "distrl"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
LINES = re.findall(r"^\| (\w+) \| .+ \| `([\w/.]+)` \|$", GLOSSARY, re.MULTILINE)
FUNCTIONS = {"Collector": "collect"}
"""Nouns that a function makes."""


@pytest.mark.parametrize(("noun", "file"), LINES)
def test_a_noun_of_the_glossary_is_defined_where_it_says(noun: str, file: str) -> None:
    text = (SOURCE / file).read_text("utf-8")
    defined = rf"^(class|def) {FUNCTIONS.get(noun, noun)}\b"
    assert re.search(defined, text, re.MULTILINE), f"{noun} is not defined in {file}"


def test_no_noun_stands_twice_in_the_glossary() -> None:
    nouns = [noun for noun, _ in LINES]
    assert len(nouns) > 50
    assert len(nouns) == len(set(nouns))


def test_the_table_of_changes_names_files_that_are_there() -> None:
    section = ARCHITECTURE.split("## To change X, look at Y")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    for row in rows:
        for name in re.findall(r"`([\w/.]+[/y])`", row.split("|")[2]):
            assert (SOURCE / name).exists(), name


def test_every_path_of_the_map_is_there() -> None:
    for name in re.findall(r"`((?:\w+/)+\w+\.(?:py|json))`", ARCHITECTURE):
        assert (SOURCE / name).exists() or (ROOT / name).exists(), name


def test_every_folder_of_the_source_is_on_the_map() -> None:
    for folder in SOURCE.iterdir():
        if (folder / "__init__.py").exists():
            assert f"{folder.name}/" in ARCHITECTURE, folder.name
    for room in (SOURCE / "run").iterdir():
        if (room / "__init__.py").exists():
            assert f"{room.name}/" in ARCHITECTURE, room.name
