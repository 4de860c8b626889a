"""A score card as a file, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.run.score_card.cards import changed, write_card

from distrl.errors import ConfigError
from distrl.run.score_card import card as card_module
from distrl.run.score_card.card import encode, files_of, read


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return write_card(tmp_path)


def test_a_card_is_read_as_it_was_written_by_either_of_its_files(page: Path) -> None:
    figures, _ = files_of(page)
    assert encode(read(page)) == encode(read(figures)) == figures.read_bytes()


@pytest.mark.parametrize("name", ["card.txt", "card", "card.htmlx"])
def test_a_card_has_a_page_and_figures(name: str) -> None:
    with pytest.raises(ConfigError, match=r"a page \(.html\) with its figures \(.json\)"):
        files_of(Path(name))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is no score card"),
        (b"{", "is no score card"),
        (b"[]", "is no score card: Expected `object`"),
        (b"{}", "Object missing required field `format`"),
        (b"\xff\xfe\x00", "is no score card"),
        (b"[" * 100_000, "is no score card"),
    ],
)
def test_what_is_no_card_is_told(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "card.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=told):
        read(path)


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("format",), 2, "is a score card of format 2; this version reads 1"),
        (("overall", "success"), "all", r"Expected `float \| null`, got `str`"),
        (("overall",), None, "Expected `object`, got `null`"),
        (("endings", "succeeded"), 1.5, "Expected `int`, got `float`"),
        (("conditions", "seed"), "0", "Expected `int`, got `str`"),
        (("conditions", "without"), "sense", "Invalid enum value 'sense'"),
        (("factors",), {}, "Expected `array`, got `object`"),
    ],
)
def test_a_figure_of_a_wrong_type_is_named(
    page: Path, path: tuple[str, ...], to: object, told: str
) -> None:
    figures = changed(page, *path, to=to)
    with pytest.raises(ConfigError, match=told):
        read(figures)


def test_a_huge_file_is_not_read_as_a_whole(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_module, "_LARGEST", 1000)
    with pytest.raises(ConfigError, match=r"larger than any score card \(1,000 bytes\)"):
        read(page)


def test_a_page_without_figures_beside_it_is_told(page: Path) -> None:
    files_of(page)[0].unlink()
    with pytest.raises(ConfigError, match=r"no score card in .*card\.json: No such file"):
        read(page)
