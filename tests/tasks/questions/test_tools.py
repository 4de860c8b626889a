from __future__ import annotations

import pytest
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen

from distrl.devices.phone.apps.settings_tables import TITLES
from distrl.devices.phone.apps.store import APPS
from distrl.tasks.questions.tools import TEMPLATES, SettingOn

TASK = ("apps", "todo", "tasks", "target")
CASES = (
    Case(
        "q_task_list",
        {"title": "Knead the dough"},
        ("Home", "home", "the Home", "It is on Home."),
        ("Work", "Personal", "Home or Work", "Personal, Work or Home", "yes", "todo"),
        {(*TASK, "list"): "home"},
    ),
    Case(
        "q_task_done",
        {"title": "Repot the cactus", "list": "Home"},
        ("yes", "Yes, I did", "true", "yep"),
        ("no", "not yet", "Home list", "done", "none"),
        {(*TASK, "done"): True},
    ),
    Case(
        "q_task_done",
        {"title": "Repot the cactus", "list": "Home"},
        ("no", "No, it is open", "not yet", "nope"),
        ("yes", "done", "Yes, no doubt"),
        {(*TASK, "done"): False},
    ),
    Case(
        "q_app_rating",
        {"app": "Lampkeeper"},
        ("4.3 stars", "4.3", "It has 4.3 stars", "4.3 stars 63 MB everyone"),
        ("4.2", "4.4 stars", "43", "63 MB", "63", "5 stars", "4.3 or 4.4"),
    ),
    Case(
        "q_app_maker",
        {"app": "Kingdom Crumb"},
        ("Mossback Studio", "mossback studio", "It is by Mossback Studio"),
        ("Mossback", "Hobnail Home", "Crumb and Co", "Games", "Mossback Studio and Paperjay"),
    ),
    Case(
        "q_setting_on",
        {"setting": "night light"},
        ("yes", "Yes, it is on", "yeah"),
        ("no", "it is not", "Night light", "on"),
        {("system", "night_light"): True},
    ),
    Case(
        "q_setting_on",
        {"setting": "night light"},
        ("no", "No, it is off", "nope"),
        ("yes", "off and on", "true"),
        {("system", "night_light"): False},
    ),
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_of_the_module_has_a_case() -> None:
    assert {case.template for case in CASES} == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    seen = Case(case.template, case.parameters, ("yes",), (), case.held)
    # The list of a task is the tab, and the stars stand in a line with more.
    assert not list(unseen(seen if case.template == "q_task_list" else case))


@pytest.mark.parametrize("setting", SettingOn.KEYS)
@pytest.mark.parametrize("on", [True, False])
def test_a_setting_is_answered_by_its_own_switch(setting: str, on: bool) -> None:
    key = SettingOn.KEYS[setting]
    asked = Asked("q_setting_on", setting=setting)
    others = [name for name in SettingOn.KEYS.values() if name != key]
    for other in others:
        asked.arrange("system", other, to=not on)
    asked.arrange("system", key, to=on)
    assert asked.accepts("yes") is on
    assert asked.accepts("no") is not on
    assert asked.find_out() == ("yes" if on else "no")
    assert asked.sees(TITLES[key])
    assert not asked.side_effects


def test_the_switches_of_the_shade_are_not_asked_about() -> None:
    assert not {"wifi", "bluetooth", "saver"} & set(SettingOn.KEYS.values())


@pytest.mark.parametrize("listed", ["Personal", "Work", "Home"])
def test_a_task_is_looked_for_on_its_own_list(listed: str) -> None:
    asked = Asked("q_task_list", title="Knead the dough")
    asked.arrange(*TASK, "list", to=listed.lower())
    assert asked.find_out() == listed
    assert asked.shows("Knead the dough")
    assert [name for name in ("Personal", "Work", "Home") if asked.accepts(name)] == [listed]


@pytest.mark.parametrize("name", list(APPS)[::9])
def test_the_store_shows_what_is_asked_about_an_app(name: str) -> None:
    app = APPS[name]
    for template, right in {
        "q_app_rating": str(app.rating),
        "q_app_maker": app.developer,
    }.items():
        asked = Asked(template, app=name)
        assert asked.accepts(asked.find_out())
        assert asked.shows(right)
        assert asked.accepts(right)
        assert not asked.accepts(name)


def test_ticking_a_task_off_is_no_answer_and_a_side_effect() -> None:
    asked = Asked("q_task_done", title="Repot the cactus", list="Home")
    asked.arrange(*TASK, "done", to=False)
    asked.change(*TASK, "done", to=True)
    assert not asked.accepts("yes")
    assert asked.side_effects == ("apps.todo.tasks.target.done",)
