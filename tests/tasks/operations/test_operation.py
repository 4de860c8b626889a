from __future__ import annotations

from random import Random

import pytest

from distrl.errors import ConfigError
from distrl.tasks.operations.general_operations import GENERAL
from distrl.tasks.operations.operation import Operation, Part, pair_name, read_operations
from distrl.tasks.operations.wide_suite import WideSuite
from distrl.tasks.pools import TEXT
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Draw
from distrl.tasks.wording.words import named


def _operations(table: str) -> tuple[Operation, ...]:
    suite = load_suite("general")
    assert isinstance(suite, WideSuite)
    return read_operations(table, suite.templates, suite._more().words)


EVERY = _operations(GENERAL)
every_operation = pytest.mark.parametrize("operation", EVERY, ids=lambda op: op.name)


def test_a_declaration_names_app_occasions_and_whether_it_stands_last() -> None:
    made, shown = _operations("notes create_note note trip; notes open_note note last")
    assert (made.app, made.name) == ("notes", "create_note")
    assert made.topics == {"note", "trip"}
    assert not made.last
    assert shown.last
    assert shown.topics == {"note"}


def test_a_template_without_words_is_no_operation() -> None:
    templates = load_suite("general").templates
    with pytest.raises(ConfigError, match="'create_note' needs a template of that name, and words"):
        read_operations("notes create_note note", templates, {})


def test_no_operation_is_declared_twice_and_each_has_an_occasion() -> None:
    names = [operation.name for operation in EVERY]
    assert len(set(names)) == len(names)
    assert all(operation.topics for operation in EVERY)


@every_operation
def test_parameters_get_a_prefix_and_go_back_to_their_own_names(operation: Operation) -> None:
    part = Part(operation, "second")
    drawn = part.sample(Draw("train", Random(3)))
    assert set(drawn) == set(part.params) == set(part.names.values())
    assert all(name.startswith("second_") for name in drawn)
    assert part.own(drawn) == operation.template.sample(Draw("train", Random(3)))


@every_operation
def test_a_request_has_places_for_the_derived_names_alone(operation: Operation) -> None:
    part = Part(operation, "second")
    opened = {name for name, pool in part.params.items() if pool.open}
    for seed in range(6):
        request = part.request(Random(seed))
        assert opened <= named(request) <= set(part.params)
        for name, pool in part.params.items():
            if pool is TEXT:
                assert f'"{{{name}}}"' in request


@every_operation
def test_what_a_part_may_change_is_what_its_template_may(operation: Operation) -> None:
    part = Part(operation, "first")
    drawn = part.sample(Draw("train", Random(4)))
    own = {name.removeprefix("first_"): value for name, value in drawn.items()}
    assert part.allowed(drawn) == operation.template.allowed(own)


def test_a_shared_value_is_called_by_its_pool_and_others_keep_the_prefix() -> None:
    (send,) = _operations("messages send_message people")
    part = Part(send, "second", shared=("person",))
    assert part.names == {"person": "person", "text": "second_text"}
    assert part.own({"person": "A", "second_text": "b"}) == {"person": "A", "text": "b"}


def test_a_pair_has_one_name_in_either_order() -> None:
    assert pair_name("b", "a") == pair_name("a", "b") == "a + b"
