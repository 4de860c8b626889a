"""Tasks in apps that phones do not start with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tasks.general.posed import Posed
from tests.tasks.runs import Run, listed, phone, play

from distrl.devices.phone.apps.web import LIBRARY_HOST
from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.new_apps import TEMPLATES
from distrl.tasks.suites import load_suite

APPS = {"cookbook", "postcards", "smart_home", "library"}
TASKS = load_suite("general").tasks("unseen_app")


def test_there_are_four_apps_and_every_surface_has_one() -> None:
    assert {app for template in TEMPLATES for app in template.new_apps} == APPS
    assert {task.template for task in TASKS} == {template.name for template in TEMPLATES}
    assert any(template.visual for template in TEMPLATES)


def test_no_phone_starts_with_one_of_them() -> None:
    state = PhoneDevice().snapshot()
    assert not APPS & set(state["apps"])
    assert "library" not in state["apps"]["browser"]
    assert not APPS & set(state["system"]["installed"])


@pytest.mark.parametrize("layout", [1, 2])
def test_the_oracle_finds_its_way_in_both_layouts(layout: int) -> None:
    device = phone(layout=layout)
    runs: list[Run] = [play(replace(task, seed=task.seed + 500), device) for task in TASKS[::3]]
    bad = [run for run in runs if not run.succeeded or run.side_effects]
    assert not bad, listed(bad)


@pytest.mark.parametrize("nuisance", ["permission", "ad", "notice"])
def test_the_oracle_clears_what_stands_in_the_way(nuisance: str) -> None:
    device = phone(nuisance=nuisance)
    runs = [play(task, device) for task in TASKS[::9]]
    assert all(run.succeeded for run in runs), listed(runs)


def test_the_oracle_recovers_from_mistakes() -> None:
    device = phone()
    runs = [play(task, device, mistakes=0.15, limit=80) for task in TASKS[::4]]
    assert sum(run.succeeded for run in runs) >= 0.6 * len(runs), listed(runs)


def test_a_neighbour_that_is_changed_is_a_side_effect() -> None:
    posed = Posed("switch_lamp", room="Study", switch="on")
    posed.solve()
    assert posed.reached
    assert not posed.side_effects
    posed.change("apps", "smart_home", "rooms", "Study", "fan", to=None)
    assert posed.side_effects == ("apps.smart_home.rooms.Study.fan",)


def test_one_serving_too_many_is_taken_back() -> None:
    posed = Posed("more_servings", dish="Onion tart")
    servings = posed.data("cookbook")["recipes"]["target"]["servings"]
    posed.change("apps", "cookbook", "recipes", "target", "servings", to=servings + 2)
    posed.solve()
    assert posed.data("cookbook")["recipes"]["target"]["servings"] == servings + 1


def test_the_address_of_the_library_is_never_mistyped() -> None:
    goals = [task.goal for task in TASKS if "book" in task.parameters]
    assert len(goals) > 20
    assert all(LIBRARY_HOST in goal for goal in goals)
