"""Which screen a look shows."""

from __future__ import annotations

import numpy as np
import pytest

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.config.factors import DROPPED_SHARE, SLOW_SHARE, Factor
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.factors.frames import Frame, frame_after

SHARES = {
    Factor.SLOW_FRAMES: (Frame.OLD, SLOW_SHARE),
    Factor.DROPPED_FRAMES: (Frame.NONE, DROPPED_SHARE),
}


def phone(factor: Factor) -> PhoneDevice:
    device = PhoneDevice("frames", PhoneConfig(nuisance_rate=0.0, factors=[factor]))
    device.reset(1)
    return device


def until(device: PhoneDevice, frame: Frame) -> None:
    """Wait until the next action leads to a frame of this kind."""
    for _ in range(100):
        state = device.snapshot()
        if frame_after({**state, "time": state["time"] + 2}) is frame:
            return
        device.perform(actions.wait())
    raise AssertionError(f"no {frame} in a hundred looks")


@pytest.mark.parametrize("factor", list(SHARES))
def test_the_share_of_such_frames_is_as_set(factor: Factor) -> None:
    frame, share = SHARES[factor]
    times = range(4000)
    found = [frame_after({"seed": 1, "time": t, "factors": [factor]}) for t in times]
    assert found.count(frame) / len(found) == pytest.approx(share, abs=0.03)
    assert set(found) == {frame, Frame.NEW}


def test_other_phones_show_every_frame() -> None:
    found = {frame_after({"seed": 1, "time": t, "factors": ["dark"]}) for t in range(200)}
    assert found == {Frame.NEW}


def test_a_slow_frame_is_the_screen_of_one_action_before() -> None:
    device = phone(Factor.SLOW_FRAMES)
    until(device, Frame.OLD)
    device.restore(device.snapshot())
    before = device.observe().screen
    device.perform(actions.swipe(0.9, 0.5, 0.1, 0.5))
    assert np.array_equal(device.observe().screen, before)
    device.restore(device.snapshot())
    assert not np.array_equal(device.observe().screen, before), "the phone itself went on"


def test_a_dropped_frame_shows_nothing_and_lists_nothing() -> None:
    device = phone(Factor.DROPPED_FRAMES)
    until(device, Frame.NONE)
    device.perform(actions.swipe(0.9, 0.5, 0.1, 0.5))
    seen = device.observe()
    assert seen.elements == ()
    assert not seen.screen.any()
