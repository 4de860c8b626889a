from __future__ import annotations

import pytest

from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite
from distrl.web.play.catalogue import MOST_LISTED, Catalogue, offered_policies

GENERAL = Catalogue.of("general")


def test_an_unknown_suite_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'general'"):
        Catalogue.of("generl")


def test_an_unknown_split_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'train'"):
        GENERAL.tasks("trian")


def test_splits_without_tasks_are_not_offered() -> None:
    assert list(Catalogue.of("starter").splits()) == ["train", "val", "test"]
    with pytest.raises(ConfigError, match="unseen"):
        Catalogue.of("starter").tasks("unseen")


def test_goals_are_found_by_all_of_their_words_in_any_case() -> None:
    found = GENERAL.listed("val", text="ALARM set")
    assert found["count"] >= 1
    assert all("alarm" in (t["goal"] + t["template"]).lower() for t in found["tasks"])
    assert GENERAL.listed("val", text="xyzzy") | {"templates": {}} == {
        "count": 0,
        "tasks": [],
        "templates": {},
    }


def test_a_template_can_be_chosen_and_long_lists_are_cut() -> None:
    every = GENERAL.listed("train")
    assert (every["count"], len(every["tasks"])) == (600, MOST_LISTED)
    assert sum(every["templates"].values()) == 600
    one = GENERAL.listed("train", template="open_app")
    assert one["count"] == every["templates"]["open_app"]
    assert {task["template"] for task in one["tasks"]} == {"open_app"}


@pytest.mark.parametrize("wrong", ["general/val/999", "general/vall/0", "0", "", "shopping/val/0"])
def test_a_task_that_the_suite_has_not_is_refused(wrong: str) -> None:
    with pytest.raises(ConfigError):
        GENERAL.task(wrong)


def test_tasks_follow_each_other_in_a_ring() -> None:
    tasks = GENERAL.tasks("val")
    assert GENERAL.task(tasks[3].id) == tasks[3]
    assert GENERAL.next_to(tasks[0]) == tasks[1]
    assert GENERAL.next_to(tasks[-1]) == tasks[0]


def test_policies_that_are_named_come_first_and_cheats_only_where_there_is_an_oracle() -> None:
    offers = list(offered_policies(load_suite("general"), ("random",)))
    assert offers[0] == "random"
    assert {"scripted", "noisy", "pretrained"} < set(offers)
    pages = offered_policies(load_suite("miniwob"), ())
    assert not {"scripted", "noisy"} & set(pages)


def test_a_policy_of_a_wrong_name_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ConfigError, match="did you mean 'random'"):
        offered_policies(load_suite("general"), ("randm",))
    with pytest.raises(ConfigError, match="there is no run in"):
        offered_policies(load_suite("general"), ("runs/nowhere",))
