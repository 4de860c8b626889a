from __future__ import annotations

import pytest

from distrl.errors import ConfigError
from distrl.tasks.operations.derive import chains, goes_with, held_out, is_trained
from distrl.tasks.operations.operation import Operation, read_operations
from distrl.tasks.operations.wide_suite import WideSuite
from distrl.tasks.suites import load_suite


def _operations(table: str) -> tuple[Operation, ...]:
    suite = load_suite("general")
    assert isinstance(suite, WideSuite)
    return read_operations(table, suite.templates, suite._more().words)


def test_two_operations_go_together_on_one_occasion_and_in_two_apps() -> None:
    alarm, timer, note, shown, other = _operations(
        """
        clock set_alarm day; clock start_timer day; notes create_note day
        notes open_note day last; todo add_task home
        """
    )
    assert goes_with(alarm, note)
    assert not goes_with(alarm, timer)
    assert not goes_with(alarm, other)
    assert goes_with(alarm, shown)
    assert not goes_with(shown, alarm)


def test_a_pair_comes_in_one_order() -> None:
    made = list(chains(_operations("clock set_alarm day; notes create_note day"), 15))
    assert len(made) == 1


def test_a_chain_is_trained_if_none_of_its_pairs_is_kept_out() -> None:
    templates = load_suite("general").all_templates().values()
    for template in templates:
        if template.compositions:
            held = [held_out(pair) for pair in template.compositions]
            assert is_trained(template) is (not any(held))
            assert all(held) or not any(held)


def test_a_fifth_of_the_pairs_is_kept_out() -> None:
    share = sum(held_out(f"a{n} + b{n}") for n in range(2000)) / 2000
    assert 0.17 < share < 0.23


def test_an_operation_without_a_template_is_named() -> None:
    with pytest.raises(ConfigError, match="'set_alrm' needs a template"):
        _operations("clock set_alrm day")
