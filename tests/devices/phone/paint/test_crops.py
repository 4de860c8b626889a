from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from tests.contracts.monkey import random_action

from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.nuisance import KINDS
from distrl.devices.phone.paint import crops, render
from distrl.devices.phone.ui.view import View, Widget
from distrl.policies.pointer.decisions import grid
from distrl.screens import crops_of
from distrl.types import Bounds, Observation, Picture

APPS = ("launcher", *apps.names())
SIDE = 16


def _walk(
    app: str, *, dark: bool, layout: int, size: tuple[int, int] | None = None, steps: int = 40
) -> Iterator[tuple[Observation, View]]:
    """Screens of a user who looks around in an app and is disturbed now and then."""
    width, height = size or (None, None)
    rng = Random(f"{app} {dark} {layout} {size}")
    for nuisance in (None, *KINDS):
        settings = PhoneConfig(
            layout=layout,
            width=width,
            height=height,
            nuisance_rate=float(nuisance is not None),
            nuisance_weights={nuisance: 1.0} if nuisance else None,
        )
        device = PhoneDevice(config=settings)
        device.reset(rng.randrange(1000))
        for step in range(steps // len(KINDS)):
            if step == 0 or device.phone.view.app != app:
                control = Control(device.snapshot(), "launcher")
                control.start(app)
                control.write_system("dark", to=dark)
                device.restore(control.state)
            view = device.phone.view
            yield device.observe(), view
            device.perform(random_action(rng, view.elements, keyboard=view.keyboard, home=False))


def _assert_equal_to_the_screen(seen: Observation, boxes: list[Bounds]) -> None:
    assert seen.picture.draw_crops is not None
    alone = seen.picture.draw_crops(boxes, SIDE)
    np.testing.assert_array_equal(alone, crops_of(Picture(seen.screen), boxes, SIDE))


def _boxes(seen: Observation) -> list[Bounds]:
    return [element.bounds for element in seen.elements or ()]


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("dark", [False, True])
def test_crops_of_elements_are_those_of_the_drawn_screen(app: str, layout: int, dark: bool) -> None:
    for seen, _ in _walk(app, dark=dark, layout=layout):
        _assert_equal_to_the_screen(seen, _boxes(seen))


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("size", [(9, 20), (64, 64), (135, 300), (201, 333), (540, 1200)])
def test_crops_are_those_of_the_screen_at_any_size(app: str, size: tuple[int, int]) -> None:
    for seen, _ in _walk(app, dark=False, layout=1, size=size, steps=16):
        _assert_equal_to_the_screen(seen, _boxes(seen))


@pytest.mark.parametrize("app", APPS)
def test_crops_of_any_place_are_those_of_the_screen(app: str) -> None:
    """Boxes that are no element's: under dialogs and keyboards, across widgets, at the edges."""
    rng = Random(app)
    cells = [cell.bounds for cell in grid()]
    for seen, view in _walk(app, dark=False, layout=1, steps=16):
        covered = [w.visible() for w in view.widgets[: view.live]]
        boxes = [(x / 180, y / 400, x2 / 180, y2 / 400) for x, y, x2, y2 in covered]
        for _ in range(20):
            (x, x2), (y, y2) = (sorted((rng.random(), rng.random())) for _ in range(2))
            boxes.append((x, y, x2, y2))
        _assert_equal_to_the_screen(seen, [*cells, *boxes, (0.0, 0.0, 1.0, 1.0), (1.0,) * 4])


def test_the_walks_meet_dialogs_keyboards_overlays_and_clipped_widgets() -> None:
    seen = set()
    for app in APPS:
        for _, view in _walk(app, dark=False, layout=1):
            seen |= {"keyboard"} if view.keyboard else set()
            seen |= {"dialog"} if view.live else set()
            seen |= {view.covered} if view.covered else set()
            for widget in view.widgets:
                seen |= (
                    {"overlay"} if widget.paint and widget.paint[0] in render.OVERLAYS else set()
                )
                clipped = widget.y < widget.top or widget.y + widget.h > widget.bottom
                seen |= {"clipped"} if clipped else set()
    blocking = {"permission", "update", "ad", "notice", "consent"}
    assert seen >= {"keyboard", "dialog", "overlay", "clipped", *blocking}


def test_a_crop_is_composed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    device = PhoneDevice()
    boxes = _boxes(device.observe())
    first = crops.draw_crops(device.phone.view, 180, 400, boxes, SIDE)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("composed again")

    monkeypatch.setattr(render, "compose", fail)
    np.testing.assert_array_equal(crops.draw_crops(device.phone.view, 180, 400, boxes, SIDE), first)


def test_what_lies_above_an_element_tells_its_crop_from_one_that_stands_alone() -> None:
    item, box = Widget(("fill", (200, 0, 0)), 10, 100, 40, 40, "item", "Row"), (0.1, 0.3, 0.2, 0.34)

    def crop(*above: Widget) -> int:
        view = View("made", "main", dark=False)
        view.widgets += [item, *above]
        return int(crops.draw_crops(view, 180, 400, [box], SIDE)[0, 8, 8, 0])

    below = Widget(("fill", (90, 0, 0)), 10, 300, 40, 40)
    assert crop() == crop(below) == 200
    assert crop(Widget(("fill", (90, 0, 0)), 10, 110, 40, 40)) == 90
    assert crop(Widget(("scrim",), 0, 0, 180, 400)) == 100


def test_how_far_a_widget_is_clipped_tells_its_crops_apart() -> None:
    def red(top: int) -> list[int]:
        view = View("made", "main", dark=False)
        view.widgets.append(Widget(("fill", (90, 0, 0)), 10, 100, 40, 40, top=top))
        crop = crops.draw_crops(view, 180, 400, [(0.1, 0.3, 0.2, 0.34)], SIDE)[0]
        return [int(crop[row, 0, 0]) for row in (0, 8, 15)]

    assert red(0) == [90, 90, 90]
    assert red(124) == [250, 90, 90]
    assert red(130) == [250, 250, 90]


def test_no_boxes_have_no_crops() -> None:
    device = PhoneDevice()
    assert crops.draw_crops(device.phone.view, 180, 400, [], SIDE).shape == (0, SIDE, SIDE, 3)
