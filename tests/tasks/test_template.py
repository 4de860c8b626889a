from __future__ import annotations

from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl.tasks.pools import NOTE, SWITCH
from distrl.tasks.template import Draw, Scene, Template


class _Closed(Template):
    name = "closed"
    phrasings = ("one {how}", "two {how}", "three {how}", "four {how}", "five {how}")
    params = {"how": SWITCH}  # noqa: RUF012 - a declaration, as in every template


class _Open(_Closed):
    params = {"how": SWITCH, "title": NOTE}  # noqa: RUF012 - a declaration, as in every template


class _Unseen(_Closed):
    unseen = True


def test_template_is_closed_when_no_parameter_is_open() -> None:
    assert _Closed().closed_only
    assert not _Open().closed_only


def test_closed_template_never_uses_one_phrasing_in_two_splits() -> None:
    template = _Closed()
    shares = [template.phrasings_for(split) for split in ("train", "val", "test")]
    assert [len(share) for share in shares] == [3, 1, 1]
    assert len({phrasing for share in shares for phrasing in share}) == 5


@pytest.mark.parametrize("template", [_Open(), _Unseen()])
def test_other_templates_use_all_phrasings(template: Template) -> None:
    assert template.phrasings_for("test") == template.phrasings


def test_sample_draws_every_parameter_from_its_share() -> None:
    for split in ("train", "val", "test", "unseen"):
        for seed in range(20):
            values = _Open().sample(Draw(split, Random(seed)))
            assert set(values) == {"how", "title"}
            assert values["title"] in NOTE.share(split)


def test_several_values_differ() -> None:
    values = Draw("test", Random(0)).some(NOTE, 5)
    assert len(set(values)) == 5


def _scene(driver: Driver, before: Driver | None = None) -> Scene:
    start = (before or driver).state
    return Scene(start, driver.state, driver.device.phone.view)


def test_scene_sees_data_now_and_before() -> None:
    before, driver = Driver(), Driver()
    driver.open("notes")
    driver.tap_icon("add")
    driver.fill("Title", "Milk")
    driver.tap("Save")
    scene = _scene(driver, before)
    assert len(scene.data("notes")["notes"]) == len(scene.data_before("notes")["notes"]) + 1


def test_scene_knows_the_page_in_front() -> None:
    driver = Driver()
    driver.open("notes")
    key, note = next(iter(driver.data("notes")["notes"].items()))
    driver.tap(note["title"])
    scene = _scene(driver)
    assert scene.at("notes")
    assert scene.at("notes", "note", id=key)
    assert not scene.at("notes", "note", id="another")
    assert not scene.at("notes", "main")
    assert not scene.at("clock")


def test_page_under_the_shade_is_not_in_front() -> None:
    driver = Driver()
    driver.open("notes")
    driver.pull_shade()
    assert not _scene(driver).at("notes")


def test_scene_finds_words_inside_longer_ones() -> None:
    driver = Driver()
    driver.open("notes")
    assert _scene(driver).shows("search NOTES")
    assert not _scene(driver).shows("no such words")


def test_scene_reads_values_of_the_page() -> None:
    driver = Driver()
    driver.open("notes")
    driver.fill("Search notes", "tea")
    assert _scene(driver).var("query") == "tea"
    assert _scene(driver).var("missing", 5) == 5
