"""Canaries: steps whose log-probabilities travel with every publish.

The learner notes the log-probabilities that it computes for a few stored steps. The acting side
computes the same after loading the weights. A difference means that the two no longer run the same
policy (other inputs, another model or another text encoder), and that importance ratios would be
wrong without any other sign of it.
"""

from __future__ import annotations

import base64
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
import torch

from distrl.errors import PipelineError, WeightsError

NOTE = "canary"
"""The note that canaries travel under."""

Recompute: TypeAlias = Callable[[Sequence[bytes], Sequence[tuple[int, ...]]], Sequence[float]]
"""Log-probabilities of decisions, from packed inputs, with the weights that act now."""

_TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 0.1}
_log = logging.getLogger(__name__)


def tolerance_of(dtype: torch.dtype) -> float:
    """How far log-probabilities may be apart, by what the weights of a model are kept in.

    Numbers in bfloat16 have eight bits: a score of ten is known to a few hundredths. Sums in
    another order, as on another GPU or with other rows beside them, move it by as much, for each
    token of an action.
    """
    return _TOLERANCE[dtype]


class Canary(msgspec.Struct, frozen=True, array_like=True):
    """A few steps and what the learner makes of them."""

    inputs: tuple[bytes, ...]
    """Packed, as they are stored."""
    decisions: tuple[tuple[int, ...], ...]
    log_probs: tuple[float, ...]


def write_canary(canary: Canary) -> dict[str, str]:
    """The note to publish with the weights."""
    return {NOTE: base64.b64encode(msgspec.msgpack.encode(canary)).decode()}


def read_canary(notes: Mapping[str, str]) -> Canary | None:
    """The canary among notes, if there is one."""
    if NOTE not in notes:
        return None
    try:
        return msgspec.msgpack.decode(base64.b64decode(notes[NOTE], validate=True), type=Canary)
    except (ValueError, msgspec.MsgspecError) as cause:
        raise WeightsError(f"the canary of published weights cannot be read: {cause}") from cause


class CanaryCheck:
    """Compares, counts, and gives up when the difference stays."""

    def __init__(
        self,
        recompute: Recompute,
        *,
        tolerance: float = _TOLERANCE[torch.float32],
        patience: int = 3,
    ) -> None:
        """`patience` mismatches in a row are an error; fewer are logged and counted."""
        self._recompute = recompute
        self._tolerance = tolerance
        self._patience = patience
        self._in_a_row = 0
        self.checks, self.mismatches = 0, 0
        self.largest = 0.0
        """Largest difference at the last check."""

    def check(self, notes: Mapping[str, str], version: int) -> float:
        """Recompute the canary of weights that were just loaded; returns the largest difference.

        Raises PipelineError after too many mismatches in a row.
        """
        canary = read_canary(notes)
        if canary is None or not canary.inputs:
            return 0.0
        computed = self._recompute(canary.inputs, canary.decisions)
        differences = [abs(a - b) for a, b in zip(computed, canary.log_probs, strict=True)]
        self.checks += 1
        self.largest = max(math.inf if math.isnan(d) else d for d in differences)
        if self.largest <= self._tolerance:
            self._in_a_row = 0
        else:
            self._complain(version)
        return self.largest

    def _complain(self, version: int) -> None:
        self.mismatches += 1
        self._in_a_row += 1
        told = (
            f"who acts and who learns disagree on log-probabilities at version {version} "
            f"by {self.largest:.2g} (allowed: {self._tolerance:g})"
        )
        _log.warning(told)
        if self._in_a_row >= self._patience:
            raise PipelineError(f"{told}, {self._in_a_row} times in a row")

    def gauges(self) -> dict[str, float]:
        """Numbers for a monitor."""
        return {
            "canary/checks": float(self.checks),
            "canary/mismatches": float(self.mismatches),
            "canary/largest": self.largest,
        }
