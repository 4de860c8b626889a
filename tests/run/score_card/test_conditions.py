"""What a score card may ask to be played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.run.score_card.cards import CONDITIONS

from distrl.errors import ConfigError


def test_the_command_has_the_options_that_are_not_the_defaults() -> None:
    assert CONDITIONS.command("a card.html") == (
        "distrl eval --policy noisy --suite starter --split val --tasks 6 --error-rate 0.5 "
        "--card 'a card.html'"
    )


def test_what_is_withheld_is_withheld_from_the_phone() -> None:
    assert not replace(CONDITIONS, without="elements").phone().elements


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"suite": "genral"}, "did you mean 'general'"),
        ({"suite": "/etc/suite.yaml"}, "lies elsewhere"),
        ({"suite": "goals.txt"}, "lies elsewhere"),
        ({"suite": "openenv:http://10.0.0.1"}, "lies elsewhere"),
        ({"suite": "x.yaml:a"}, "lies elsewhere"),
        ({"suite": ""}, "unknown suite"),
        ({"policy": "api"}, "api may not"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**60}, "seed"),
        ({"nuisance_rate": 7.0}, "nuisance_rate"),
        ({"layout": 9}, "layout"),
    ],
)
def test_conditions_that_cannot_be_played_anywhere_are_refused(
    values: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        replace(CONDITIONS, **values).require_playable()
