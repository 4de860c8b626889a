"""The page of a score card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.run.score_card.cards import changed, write_card

from distrl.run.score_card.card import read
from distrl.run.score_card.page import make_page

EVIL = "</code><script>alert('1')</script><img src=x onerror=y>"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    page = write_card(tmp_path_factory.mktemp("card"))
    return page.with_suffix(".json").read_bytes()


@pytest.fixture
def page(tmp_path: Path, written: bytes) -> Path:
    (tmp_path / "card.json").write_bytes(written)
    return tmp_path / "card.html"


def test_the_page_has_all_that_the_card_says(page: Path) -> None:
    card = read(page)
    shown = make_page(card)
    told = ("noisy on starter/val", card.suite, "no leaks", "slow_frames", card.code.digest)
    for words in (*told, "distrl eval --verify FILE", *card.endings):
        assert words.replace("_", " ") in shown or words in shown, words
    for row in card.factors:
        assert f"<td>{row.success:.3f}</td>" in shown


def test_the_page_needs_nothing_else(page: Path) -> None:
    shown = make_page(read(page))
    assert "default-src 'none'" in shown
    assert not re.search(r"<script|https?://|<link|<img", shown)


@pytest.mark.parametrize(
    "path",
    [
        ("conditions", "policy"),
        ("conditions", "suite"),
        ("conditions", "split"),
        ("conditions", "template"),
        ("weights",),
        ("suite",),
        ("templates", 0, "template"),
        ("factors", 0, "factor"),
        ("factors", 0, "setting"),
        ("command",),
        ("code", "version"),
        ("code", "digest"),
        ("machine", "processor"),
    ],
)
def test_whatever_a_card_says_is_text(page: Path, path: tuple[str | int, ...]) -> None:
    shown = make_page(read(changed(page, *path, to=EVIL)))
    assert "<script" not in shown and "<img" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.parametrize("path", [("endings",), ("splits",)])
def test_names_of_endings_and_splits_are_text(page: Path, path: tuple[str]) -> None:
    shown = make_page(read(changed(page, *path, to={EVIL: 3})))
    assert "<script" not in shown


def test_leaks_are_not_hidden(page: Path) -> None:
    shown = make_page(read(changed(page, "leak_proof", "leaks", to=2)))
    assert "2 leaks" in shown and "no leaks" not in shown


def test_figures_that_cannot_be_are_drawn_inside_the_page(page: Path) -> None:
    shown = make_page(read(changed(page, "factors", 1, "success", to=1e300)))
    places = [float(x) for x in re.findall(r'(?:cx|x1|x2)="([^"]+)"', shown)]
    assert places and all(0 <= place <= 100 for place in places)
