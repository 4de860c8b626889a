"""How a score card is made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.run.score_card.cards import CONDITIONS

from distrl.config.factors import Factor
from distrl.errors import ConfigError
from distrl.run.evaluate import evaluate
from distrl.run.score_card.card import encode
from distrl.run.score_card.make import make_card, weights_digest


def test_the_figures_are_those_of_an_evaluation() -> None:
    conditions = replace(CONDITIONS, error_rate=0.2)
    card = make_card(conditions, "card.html")
    report = evaluate("noisy", "starter", "val", tasks=6)
    assert (card.overall, card.templates) == (report.overall, report.rows)
    assert sum(card.endings.values()) == card.overall.episodes == 6
    assert card.endings.get("succeeded", 0) / 6 == card.overall.success


def test_every_factor_has_a_row_below_the_plain_one() -> None:
    card = make_card(CONDITIONS, "card.html")
    assert [row.factor for row in card.factors] == ["plain", *(f.value for f in Factor)]
    assert card.factors[0].success == card.overall.success


def test_the_proof_is_of_all_splits_of_the_suite() -> None:
    card = make_card(CONDITIONS, "card.html")
    assert card.splits == {"train": 160, "val": 24, "test": 48, "unseen": 0}
    assert (card.leak_proof.pairs, card.leak_proof.leaks) == (6, 0)


def test_the_same_conditions_make_the_same_card() -> None:
    assert encode(make_card(CONDITIONS, "c")) == encode(make_card(CONDITIONS, "c"))


def test_other_tasks_have_another_digest() -> None:
    other = replace(CONDITIONS, suite="questions", tasks=1)
    assert make_card(other, "c").suite != make_card(CONDITIONS, "c").suite


def test_weights_have_a_digest_and_scripts_have_none() -> None:
    assert weights_digest("scripted") is None
    digest = weights_digest("pretrained")
    assert digest is not None and len(digest) == 64


@pytest.mark.parametrize(
    ("field", "value"),
    [("split", "tset"), ("template", "nothing"), ("policy", "nobody")],
)
def test_what_there_is_not_is_named(field: str, value: str) -> None:
    with pytest.raises(ConfigError, match=value):
        make_card(replace(CONDITIONS, **{field: value}), "card.html")  # type: ignore[arg-type]
