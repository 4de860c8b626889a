"""What the factors of robustness do to an embedded phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.config.factors import SETTINGS, Factor
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.factors import draw_factor
from distrl.devices.phone.paint import display_list
from distrl.screens import crops_of
from distrl.types import Observation, Picture, Pixels

APPS = ("settings", "notes", "contacts", "mail", "todo", "clock")
VISUAL = (
    Factor.DARK,
    Factor.FONT,
    Factor.DENSITY,
    Factor.LAYOUT,
    Factor.LANGUAGE,
    Factor.CONTENT,
    Factor.MISLEADING,
)
UNTOUCHED = {
    Factor.CONTENT: {"settings"},  # it lists nothing that a person has named
    Factor.DENSITY: {"notes", "todo"},  # they lay their entries out themselves
}
"""Apps of which the first screen stays as it is."""
every_factor = pytest.mark.parametrize("factor", list(Factor))


def phone(*factors: Factor, seed: int = 3) -> PhoneDevice:
    device = PhoneDevice("varied", PhoneConfig(nuisance_rate=0.0, factors=list(factors)))
    device.reset(seed)
    return device


def screens(*factors: Factor) -> Iterator[Observation]:
    """The first screens of some apps, and what two actions lead to."""
    device = phone(*factors)
    start = device.snapshot()
    for app in APPS:
        control = Control(start, "launcher")
        control.start(app)
        device.restore(control.state)
        yield device.observe()
        for action in (actions.tap(0.5, 0.3), actions.tap(0.9, 0.06)):
            device.perform(action)
            yield device.observe()


def pixels(*factors: Factor) -> list[Pixels]:
    return [observation.screen for observation in screens(*factors)]


def equal(some: list[Pixels], others: list[Pixels]) -> list[bool]:
    return [np.array_equal(*pair) for pair in zip(some, others, strict=True)]


@every_factor
def test_each_factor_has_a_setting_that_tables_can_tell(factor: Factor) -> None:
    assert SETTINGS[factor]


@every_factor
def test_the_same_seed_gives_the_same_pixels(factor: Factor) -> None:
    assert all(equal(pixels(factor), pixels(factor)))


@pytest.mark.parametrize("factor", VISUAL)
def test_a_visual_factor_changes_the_screens_of_apps(factor: Factor) -> None:
    alike = equal(pixels()[::3], pixels(factor)[::3])
    assert {app for app, same in zip(APPS, alike, strict=True) if same} == UNTOUCHED.get(
        factor, set()
    )


def test_lists_and_tabs_stand_in_another_order() -> None:
    assert not all(equal(pixels(), pixels(Factor.ORDER)))
    said = [sorted(e.text for e in o.elements or ()) for o in screens()]
    varied = [sorted(e.text for e in o.elements or ()) for o in screens(Factor.ORDER)]
    assert said[0] == varied[0], "the same words"


@every_factor
def test_a_stored_drawing_is_equal_to_the_pixels(factor: Factor) -> None:
    for observation in screens(factor):
        drawing = observation.picture.drawing
        assert drawing is not None
        assert np.array_equal(display_list.draw(drawing.pieces), observation.screen)


@every_factor
def test_crops_are_those_of_the_whole_screen(factor: Factor) -> None:
    for observation in screens(factor):
        boxes = [element.bounds for element in observation.elements or ()]
        if boxes:
            assert observation.picture.draw_crops is not None
            drawn = observation.picture.draw_crops(boxes, 16)
            whole = Picture(observation.screen)
            assert np.array_equal(drawn, crops_of(whole, boxes, 16))


def test_a_phone_without_factors_does_not_mention_them() -> None:
    assert "factors" not in phone().snapshot()
    assert phone(Factor.FONT, Factor.DARK).snapshot()["factors"] == ["font", "dark"]


def test_a_fork_has_the_factors_of_its_phone() -> None:
    device = phone(Factor.DARK)
    assert np.array_equal(device.fork().observe().screen, device.observe().screen)


def test_the_dark_factor_leaves_the_setting_alone() -> None:
    assert phone(Factor.DARK).snapshot()["system"]["dark"] is False


def test_with_the_nuisance_factor_every_episode_has_one() -> None:
    device = phone(Factor.NUISANCES)
    for seed in range(20):
        device.reset(seed)
        plan = device.snapshot()["nuisance"]
        assert plan["armed"] or plan["promo"] or plan["overlap"]


def test_a_factor_is_drawn_by_the_seed_and_each_as_often_as_none() -> None:
    offered = (Factor.DARK, Factor.FONT)
    drawn = Counter(draw_factor(offered, seed) for seed in range(3000))
    assert set(drawn) == {(), (Factor.DARK,), (Factor.FONT,)}
    assert all(900 < count < 1100 for count in drawn.values())
    assert draw_factor(offered, 5) == draw_factor(offered, 5)


def test_no_factor_is_drawn_where_none_is_offered() -> None:
    assert draw_factor((), 5) == ()


def test_a_phone_that_is_offered_factors_has_one_or_none_at_each_reset() -> None:
    device = PhoneDevice("training", None, [Factor.DARK, Factor.FONT])
    found = set()
    for seed in range(30):
        device.reset(seed)
        found.add(tuple(device.snapshot().get("factors", ())))
    assert found == {(), ("dark",), ("font",)}
