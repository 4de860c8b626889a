"""A plug-in with a suite, and an environment without a device of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.packages import write_package

from distrl.tasks.suites import load_suite

ENV = """
from distrl.envs.env_slot import EnvKind
from distrl.interfaces import Transition
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate
from distrl.types import Outcome
from tests.envs.fakes import make_observation

class Env:
    closed = 0

    def __init__(self, slot):
        self.device_id, self.goal = slot, "whatever"

    def reset(self, task):
        self.seed = task.seed
        return make_observation()

    def step(self, action):
        won = Outcome.SUCCEEDED if self.seed % 2 else Outcome.FAILED
        return Transition(make_observation(), float(self.seed % 2), True, False, won)

    def verdicts(self):
        return ()

    def close(self):
        Env.closed += 1

def kind():
    return EnvKind("coins", Env)

def suite():
    return SeedSuite("coins", [SeedTemplate("toss", ("Toss it",), 3)], {"train": 4, "val": 4})
"""


def install_coins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the suite `coins` and its device kind known, as installing a package would."""
    entries = {"distrl.devices": {"coins": "coins:kind"}, "distrl.suites": {"coins": "coins:suite"}}
    write_package(folder, "coins", entries, {"coins": ENV})
    monkeypatch.syspath_prepend(folder)
    load_suite.cache_clear()
    sys.modules.pop("coins", None)
