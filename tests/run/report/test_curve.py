import warnings
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image
from tests.run.report.stories import AFTER

from distrl.clock import VirtualClock
from distrl.config.load import check
from distrl.monitor.metrics_hub import LearnerMonitor, MetricsHub
from distrl.run.report import evaluation_numbers
from distrl.run.report.curve import Axis, History, Point, draw, draw_one, read_history

EMPTY = History(training={}, evaluations={}, gauges={})
RISING = History(
    training={"general": [Point(i / 10, 20 * i, i / 50) for i in range(50)]},
    evaluations={
        "general/test": [Point(0, 0, 0.4, 0.3, 0.5), Point(5, 1000, 0.9, 0.8, 0.95)],
        "general/val": [Point(2, 400, 0.6)],
    },
    gauges={},
)


def pixels(png: bytes) -> npt.NDArray[np.int64]:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(np.int64)


def test_the_history_is_read_from_the_metrics_of_a_run(tmp_path: Path) -> None:
    clock = VirtualClock()
    config = check({"monitor": {"tensorboard": False}})
    metrics, learner = MetricsHub(tmp_path, config, clock), LearnerMonitor(tmp_path, clock)
    for minute in range(5):
        metrics.collect(
            {"collect/success/general": minute / 10, "collect/episodes": 10 * minute},
            step=10 * minute,
        )
        learner.record({"entropy": 5 - minute, "learner/updates": minute}, step=minute)
        clock.sleep(60)
    metrics.evaluate(evaluation_numbers("general", "test", AFTER.overall), step=50)
    metrics.close()
    learner.close()
    history = read_history(tmp_path)
    assert history.training["general"][2] == Point(2.0, 20, 0.2)
    row = AFTER.overall
    assert row.success is not None
    assert history.evaluations["general/test"] == [Point(5.0, 50, row.success, row.low, row.high)]
    # Totals at their end, other gauges in the middle of the second half: 3, 2, 1.
    assert history.gauges == {"collect/episodes": 40, "learn/updates": 4, "learn/entropy": 2}


def test_a_point_is_drawn_where_it_belongs_even_if_it_was_recorded_later(tmp_path: Path) -> None:
    clock = VirtualClock()
    metrics = MetricsHub(tmp_path, check({"monitor": {"tensorboard": False}}), clock)
    clock.sleep(600)
    metrics.evaluate(evaluation_numbers("general", "val", AFTER.overall, minutes=2.5), step=50)
    metrics.close()
    (point,) = read_history(tmp_path).evaluations["general/val"]
    assert (point.minutes, point.episodes) == (2.5, 50)


def test_a_run_without_metrics_has_an_empty_history(tmp_path: Path) -> None:
    assert read_history(tmp_path) == EMPTY


@pytest.mark.parametrize("history", [EMPTY, RISING], ids=["empty", "rising"])
def test_the_picture_is_a_png_of_some_size(history: History) -> None:
    image = Image.open(BytesIO(draw(history)))
    assert image.format == "PNG"
    assert image.width >= 1200
    assert image.width > 2 * image.height


def test_a_curve_leaves_ink_that_an_empty_picture_does_not_have() -> None:
    blue = [9, 105, 218]
    inked = [(pixels(draw(history)) == blue).all(-1).sum() for history in (EMPTY, RISING)]
    assert inked[0] == 0
    assert inked[1] > 500


@pytest.mark.parametrize("axis", list(Axis))
def test_a_page_gets_a_light_and_a_dark_picture(axis: Axis) -> None:
    light, dark = (pixels(draw_one(RISING, axis, dark=dark)) for dark in (False, True))
    assert light.shape == dark.shape
    assert light[0, 0].tolist() == [255, 255, 255]
    assert dark[0, 0].tolist() == [0x16, 0x1B, 0x22]


def test_a_name_with_dollars_is_not_mathematics() -> None:
    strange = History(training={"$\\frac{$": [Point(0, 0, 0.5)]}, evaluations={}, gauges={})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert draw(strange) != draw(EMPTY)
