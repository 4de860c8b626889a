from __future__ import annotations

from typing import Any

from distrl.config import RunConfig, load_run_config
from distrl.web.runs_page.settings import closest_recipe, differing, flatten, group_key


def tree(*overrides: str) -> dict[str, Any]:
    return load_run_config("quickstart", overrides).model_dump(mode="json")


def key(*overrides: str, folder: str = "runs/one") -> str:
    return group_key(tree(*overrides), folder)


def test_sections_are_flattened_to_dotted_names_and_empty_ones_stay_values() -> None:
    assert flatten({"a": {"b": {"c": 1}, "d": [2]}, "e": {}}) == {"a.b.c": 1, "a.d": [2], "e": {}}


def test_runs_that_differ_by_seed_alone_have_one_key() -> None:
    assert key() == key("seed=1") == key("seed=99")


def test_what_is_shown_to_people_and_where_a_cluster_is_do_not_part_seeds() -> None:
    assert key() == key("monitor.tensorboard=false", "monitor.wandb=mine")
    ray = ("engine=ray", "address=10.0.0.1:6379", "cluster.token_file=a")
    assert key(*ray) == key("engine=ray", "address=10.0.0.2:6379", "cluster.token_file=b")


def test_every_other_setting_parts_them() -> None:
    keys = {key(), key("minutes=9"), key("algorithm.gamma=0.5"), key("engine=virtual"),
            key("tasks.suite=shopping"), key("init=scratch"), key("evaluate.tasks=3")}  # fmt: skip
    assert len(keys) == 7


def test_a_setting_that_names_the_runs_own_folder_is_the_same_in_all_runs() -> None:
    one = key("collect.cassettes=runs/one/tapes", folder="runs/one")
    two = key("collect.cassettes=runs/two/tapes", folder="runs/two")
    assert one == two
    assert one != key("collect.cassettes=runs/two/tapes", folder="runs/one")
    assert one != key("collect.cassettes=runs/one/others", folder="runs/one")


def test_a_folder_whose_name_only_begins_alike_is_not_the_runs_own() -> None:
    one = key("collect.cassettes=runs/one-more/tapes", folder="runs/one")
    two = key("collect.cassettes=runs/two-more/tapes", folder="runs/two")
    assert one != two


def recipes() -> dict[str, dict[str, Any]]:
    return {
        name: flatten(load_run_config(name).model_dump(mode="json"))
        for name in ("quickstart", "debug", "shopping")
    }


def test_a_run_is_called_after_the_recipe_that_it_is_nearest_to() -> None:
    assert closest_recipe(flatten(tree("seed=5")), recipes()) == "quickstart"
    assert closest_recipe(flatten(tree("minutes=1", "algorithm.name=ppo")), recipes()) == (
        "quickstart +2"
    )


def test_settings_of_another_version_do_not_count_as_changes() -> None:
    assert closest_recipe({**flatten(tree()), "quantum.flux": 3}, recipes()) == "quickstart"


def test_a_run_that_is_near_to_no_recipe_has_none() -> None:
    assert closest_recipe(flatten(RunConfig().model_dump(mode="json")), recipes()) is None
    assert closest_recipe(flatten(tree()), {}) is None


def test_only_settings_that_differ_are_listed_as_a_file_would_write_them() -> None:
    rows = differing([{"a": 1, "b": None, "c": "x"}, {"a": 1, "b": True}, {"a": 1, "b": 0.5}])
    assert rows == [
        {"name": "b", "values": ["null", "true", "0.5"]},
        {"name": "c", "values": ["x", "(absent)", "(absent)"]},
    ]
    assert differing([{"a": 1}]) == differing([]) == []
