"""What the pointer sees is the same, whether crops are drawn alone or cut out of the screen."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from tests.policies.pointer.fakes import FakeTextEncoder
from tests.tasks.runs import EVERY, phone

from distrl.policies.pointer.captioner import shipped_captioner
from distrl.policies.pointer.inputs import Inputs, Preparer
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Picture, Situation

_EVERY_NTH = 4
"""Of the tasks, for time."""


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_inputs_from_crops_are_those_from_whole_screens(suite: str, split: str) -> None:
    device = phone()
    referee = PhoneReferee(device)
    oracle = PhoneOracle(referee)
    preparer = Preparer(FakeTextEncoder(), naming=shipped_captioner().name)
    for task in load_suite(suite).tasks(split)[::_EVERY_NTH]:
        referee.begin(task)
        for left in range(task.step_limit, 0, -1):
            seen = device.observe()
            here = Situation(goal=task.goal, observation=seen, history=(), steps_left=left)
            whole = replace(here, observation=replace(seen, picture=Picture(seen.screen)))
            one, other = preparer.prepare(here), preparer.prepare(whole)
            for field in fields(Inputs):
                assert np.array_equal(getattr(one, field.name), getattr(other, field.name))
            action = oracle.action()
            if action.kind.ends_episode:
                break
            device.perform(action)
