from __future__ import annotations

from io import BytesIO

from PIL import Image
from tests.bench.experiments.made import curve, experiment, point, result

from distrl.bench.experiments.curves import Curve, curve_of, draw_curves


def test_a_curve_begins_with_its_start() -> None:
    start, run = result(experiment("start"), [point(0.0, 0.3)]), result(experiment(), curve(0.5))
    assert [p.success for p in curve_of("run", [start], [run]).runs[0]] == [0.3, 0.5]


def test_curves_become_a_picture_that_is_the_same_every_time() -> None:
    curves = [Curve("a", [curve(0.1, 0.2), curve(0.3, 0.2)]), Curve("b", [curve(0.5, 0.6)])]
    drawn = draw_curves("general", curves)
    assert Image.open(BytesIO(drawn)).size[0] > 1000
    assert draw_curves("general", curves) == drawn
    assert draw_curves("general", curves[:1]) != drawn
