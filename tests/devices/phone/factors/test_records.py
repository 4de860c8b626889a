"""Names and order of what apps hold."""

from __future__ import annotations

from typing import Any

from distrl.config.factors import Factor
from distrl.devices.phone import labels, nuisance
from distrl.devices.phone.factors.records import _NAMED, vary
from distrl.devices.phone.initial_state import create_state


def apps() -> Any:
    return create_state(3, nuisance_rate=0.0, weights=nuisance.WEIGHTS, layouts={})["apps"]


def test_invented_names_are_new_and_nothing_else_of_a_record_changes() -> None:
    before, known = apps(), set(labels._names())
    varied = vary(before, (Factor.CONTENT,), 3)
    for app, collection, field in _NAMED:
        old, new = before[app][collection], varied[app][collection]
        assert old.keys() == new.keys()
        assert not known & {record[field] for record in new.values()}
        names = {"title", "artist", field}
        for key, record in old.items():
            kept = {name: value for name, value in record.items() if name not in names}
            assert kept.items() <= new[key].items()


def test_another_order_holds_the_same_records() -> None:
    before = apps()
    varied = vary(before, (Factor.ORDER,), 3)
    assert varied == before
    assert list(varied["todo"]["tasks"]) != list(before["todo"]["tasks"])


def test_the_household_that_phones_share_is_left_alone() -> None:
    before = apps()
    vary(before, (Factor.CONTENT, Factor.ORDER), 3)
    assert before == apps()


def test_nothing_is_copied_without_these_factors() -> None:
    before = apps()
    assert vary(before, (Factor.DARK,), 3) is before
