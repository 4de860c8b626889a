import logging
import math
from collections.abc import Sequence

import pytest
import torch

from distrl.errors import PipelineError, WeightsError
from distrl.weights.canary import (
    NOTE,
    Canary,
    CanaryCheck,
    read_canary,
    tolerance_of,
    write_canary,
)

CANARY = Canary(
    inputs=(b"one", b"\xff\x00"), decisions=((0, 3, 0), (2, 0, 1)), log_probs=(-1.25, -0.5)
)


class Actor:
    """Answers what the learner said, plus something."""

    def __init__(self, *differences: float) -> None:
        self._differences = iter(differences)

    def recompute(
        self, inputs: Sequence[bytes], decisions: Sequence[tuple[int, ...]]
    ) -> Sequence[float]:
        assert (tuple(inputs), tuple(decisions)) == (CANARY.inputs, CANARY.decisions)
        return [-1.25, -0.5 + next(self._differences)]


def checks_of(*differences: float) -> CanaryCheck:
    return CanaryCheck(Actor(*differences).recompute)


def test_a_canary_survives_its_journey() -> None:
    assert read_canary({"other": "x", **write_canary(CANARY)}) == CANARY


@pytest.mark.parametrize("note", ["§", "bm90IG1zZ3BhY2s=", ""])
def test_a_canary_that_is_none_is_an_error(note: str) -> None:
    with pytest.raises(WeightsError, match="canary"):
        read_canary({NOTE: note})


def test_weights_without_a_canary_are_taken_as_they_are() -> None:
    check = CanaryCheck(Actor().recompute)
    assert check.check({}, 1) == 0.0
    assert check.checks == 0


def test_agreement_is_counted_and_noise_is_allowed() -> None:
    check = checks_of(0.0, 9e-5)
    check.check(write_canary(CANARY), 1)
    assert check.check(write_canary(CANARY), 2) == pytest.approx(9e-5)
    assert check.gauges() == {
        "canary/checks": 2.0,
        "canary/mismatches": 0.0,
        "canary/largest": pytest.approx(9e-5),
    }


def test_half_precision_is_allowed_more_but_not_anything() -> None:
    allowed = tolerance_of(torch.bfloat16)
    assert tolerance_of(torch.float32) == 1e-4
    check = CanaryCheck(Actor(0.9 * allowed, 1.1 * allowed).recompute, tolerance=allowed)
    check.check(write_canary(CANARY), 1)
    assert check.mismatches == 0
    check.check(write_canary(CANARY), 2)
    assert check.mismatches == 1


def test_a_mismatch_is_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    check = checks_of(2e-4)
    with caplog.at_level(logging.WARNING):
        assert check.check(write_canary(CANARY), 7) == pytest.approx(2e-4)
    assert check.mismatches == 1
    assert "disagree on log-probabilities at version 7" in caplog.text


def test_three_mismatches_in_a_row_are_an_error() -> None:
    check = checks_of(1.0, -1.0, math.nan)
    check.check(write_canary(CANARY), 1)
    check.check(write_canary(CANARY), 2)
    with pytest.raises(PipelineError, match="3 times in a row"):
        check.check(write_canary(CANARY), 3)


def test_agreement_in_between_starts_the_count_over() -> None:
    check = checks_of(1.0, 1.0, 0.0, 1.0, 1.0)
    for version in range(5):
        check.check(write_canary(CANARY), version)
    assert check.mismatches == 4


def test_a_log_probability_that_is_no_number_is_a_mismatch() -> None:
    check = checks_of(math.nan)
    assert check.check(write_canary(CANARY), 1) == math.inf
    assert check.mismatches == 1
