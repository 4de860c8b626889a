from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors import safe_open

from distrl.cli.main import main
from distrl.devices.phone.art import ICONS, SUBJECTS
from distrl.devices.phone.ui.view import Paint
from distrl.learn import captioner_training
from distrl.learn.captioner_training import CaptionSettings, name_of
from distrl.policies.pointer.captioner import SHIPPED, load_captioner, shipped_captioner
from distrl.policies.pointer.inputs import CROP


@pytest.mark.parametrize(
    ("paint", "name"),
    [
        (("glyph", "star", "text", "bg"), "star outline"),
        (("glyph", "star_filled", "text", "bg"), "star"),
        (("tile", "bell_off", "", True, (1, 2, 3)), "bell off"),
        (("photo", "dog", 3), "dog"),
        (("swatch", (1, 2, 3), False), ""),
        (None, ""),
    ],
)
def test_icons_and_photos_have_names_and_the_rest_has_none(paint: Paint | None, name: str) -> None:
    assert name_of(paint) == name


def test_the_shipped_one_knows_the_names_of_everything_that_is_drawn() -> None:
    wanted = {name_of(("glyph", icon)) for icon in ICONS} | set(SUBJECTS)
    assert set(shipped_captioner().names) == wanted


def test_the_shipped_one_names_nine_of_ten_things_on_screens_that_it_was_not_trained_on() -> None:
    shown = [
        (crop, name_of(style[0])) for style, crop in captioner_training._unlabelled_crops("val", 12)
    ]
    named = [(crop, name) for crop, name in shown if name]
    said = shipped_captioner().name(np.stack([crop for crop, _ in named]))
    right = np.mean([word == name for word, (_, name) in zip(said, named, strict=True)])
    assert len(named) > 100
    assert right > 0.85


def test_photos_are_drawn_in_variants_that_no_phone_holds() -> None:
    held = {
        style[0][2]
        for style, _ in captioner_training._unlabelled_crops("val", 20)
        if style[0][0] == "photo"
    }
    wanted = captioner_training._training_styles(
        [
            (("photo", "dog", 1), 60, 60, False),
            (("glyph", "star", "text", "bg"), 24, 24, False),
            (("swatch", (1, 2, 3), False), 20, 20, False),
        ],
        CaptionSettings(per_icon=1, per_subject=3, nameless=1),
        Random(0),
    )
    drawn = {paint[2] for paint, *_ in wanted if paint[0] == "photo"}
    assert held
    assert held.isdisjoint(drawn)


def test_the_command_makes_a_file_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "captions.safetensors"
    assert main(["pretrained", "captions", "--quick", "--out", str(path), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["names"] == len(load_captioner(path).names)
    assert 0 <= figures["right"] <= 1
    assert load_captioner(path).name(np.zeros((1, CROP, CROP, 3), np.uint8))


def test_the_shipped_file_says_how_good_it_is_and_is_small() -> None:
    with safe_open(SHIPPED, framework="pt") as file:
        about = file.metadata()
    assert float(about["right"]) > 0.85
    assert int(about["seen"]) > 1000
    assert SHIPPED.stat().st_size < 600_000
