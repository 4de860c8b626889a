"""The promises of a Device, written once; a test of an implementation subclasses these.

class TestMyDevice(StatefulDeviceContract):
    def make_device(self) -> MyDevice: ...
    def effective_action(self, device: Device) -> Action: ...
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.contracts.monkey import wander

from distrl import actions
from distrl.errors import ActionError, DeviceLost
from distrl.interfaces import Device, StatefulDevice
from distrl.types import Action, Key, Kind, Observation

_WALK = 25

EXAMPLES: dict[Kind, Action] = {
    Kind.TAP: actions.tap(0.5, 0.5),
    Kind.LONG_PRESS: actions.long_press(0.5, 0.5),
    Kind.SWIPE: actions.swipe(0.5, 0.8, 0.5, 0.2),
    Kind.TYPE: actions.type_text("hello"),
    Kind.PRESS: actions.press(Key.BACK),
    Kind.WAIT: actions.wait(),
    Kind.COMPLETE: actions.complete(),
    Kind.INFEASIBLE: actions.infeasible(),
    Kind.ANSWER: actions.answer("yes"),
    Kind.OPEN_APP: actions.open_app("Settings"),
    Kind.DOUBLE_TAP: actions.double_tap(0.5, 0.5),
    Kind.DRAG: actions.drag(0.5, 0.7, 0.5, 0.3),
}


def assert_same(one: Observation, two: Observation, *, pixels: bool = True) -> None:
    """Two observations show the same, to the pixel."""
    assert (one.app, one.keyboard, one.elements) == (two.app, two.keyboard, two.elements)
    if pixels:
        np.testing.assert_array_equal(one.screen, two.screen)


def shows_the_same(one: Observation, two: Observation) -> bool:
    """Whether two observations cannot be told apart."""
    return (one.app, one.keyboard, one.elements) == (
        two.app,
        two.keyboard,
        two.elements,
    ) and np.array_equal(one.screen, two.screen)


class DeviceContract:
    """What every Device promises."""

    def make_device(self) -> Device:
        """A new device of the kind under test."""
        raise NotImplementedError

    def effective_action(self, device: Device) -> Action:
        """An action that changes what the device, fresh from a reset, shows."""
        raise NotImplementedError

    def test_is_a_device(self) -> None:
        device = self.make_device()
        assert isinstance(device, Device)
        assert device.id
        assert device.kinds <= frozenset(Kind)

    def test_observing_changes_nothing(self) -> None:
        device = self.make_device()
        device.reset(3)
        first = device.observe()
        assert_same(first, device.observe())
        _ = first.screen, first.elements
        assert_same(first, device.observe())

    def test_same_seed_and_actions_give_the_same_screens(self) -> None:
        one, two = self.make_device(), self.make_device()
        for seed in (0, 11):
            one.reset(seed)
            two.reset(seed)
            for action in wander(one, seed=seed, steps=_WALK):
                two.perform(action)
            assert_same(one.observe(), two.observe())

    def test_every_screen_of_a_walk_repeats(self) -> None:
        one, two = self.make_device(), self.make_device()
        one.reset(5)
        walk = wander(one, seed=5, steps=_WALK)
        one.reset(5)
        two.reset(5)
        for action in walk:
            assert_same(one.observe(), two.observe())
            one.perform(action)
            two.perform(action)

    def test_screen_is_a_picture_drawn_once(self) -> None:
        seen = self.make_device().observe()
        screen = seen.screen
        assert screen is seen.screen
        assert screen.dtype == np.uint8
        assert screen.ndim == 3
        assert screen.shape[2] == 3

    def test_old_observation_keeps_its_moment(self) -> None:
        device, twin = self.make_device(), self.make_device()
        device.reset(4)
        twin.reset(4)
        kept = device.observe()  # not looked at yet
        device.perform(self.effective_action(device))
        assert_same(kept, twin.observe())

    def test_next_observation_shows_the_effect(self) -> None:
        device = self.make_device()
        device.reset(6)
        before = device.observe()
        device.perform(self.effective_action(device))
        assert not shows_the_same(before, device.observe())

    def test_every_kind_it_has_is_carried_out(self) -> None:
        device = self.make_device()
        for kind in sorted(device.kinds):
            device.perform(EXAMPLES[kind])
            assert device.observe().screen.size > 0

    def test_kind_it_does_not_have_is_refused(self) -> None:
        device = self.make_device()
        for kind in frozenset(Kind) - device.kinds:
            with pytest.raises(ActionError):
                device.perform(EXAMPLES[kind])

    def test_reset_returns_to_a_known_start(self) -> None:
        device = self.make_device()
        device.reset(8)
        start = device.observe()
        wander(device, seed=1, steps=_WALK)
        device.reset(8)
        assert_same(start, device.observe())

    def test_elements_lie_on_the_screen(self) -> None:
        device = self.make_device()
        for seed in range(4):
            device.reset(seed)
            wander(device, seed=seed, steps=_WALK)
            for element in device.observe().elements or ():
                left, top, right, bottom = element.bounds
                assert 0.0 <= left < right <= 1.0, element
                assert 0.0 <= top < bottom <= 1.0, element
                x, y = element.center
                assert left <= x <= right
                assert top <= y <= bottom
                assert element.role

    def test_use_after_close_raises_device_lost(self) -> None:
        device = self.make_device()
        device.close()
        with pytest.raises(DeviceLost):
            device.observe()
        with pytest.raises(DeviceLost):
            device.perform(actions.wait())
        with pytest.raises(DeviceLost):
            device.reset(0)

    def test_closing_twice_does_nothing(self) -> None:
        device = self.make_device()
        device.close()
        device.close()
        with pytest.raises(DeviceLost):
            device.perform(actions.wait())


class StatefulDeviceContract(DeviceContract):
    """What a StatefulDevice promises on top."""

    def make_device(self) -> StatefulDevice:
        """A new device of the kind under test."""
        raise NotImplementedError

    def test_is_a_stateful_device(self) -> None:
        assert isinstance(self.make_device(), StatefulDevice)

    def test_observing_leaves_the_state_alone(self) -> None:
        device = self.make_device()
        before = json.dumps(device.snapshot(), sort_keys=True)
        _ = device.observe().screen
        assert json.dumps(device.snapshot(), sort_keys=True) == before

    def test_snapshot_survives_json_and_shows_the_same_elsewhere(self) -> None:
        device, other = self.make_device(), self.make_device()
        for seed in range(3):
            device.reset(seed)
            wander(device, seed=seed, steps=_WALK)
            written = json.loads(json.dumps(device.snapshot()))
            assert written == device.snapshot()
            other.restore(written)
            assert_same(device.observe(), other.observe())

    def test_restored_device_continues_as_the_first_one_did(self) -> None:
        device = self.make_device()
        device.reset(2)
        wander(device, seed=2, steps=10)
        kept = device.snapshot()
        walk = wander(device, seed=3, steps=10)
        reached = device.observe()
        device.restore(kept)
        for action in walk:
            device.perform(action)
        assert_same(reached, device.observe())

    def test_snapshot_does_not_change_while_the_device_goes_on(self) -> None:
        device = self.make_device()
        device.reset(9)
        kept = device.snapshot()
        written = json.dumps(kept, sort_keys=True)
        wander(device, seed=4, steps=2 * _WALK)
        assert json.dumps(kept, sort_keys=True) == written

    def test_forks_never_affect_each_other(self) -> None:
        device = self.make_device()
        device.reset(10)
        fork = device.fork()
        start = device.observe()
        assert_same(start, fork.observe())
        assert fork.id != device.id
        wander(fork, seed=5, steps=_WALK)
        assert_same(start, device.observe())
        reached = fork.observe()
        device.close()
        assert_same(reached, fork.observe())

    def test_state_is_out_of_reach_after_close(self) -> None:
        device = self.make_device()
        kept = device.snapshot()
        device.close()
        with pytest.raises(DeviceLost):
            device.snapshot()
        with pytest.raises(DeviceLost):
            device.restore(kept)
        with pytest.raises(DeviceLost):
            device.fork()
