"""Cards to test with: small, and quick to play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from distrl.run.score_card.card import ScoreCard, encode, files_of
from distrl.run.score_card.conditions import Conditions
from distrl.run.score_card.make import make_card
from distrl.run.score_card.page import make_page

CONDITIONS = Conditions(policy="noisy", suite="starter", split="val", tasks=6, error_rate=0.5)


def write_card(folder: Path, conditions: Conditions = CONDITIONS) -> Path:
    """A card of these conditions; the page's file."""
    figures, page = files_of(folder / "card.html")
    card: ScoreCard = make_card(conditions, "card.html")
    figures.write_bytes(encode(card))
    page.write_text(make_page(card), "utf-8")
    return page


def changed(page: Path, *path: str | int, to: Any) -> Path:
    """The figures beside a page with one of them changed; the file of the figures."""
    figures, _ = files_of(page)
    tree = json.loads(figures.read_bytes())
    inner = tree
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    figures.write_text(json.dumps(tree), "utf-8")
    return figures
