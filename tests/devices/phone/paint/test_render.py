from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.contracts.monkey import random_action
from tests.devices.phone.driver import Driver

from distrl.devices.phone import apps
from distrl.devices.phone.paint import PAINTERS, render
from distrl.devices.phone.paint.canvas import Canvas
from distrl.devices.phone.ui.view import View

APPS = ("launcher", *apps.names())


def _views(app: str, count: int = 12, seed: int = 0, *, layout: int = 1) -> list[View]:
    """Some screens of an app, as a user who looks around sees them."""
    driver = Driver(seed, layout=layout)
    rng = Random(f"{app} {seed}")
    driver.open(app)
    views: list[View] = []
    while len(views) < count:
        view = driver.device.phone.view
        views.append(view)
        driver.perform(random_action(rng, view.elements, keyboard=view.keyboard, home=False))
        if driver.app != app:
            driver.open(app)
    return views


def _cold(monkeypatch: pytest.MonkeyPatch, limit: int = 2**30) -> None:
    monkeypatch.setattr(render, "_tiles", render.Tiles(limit))


@pytest.mark.parametrize("app", APPS)
def test_cached_tiles_give_the_same_picture_as_a_cold_start(
    app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = _views(app)
    warm = [render.render(view, 180, 400) for view in views for _ in range(2)][1::2]
    for view, expected in zip(views, warm, strict=True):
        _cold(monkeypatch)
        np.testing.assert_array_equal(render.render(view, 180, 400), expected)


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("layout", [1, 2])
def test_painters_leave_nothing_to_chance(
    app: str, layout: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tile starts as whatever was in memory; a painter must cover it all."""
    views = _views(app, layout=layout)
    frames = []
    for dirt in (0, 255):

        class Dirty(Canvas):
            __slots__ = ()
            start = dirt

            def __init__(
                self, width: int, height: int, scale: tuple[float, float], *, dark: bool
            ) -> None:
                super().__init__(width, height, scale, dark=dark)
                self.pixels[:] = self.start

        _cold(monkeypatch)
        monkeypatch.setattr(render, "Canvas", Dirty)
        frames.append([render.render(view, 180, 400) for view in views])
    for one, two, view in zip(*frames, views, strict=True):
        if not np.array_equal(one, two):
            pytest.fail(f"{app}/{view.page} is partly unpainted by: {_culprits(view)}")


def _culprits(view: View) -> set[str]:
    """Painters that are not overlays and leave parts of their tile as they were."""
    found = set()
    for widget in view.widgets:
        paint = widget.paint
        if paint is None or paint[0] in {*render.OVERLAYS, "wallpaper", "scrim"}:
            continue
        tiles = []
        for dirt in (0, 255):
            canvas = Canvas(widget.w, widget.h, (1.0, 1.0), dark=view.dark)
            canvas.pixels[:] = dirt
            PAINTERS[paint[0]](canvas, *paint[1:])
            tiles.append(canvas.pixels)
        if not np.array_equal(tiles[0], tiles[1]):
            found.add(str(paint[0]))
    return found


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (9, 20), (64, 64), (135, 300), (540, 1200)])
def test_screen_is_drawn_at_any_size(app: str, width: int, height: int) -> None:
    for view in _views(app, count=2):
        assert render.render(view, width, height).shape == (height, width, 3)


def test_sizes_that_share_a_width_do_not_share_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    view = _views("clock", count=1)[0]
    sizes = [(180, 400), (180, 396), (180, 404), (180, 500)]
    warm = [render.render(view, *size) for size in sizes]
    for size, expected in zip(sizes, warm, strict=True):
        _cold(monkeypatch)
        np.testing.assert_array_equal(render.render(view, *size), expected)


def test_frame_cannot_be_written_to() -> None:
    frame = render.render(_views("clock", count=1)[0], 180, 400)
    with pytest.raises(ValueError, match="read-only"):
        frame[0, 0] = 0


def test_frames_do_not_share_memory_with_the_cache() -> None:
    view = _views("clock", count=1)[0]
    one, two = render.render(view, 180, 400), render.render(view, 180, 400)
    assert not np.shares_memory(one, two)


@pytest.mark.parametrize("app", apps.names())
def test_dark_theme_is_darker(app: str) -> None:
    driver = Driver()
    driver.open(app)
    light = render.render(driver.device.phone.view, 180, 400).mean()
    driver.change("system", "dark", to=True)
    dark = render.render(driver.device.phone.view, 180, 400).mean()
    assert dark < light


@pytest.mark.parametrize("app", apps.names())
def test_layouts_look_different(app: str) -> None:
    frames = []
    for layout in (1, 2):
        driver = Driver(layout=layout)
        driver.open(app)
        frames.append(render.render(driver.device.phone.view, 180, 400))
    assert not np.array_equal(frames[0], frames[1])


def test_small_cache_still_draws_right(monkeypatch: pytest.MonkeyPatch) -> None:
    views = _views("notes")
    expected = [render.render(view, 180, 400) for view in views]
    _cold(monkeypatch, limit=50_000)
    for view, frame in zip(views, expected, strict=True):
        np.testing.assert_array_equal(render.render(view, 180, 400), frame)


def _changed(before: View, after: View) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the pixels that differ between two screens."""
    frames = [render.render(view, 180, 400) for view in (before, after)]
    rows, columns = np.nonzero((frames[0] != frames[1]).any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_a_switch_changes_just_its_own_pixels() -> None:
    driver = Driver()
    alarms = {
        key: {"minutes": 60 * hour, "label": key, "on": False}
        for hour, key in enumerate(("first", "second", "third"), 6)
    }
    driver.change("apps", "clock", "alarms", to=alarms)
    driver.open("clock")
    before = driver.device.phone.view
    switch = driver.find("second", "switch")
    assert switch is not None
    driver.change("apps", "clock", "alarms", "second", "on", to=True)
    left, top, right, bottom = _changed(before, driver.device.phone.view)
    assert switch.x <= left
    assert right <= switch.x + switch.w
    assert switch.y <= top
    assert bottom <= switch.y + switch.h


def test_a_minute_changes_just_the_clocks() -> None:
    driver = Driver()
    driver.change("time", to=9 * 3600)
    before = driver.device.phone.view
    driver.change("time", to=9 * 3600 + 60)
    _, top, _, bottom = _changed(before, driver.device.phone.view)
    assert top < 14
    assert bottom <= 60


def test_a_typed_letter_changes_just_the_field() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_icon("add")
    driver.back()
    field = driver.find("Note", "field")
    assert field is not None
    before = driver.device.phone.view
    driver.change("ui", "stacks", "notes", to=_typed(driver, "body", "x"))
    _, top, _, bottom = _changed(before, driver.device.phone.view)
    assert field.y <= top < bottom <= field.y + field.h


def _typed(driver: Driver, key: str, text: str) -> list[dict[str, object]]:
    *below, top = driver.state["ui"]["stacks"]["notes"]
    return [*below, {**top, "vars": {key: text}}]


def test_a_dialog_darkens_what_lies_below_it() -> None:
    driver = Driver()
    driver.open("notes")
    page = render.render(driver.device.phone.view, 180, 400)
    driver.long_press(driver.of_role("item")[0])
    covered = render.render(driver.device.phone.view, 180, 400)
    np.testing.assert_array_equal(covered[200:300, 10:60], page[200:300, 10:60] >> 1)


def test_what_scrolls_is_never_drawn_over_the_bars() -> None:
    driver = Driver()
    note = {"title": "T", "body": "b", "color": "pink", "pinned": False}
    driver.change("apps", "notes", "notes", to={f"n{i}": note for i in range(40)})
    driver.open("notes")
    top = render.render(driver.device.phone.view, 180, 400)
    driver.swipe("up")
    scrolled = render.render(driver.device.phone.view, 180, 400)
    np.testing.assert_array_equal(scrolled[14:40], top[14:40])
    assert not np.array_equal(scrolled[60:300], top[60:300])


@pytest.mark.parametrize("painter", sorted(render.OVERLAYS))
def test_every_overlay_has_a_painter(painter: str) -> None:
    assert painter in PAINTERS


def test_cache_stays_within_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = render.Tiles(1000)
    for number in range(50):
        tiles.add((number,), np.zeros((10, 10, 3), np.uint8))
    assert tiles._held <= 1000
    assert tiles.get((49,)) is not None
    assert tiles.get((0,)) is None
