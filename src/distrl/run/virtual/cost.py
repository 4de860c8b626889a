"""What deciding and learning cost in virtual time, the same on whatever machine a run is made.

pointer        measured once, by `distrl bench cost --write`; in `cost.json` beside this module,
               with the machine and the code that it was measured on
large_model    a vision-language model of some billion parameters on GPUs, from published figures
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from distrl.errors import ConfigError
from distrl.run.state.provenance import Code, Machine

COST_FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of one core."""

    decide_seconds: float
    """Of a decision that is made alone: to look, to think, to pack what was seen."""
    learn_seconds: float
    """Of a step that is learned from: unpacking, the update, its share of sweeping."""
    play_seconds: float
    """Of the phone itself for one step, which is no part of virtual time."""
    step_bytes: float
    """What replay keeps of a step in memory."""
    steps: int
    """Steps that were measured."""
    algorithm: str
    batch: int
    """Episodes of an update."""
    command: str
    code: Code
    machine: Machine


class CostModel(StrEnum):
    """Whose costs a virtual run has."""

    POINTER = "pointer"
    LARGE_MODEL = "large_model"


@dataclass(frozen=True, slots=True)
class StepCost:
    """Virtual seconds of one step."""

    decide_seconds: float
    """Of a decision."""
    learn_seconds: float
    """Of learning from one step, once."""


# Orders of magnitude, on the cautious side. Users of EasyR1 report 26 to 30 hours on eight A100 for
# 64,000 answers of Qwen2.5-VL-7B to eight small pictures and 1,000 tokens of text each (its issue
# 392): 1.5 to 1.7 s for generating an answer and learning from it. A third of that is taken for
# learning from a step; a decision is one answer of a served model of that size.
_LARGE_MODEL = StepCost(decide_seconds=1.0, learn_seconds=0.5)


def cost_of(model: CostModel) -> StepCost:
    """What a decision and a learned step take."""
    if model is CostModel.LARGE_MODEL:
        return _LARGE_MODEL
    measured = measured_cost()
    return StepCost(measured.decide_seconds, measured.learn_seconds)


@cache
def measured_cost() -> Cost:
    """What is written in the package."""
    return read_cost(COST_FILE)


def read_cost(path: Path) -> Cost:
    """Read a file of costs; ConfigError tells what is wrong with it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Cost)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"the costs in {path} cannot be read: {error}") from None
