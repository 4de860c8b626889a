from __future__ import annotations

import pytest

from distrl.errors import ConfigError
from distrl.tasks.openenv import OpenEnvSuite
from distrl.tasks.suites import find_task, load_suite

HERE = "openenv:http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("name", "url", "steps"),
    [
        (HERE, "http://127.0.0.1:8000", 20),
        (f"{HERE}/", "http://127.0.0.1:8000", 20),
        (f"{HERE}/games/echo/", "http://127.0.0.1:8000/games/echo", 20),
        (f"{HERE}#steps=40", "http://127.0.0.1:8000", 40),
        (f"{HERE}/#steps=1", "http://127.0.0.1:8000", 1),
        ("openenv:https://play.example#steps=9999", "https://play.example", 9999),
        ("openenv:http://[::1]:80", "http://[::1]:80", 20),
    ],
)
def test_a_server_is_named_by_its_address(name: str, url: str, steps: int) -> None:
    suite = load_suite(name)
    assert isinstance(suite, OpenEnvSuite)
    assert suite.url == url
    assert suite.device == "openenv"
    assert {task.step_limit for task in suite.tasks("val")} == {steps}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:8000",
        "//127.0.0.1",
        "http://",
        "http://:8000",
        "http://[::1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:65536",
        "http://127.0.0.1:port",
        "ws://127.0.0.1",
        "file:///tmp/env",
        "http://127.0.0.1?seed=3",
        "http://somebody@127.0.0.1",
        "http://somebody:password@127.0.0.1",
        "http://127.0.0.1#40",
        "http://127.0.0.1#steps=",
        "http://127.0.0.1#steps=0",
        "http://127.0.0.1#steps=-5",
        "http://127.0.0.1#steps=4.5",
        "http://127.0.0.1#steps=10000",
        "http://127.0.0.1#steps=40&seed=3",
    ],
)
def test_what_is_no_address_of_a_server_is_refused_with_an_example(address: str) -> None:
    with pytest.raises(ConfigError, match=r"such as openenv:http://127\.0\.0\.1:8000") as refused:
        load_suite(f"openenv:{address}")
    assert repr(f"openenv:{address}") in str(refused.value)


def test_every_task_is_a_seed_of_its_own_and_no_split_has_one_of_another() -> None:
    suite = load_suite(HERE)
    sizes = {split: len(suite.tasks(split)) for split in suite.splits}
    assert sizes == {"train": 400, "val": 64, "test": 128, "unseen": 0}
    seeds = [task.seed for split in suite.splits for task in suite.tasks(split)]
    assert len(set(seeds)) == sum(sizes.values())


def test_a_task_is_found_by_the_address_and_says_where_it_is_played() -> None:
    name = f"{HERE}#steps=40"
    task = find_task(f"{name}/test/3")
    assert task is load_suite(name).tasks("test")[3]
    assert (task.suite, task.split, task.template) == (name, "test", "episode")
    assert task.goal == "Do what http://127.0.0.1:8000 asks for"
    assert not task.parameters


def test_a_number_that_a_split_does_not_have_is_refused() -> None:
    with pytest.raises(ConfigError, match="has the numbers 0 to 63"):
        find_task(f"{HERE}/val/64")
    with pytest.raises(ConfigError, match="has no tasks"):
        find_task(f"{HERE}/unseen/0")
