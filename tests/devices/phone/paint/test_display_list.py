from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import PIL
import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.bench.phone import record
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import PAINTERS, display_list
from distrl.devices.phone.ui.view import View, Widget
from distrl.envs.device_env import DeviceEnv
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import built_in_suites, load_suite
from distrl.types import Observation, Task

STEPS = 12


def assert_drawn_again(seen: Observation, view: View) -> None:
    """What its display list draws is what is seen, to the pixel and from the same arguments."""
    drawing = seen.picture.drawing
    assert drawing is not None
    np.testing.assert_array_equal(display_list.draw(drawing.pieces), seen.screen)
    # Tiles are cached by equality, which would hide that 1 has become 1.0 or True.
    again = [display_list._placed(piece).paint for piece in drawing.pieces[1:]]
    shown = [w.paint for at, w in enumerate(view.widgets) if w.paint is not None or at == 0]
    assert repr(again) == repr(shown)


def first_of_each_template(suite: str) -> list[Task]:
    found: dict[str, Task] = {}
    for split in load_suite(suite).splits:
        for task in load_suite(suite).tasks(split):
            found.setdefault(task.template, task)
    return list(found.values())


@pytest.mark.parametrize("suite", built_in_suites())
def test_every_screen_on_the_way_through_a_suite_is_drawn_again(suite: str) -> None:
    device = PhoneDevice()
    env = DeviceEnv(device, PhoneReferee(device))
    for recording in record(first_of_each_template(suite)):
        assert_drawn_again(env.reset(recording.task), device.phone.view)
        for action in recording.actions:
            assert_drawn_again(env.step(action).observation, device.phone.view)


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("app", apps.names())
def test_every_app_is_drawn_again_in_any_size_and_theme(app: str, layout: int) -> None:
    rng = Random(f"{app} {layout}")
    for size, dark in (((None, None), False), ((360, 800), True), ((101, 223), False)):
        driver = Driver(layout=layout, nuisance_rate=0.3)
        driver.device.config = driver.device.config.changed(width=size[0], height=size[1])
        driver.change("system", "dark", to=dark)
        driver.open(app)
        for _ in range(STEPS):
            assert_drawn_again(driver.device.observe(), driver.device.phone.view)
            driver.perform(actions.tap(rng.random(), rng.random()))


def test_a_phone_without_an_accessibility_tree_is_drawn_again() -> None:
    device = PhoneDevice(config=PhoneConfig(elements=False))
    assert_drawn_again(device.observe(), device.phone.view)


def view_of(*paints: tuple[object, ...] | None) -> View:
    view = View("a", "p", dark=False)
    view.widgets = [Widget(paint, 0, 20 * place, 50, 20) for place, paint in enumerate(paints)]
    return view


def test_a_painter_of_a_plug_in_is_left_to_its_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PAINTERS, "steam", PAINTERS["fill"])
    assert display_list.describe(view_of(("fill", "bg")), 180, 400) is not None
    assert display_list.describe(view_of(("fill", "bg"), ("steam", "bg")), 180, 400) is None


def test_only_what_shows_is_listed() -> None:
    drawing = display_list.describe(view_of(None, ("fill", "red"), None), 180, 400)
    assert drawing is not None
    assert len(drawing.pieces) == 3  # the size, the first widget, what shows


def test_the_edition_follows_pillow_which_draws_the_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = display_list.edition()
    monkeypatch.setattr(PIL, "__version__", "0.1")
    display_list.edition.cache_clear()
    after = display_list.edition()
    display_list.edition.cache_clear()
    assert after != before


@pytest.mark.parametrize("size", [(0, 400), (-1, -400), (10**6, 10**6)])
def test_a_list_of_an_impossible_size_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a screen of"):
        display_list.draw([msgspec.msgpack.encode((*size, False))])


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(ValueError, match="at least a size"):
        display_list.draw([])
