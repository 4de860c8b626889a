"""Whether a score card holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.run.score_card.cards import changed, write_card

from distrl.errors import ConfigError
from distrl.run.score_card.verify import verify_card


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return write_card(tmp_path)


def differing(path: Path, **options: Any) -> list[str]:
    return [difference.figure for difference in verify_card(path, **options).differences]


def test_a_card_holds_that_nobody_has_touched(page: Path) -> None:
    found = verify_card(page)
    assert found.holds and not found.other_code


@pytest.mark.parametrize(
    ("path", "to", "named"),
    [
        (("overall", "success"), 0.987, "overall.success"),
        (("overall", "side_effects"), None, "overall.side_effects"),
        (("templates", 0, "mean_steps"), 1.5, "templates.{template}.mean_steps"),
        (("endings", "succeeded"), 600, "endings.succeeded"),
        (("endings", "device_lost"), 1, "endings.device_lost"),
        (("factors", 5, "success"), 0.987, "factors.language.success"),
        (("suite",), "0" * 64, "suite"),
        (("weights",), "0" * 64, "weights"),
        (("splits", "val"), 25, "splits.val"),
        (("leak_proof", "leaks"), 1, "leak_proof.leaks"),
    ],
)
def test_a_changed_figure_is_named(
    page: Path, path: tuple[str | int, ...], to: object, named: str
) -> None:
    template = verify_card(page).card.templates[0].template
    figures = changed(page, *path, to=to)
    assert differing(figures) == [named.format(template=template)]


def test_a_row_that_is_left_out_is_named(page: Path) -> None:
    factors = changed(page, "factors", to=[])
    assert len(differing(factors)) == 12


def test_a_row_that_stands_twice_hides_nothing(page: Path) -> None:
    card = verify_card(page).card
    rows = [{"factor": "plain", "setting": "", "success": 1.0, "low": 1.0, "high": 1.0}] * 2
    figures = changed(page, "factors", to=[{**row, "tasks": 6, "kept": 1.0} for row in rows])
    assert card.factors and len(differing(figures)) >= 12


def test_a_page_that_was_changed_does_not_hold_though_its_figures_do(page: Path) -> None:
    page.write_text(page.read_text("utf-8").replace("no leaks", "no leaks at all"), "utf-8")
    assert differing(page) == ["page"]
    assert differing(page.with_suffix(".json")) == []


def test_a_policy_that_has_moved_may_be_named(page: Path) -> None:
    named = differing(page, policy="scripted")
    assert "overall.success" in named
    assert "conditions.policy" not in named


def test_a_card_of_other_code_is_said_to_be(page: Path) -> None:
    assert verify_card(changed(page, "code", "digest", to="other")).other_code


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("conditions", "suite"), "genral", "did you mean 'general'"),
        (("conditions", "suite"), "http://host/suite.yaml", "lies elsewhere"),
        (("conditions", "tasks"), -3, "number of tasks"),
        (("conditions", "policy"), "/etc", "has no whole checkpoint"),
        (("conditions", "policy"), "no/such/run", "there is no run"),
        (("conditions", "policy"), "a\0b", "policy"),
        (("conditions", "split"), "../val", "unknown split"),
    ],
)
def test_a_card_that_cannot_be_played_is_refused(
    page: Path, path: tuple[str, ...], to: object, told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        verify_card(changed(page, *path, to=to))
