"""What deciding and learning cost in virtual time: measured once, by `distrl bench cost --write`.

The numbers are in `cost.json` beside this module, with the machine and the code that they
were measured on. They are the same in every virtual run, on whatever machine it runs.
"""

from __future__ import annotations

from dataclasses import dataclass
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
