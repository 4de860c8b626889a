from __future__ import annotations

from typing import Any

import pytest

from distrl.devices.phone.state import drop, put
from distrl.tasks.allowed_changes import (
    Added,
    Edited,
    Permission,
    Removed,
    allowed_paths,
    fields_of,
)

NOTES = "apps.notes.notes"
CART = "apps.browser.carts.a.com"


def _start() -> dict[str, Any]:
    return {
        "apps": {
            "notes": {"notes": {"n1": {"title": "Tea"}, "n2": {"title": "Rice"}}},
            "browser": {
                "carts": {
                    "a.com": {
                        "p7-red": {"product": "p7", "color": "red", "quantity": 1},
                        "p8-red": {"product": "p8", "color": "red", "quantity": 1},
                    },
                    "b.com": {"p7-red": {"product": "p7", "color": "red", "quantity": 1}},
                }
            },
        }
    }


def _paths(permission: Permission, after: dict[str, Any]) -> set[str]:
    return set(allowed_paths([permission], _start(), after))


def _with_note(key: str, title: str, tree: dict[str, Any] | None = None) -> dict[str, Any]:
    after: dict[str, Any] = put(tree or _start(), ("apps", "notes", "notes", key), {"title": title})
    return after


def test_a_path_stands_for_itself_whatever_happened() -> None:
    assert _paths("system.wifi", _start()) == {"system.wifi"}


def test_no_path_is_a_pattern() -> None:
    assert _paths(f"{NOTES}.*", _with_note("n3", "Milk")) == {f"{NOTES}.*"}


def test_fields_of_names_one_path_per_field() -> None:
    assert fields_of("a.b", "c", "d") == ("a.b.c", "a.b.d")
    assert fields_of("a.b") == ()


def test_one_new_record_is_allowed_by_what_it_holds() -> None:
    wanted = Added(NOTES, {"title": "Milk"})
    assert _paths(wanted, _with_note("n3", "Milk")) == {f"{NOTES}.n3"}
    assert _paths(wanted, _with_note("n3", "Bread")) == set()


def test_a_second_new_record_is_not_allowed_even_if_it_is_alike() -> None:
    after = _with_note("n4", "Milk", _with_note("n3", "Milk"))
    assert _paths(Added(NOTES, {"title": "Milk"}), after) == {f"{NOTES}.n3"}
    assert len(_paths(Added(NOTES, {"title": "Milk"}, most=2), after)) == 2
    assert len(_paths(Added(NOTES, most=None), after)) == 2


def test_an_old_record_that_was_changed_is_not_a_new_one() -> None:
    assert _paths(Added(NOTES, {"title": "Milk"}), _with_note("n1", "Milk")) == set()


def test_the_right_record_is_found_among_wrong_ones() -> None:
    after = _with_note("n9", "Milk", _with_note("n3", "Bread"))
    assert _paths(Added(NOTES, {"title": "Milk"}), after) == {f"{NOTES}.n9"}


def test_a_collection_that_was_not_there_holds_new_records_only() -> None:
    after = put(_start(), ("apps", "todo", "tasks", "t1"), {"title": "Milk"})
    assert _paths(Added("apps.todo.tasks", {"title": "Milk"}), after) == {"apps.todo.tasks.t1"}
    assert _paths(Added("apps.todo.tasks"), _start()) == set()


def test_a_field_may_be_tested_instead_of_compared() -> None:
    long = Added(NOTES, {"title": lambda title: len(title) > 4})
    assert _paths(long, _with_note("n3", "Bread")) == {f"{NOTES}.n3"}
    assert _paths(long, _with_note("n3", "Milk")) == set()


def test_a_record_may_go_by_what_it_held_at_the_start() -> None:
    gone = drop(_start(), ("apps", "notes", "notes", "n1"))
    assert _paths(Removed(NOTES, {"title": "Tea"}), gone) == {f"{NOTES}.n1"}
    assert _paths(Removed(NOTES, {"title": "Rice"}), gone) == set()


def test_only_as_many_records_may_go_as_were_named() -> None:
    empty = put(_start(), ("apps", "notes", "notes"), {})
    assert len(_paths(Removed(NOTES), empty)) == 1
    assert _paths(Removed(NOTES, most=None), empty) == {f"{NOTES}.n1", f"{NOTES}.n2"}


def test_nothing_is_allowed_to_go_while_it_is_there() -> None:
    assert _paths(Removed(NOTES, {"title": "Tea"}), _start()) == set()


def test_one_value_of_a_record_may_change_and_no_other() -> None:
    wanted = Edited(CART, "quantity", {"product": "p7"})
    assert _paths(wanted, _start()) == {f"{CART}.p7-red.quantity"}


def test_a_record_is_known_by_what_it_was_and_not_by_what_it_became() -> None:
    after = put(_start(), ("apps", "browser", "carts", "a.com", "p8-red", "product"), "p7")
    assert _paths(Edited(CART, "quantity", {"product": "p7"}), after) == {f"{CART}.p7-red.quantity"}


def test_what_was_removed_cannot_be_edited() -> None:
    gone = drop(_start(), ("apps", "browser", "carts", "a.com", "p7-red"))
    assert _paths(Edited(CART, "quantity", {"product": "p7"}), gone) == set()


@pytest.mark.parametrize("host", ["a.com", "b.com"])
def test_host_names_are_one_key_in_spite_of_their_dots(host: str) -> None:
    gone = drop(_start(), ("apps", "browser", "carts", host, "p7-red"))
    path = f"apps.browser.carts.{host}"
    assert _paths(Removed(path, {"product": "p7"}), gone) == {f"{path}.p7-red"}


def test_permissions_add_up() -> None:
    after = _with_note("n3", "Milk")
    found = allowed_paths(("system.wifi", Added(NOTES, {"title": "Milk"})), _start(), after)
    assert found == {"system.wifi", f"{NOTES}.n3"}
