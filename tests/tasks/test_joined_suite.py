from __future__ import annotations

from collections import Counter

import pytest

from distrl.errors import ConfigError
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Kind


def test_the_tasks_of_a_split_are_those_of_its_suites_as_they_are() -> None:
    both = load_suite("general+shopping").tasks("val")
    apart = [*load_suite("general").tasks("val"), *load_suite("shopping").tasks("val")]
    assert sorted(both, key=lambda t: t.id) == sorted(apart, key=lambda t: t.id)
    assert all(find_task(task.id) == task for task in both)


def test_the_first_tasks_of_a_split_are_of_all_suites() -> None:
    first = Counter(task.suite for task in load_suite("general+shopping").tasks("test")[:64])
    assert min(first["general"], first["shopping"]) >= 20


def test_a_split_that_one_of_them_lacks_has_the_tasks_of_the_others() -> None:
    assert {t.suite for t in load_suite("general+shopping").tasks("unseen_app")} == {"general"}


def test_templates_are_found_derived_ones_too() -> None:
    suite = load_suite("general+shopping")
    for task in (suite.tasks("composed")[0], suite.tasks("unseen")[0]):
        assert suite.template(task.template) is load_suite(task.suite).template(task.template)


def test_it_needs_what_any_of_its_suites_needs() -> None:
    assert Kind.ANSWER not in load_suite("general+shopping").kinds
    assert Kind.ANSWER in load_suite("general+questions").kinds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("general+", "each once"),
        ("general+general", "each once"),
        ("general+shoping", "did you mean 'shopping'"),
        ("general+starter", "two templates of"),
        ("general+miniwob", "played on page and phone"),
    ],
)
def test_what_cannot_be_joined_is_refused(name: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("+", r"\+")):
        load_suite(name)
