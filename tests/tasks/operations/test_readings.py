from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.control import Control
from distrl.errors import ConfigError
from distrl.tasks.operations.general_operations import GENERAL
from distrl.tasks.operations.operation import read_operations
from distrl.tasks.operations.reading import Reading, ReadingPart, find_operation
from distrl.tasks.operations.readings import CONDITIONS, VALUES
from distrl.tasks.operations.wide_suite import WideSuite
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Draw
from distrl.tasks.wording.words import named

SUITE = load_suite("general")
every_reading = pytest.mark.parametrize(
    "reading", (*VALUES, *CONDITIONS), ids=lambda reading: reading.name
)
every_condition = pytest.mark.parametrize("condition", CONDITIONS, ids=lambda c: c.name)


def _part(reading: Reading) -> ReadingPart:
    assert isinstance(SUITE, WideSuite)
    operations = read_operations(GENERAL, SUITE.templates, SUITE._more().words)
    return ReadingPart(reading, find_operation(operations, reading.look), "from")


def _shown(reading: Reading, seed: int = 5, **changes: object) -> tuple[Posed, dict[str, Any]]:
    """A phone on which the page of a reading is in front, and its parameters."""
    part = _part(reading)
    p = part.own(part.sample(Draw("train", Random(seed)))) | changes
    own = {name: p[name] for name in part.operation.template.params}
    posed = Posed(reading.look, seed, **own)
    control = Control(posed.state, posed.app)
    reading.arrange(control, p, Random(seed))
    posed.device.restore(control.state)
    for _ in range(15):
        if posed.reached:
            return posed, p
        posed.perform(posed.next_action())
    raise AssertionError(f"{reading.name} is nowhere")


@every_reading
def test_what_a_reading_is_called_names_its_parameters_but_not_the_answer(reading: Reading) -> None:
    known = {*SUITE.templates[reading.look].params, *reading.extra}
    for says in reading.says:
        assert named(says) <= known - {"truth"}
        assert named(says) >= set(SUITE.templates[reading.look].params)
    assert not any(pool.open for pool in reading.extra.values())


@pytest.mark.parametrize("reading", VALUES, ids=lambda reading: reading.name)
@pytest.mark.parametrize("seed", [5, 6, 7])
def test_the_value_that_is_to_be_carried_stands_on_the_page(reading: Reading, seed: int) -> None:
    posed, p = _shown(reading, seed)
    assert posed.shows(reading.value(p))
    assert posed.page == reading.page


@every_reading
def test_a_page_is_seen_when_it_was_left_open_and_not_before(reading: Reading) -> None:
    part = _part(reading)
    posed, own = _shown(reading)
    p = {f"from_{name}": value for name, value in own.items()}
    assert part.own(p) == own
    assert part.seen(posed.state, p)
    posed.press("home")
    assert part.seen(posed.state, p)
    posed.open(part.operation.app)
    posed.back()
    assert not part.seen(posed.state, p)


def test_the_page_of_another_record_is_not_the_one_to_be_read() -> None:
    chat = next(reading for reading in VALUES if reading.name == "last_message")
    posed, own = _shown(chat)
    p = {f"from_{name}": value for name, value in own.items()}
    assert not _part(chat).seen(posed.state, {**p, "from_person": "Somebody Else"})


@every_condition
@pytest.mark.parametrize("seed", range(4))
def test_a_condition_is_the_case_if_and_only_if_it_was_made_to_be(
    condition: Reading, seed: int
) -> None:
    assert condition.holds({"truth": "yes"})
    assert not condition.holds({"truth": "no"})
    # Everything else is drawn alike, so what differs is what the page says.
    true, p = _shown(condition, seed, truth="yes")
    false, same = _shown(condition, seed, truth="no")
    assert {**p, "truth": ""} == {**same, "truth": ""}
    assert true.texts() != false.texts()
    for key in ("line", "text"):
        if key in p:
            assert true.shows(p[key])
            assert not false.shows(p[key])


def test_values_and_conditions_have_names_of_their_own() -> None:
    names = [reading.name for reading in (*VALUES, *CONDITIONS)]
    assert len(set(names)) == len(names)


def test_an_operation_that_there_is_not_is_named_with_those_there_are() -> None:
    known = _part(VALUES[0]).operation
    assert find_operation([known], known.name) is known
    with pytest.raises(ConfigError, match=r"no operation 'open_chat' among \['contact_number'\]"):
        find_operation([known], "open_chat")
