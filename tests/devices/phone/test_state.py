from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone.state import Change, diff, drop, lasting_changes, put

_keys = st.sampled_from("abc")
_leaves = st.one_of(st.integers(), st.booleans(), st.text(max_size=3))
_trees = st.recursive(
    st.dictionaries(_keys, _leaves, max_size=3),
    lambda below: st.dictionaries(_keys, below | _leaves, max_size=3),
    max_leaves=12,
)


def _tree() -> dict[str, Any]:
    return {"a": {"x": 1, "y": {"z": 2}}, "b": {"w": 3}, "c": [1, {"k": 4}]}


def test_put_makes_a_new_tree_and_leaves_the_old_one() -> None:
    old = _tree()
    new = put(old, ("a", "y", "z"), 9)
    assert new["a"]["y"]["z"] == 9
    assert old == _tree()


def test_put_shares_what_is_not_on_the_path() -> None:
    old = _tree()
    new = put(old, ("a", "y", "z"), 9)
    assert new["b"] is old["b"]
    assert new["c"] is old["c"]
    assert new["a"] is not old["a"]


def test_put_makes_missing_dictionaries() -> None:
    assert put({}, ("a", "b", "c"), 1) == {"a": {"b": {"c": 1}}}


def test_put_reaches_into_lists_without_changing_them() -> None:
    old = _tree()
    assert put(old, ("c", 1, "k"), 5)["c"] == [1, {"k": 5}]
    assert old == _tree()


def test_put_at_the_root_replaces_everything() -> None:
    assert put(_tree(), (), 7) == 7


def test_drop_removes_and_shares() -> None:
    old = _tree()
    new = drop(old, ("a", "y"))
    assert new["a"] == {"x": 1}
    assert new["b"] is old["b"]
    assert old == _tree()


@pytest.mark.parametrize("path", [("q",), ("a", "q"), ("a", "y", "q"), ("q", "r")])
def test_dropping_nothing_is_the_same_tree(path: tuple[str, ...]) -> None:
    old = _tree()
    assert drop(old, path) is old


@given(_trees, st.lists(_keys, min_size=1, max_size=3), _leaves)
def test_no_change_ever_touches_the_old_tree(
    tree: dict[str, Any], path: list[str], value: object
) -> None:
    kept, written = copy.deepcopy(tree), json.dumps(tree)
    inner: Any = tree
    for key in path[:-1]:
        inner = inner.get(key, {})
        if not isinstance(inner, dict):
            return
    put(tree, tuple(path), value)
    drop(tree, tuple(path))
    assert tree == kept
    assert json.dumps(tree) == written


def test_diff_names_the_deepest_key() -> None:
    new = put(drop(_tree(), ("b", "w")), ("a", "y", "z"), 5)
    assert diff(_tree(), new) == (Change("a.y.z", 2, 5), Change("b.w", 3, None))


def test_diff_names_a_new_or_lost_record_and_not_its_fields() -> None:
    before = {"notes": {"n1": {"title": "x"}}}
    after = {"notes": {"n2": {"title": "y"}}}
    assert [change.path for change in diff(before, after)] == ["notes.n1", "notes.n2"]


@given(_trees)
def test_diff_with_itself_is_empty(tree: dict[str, Any]) -> None:
    assert diff(tree, tree) == ()
    assert diff(tree, copy.deepcopy(tree)) == ()


@given(_trees, _trees)
def test_diff_is_empty_only_for_equal_trees(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert bool(diff(one, two)) == (one != two)


def _phone(**changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "time": 1,
        "ids": 0,
        "ui": {"app": "launcher", "stacks": {}},
        "nuisance": {"armed": []},
        "notices": {},
        "system": {"wifi": True},
        "apps": {"notes": {"notes": {"n1": {"title": "x", "pinned": False}}, "recent": {}}},
    }
    return base | changes


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("time",), 99),
        (("ids",), 5),
        (("ui", "app"), "clock"),
        (("ui", "stacks", "clock"), []),
        (("nuisance", "armed"), [1]),
        (("notices", "n"), {"app": "x"}),
        (("apps", "notes", "recent", "last"), "n1"),
        (("apps", "notes", "recent_searches"), ["a"]),
    ],
)
def test_what_use_leaves_behind_is_no_lasting_change(path: tuple[str, ...], value: object) -> None:
    assert lasting_changes(_phone(), put(_phone(), path, value), ()) == ()


def test_lasting_changes_are_named_unless_allowed() -> None:
    after = put(_phone(), ("apps", "notes", "notes", "n1", "pinned"), True)
    after = put(after, ("system", "wifi"), False)
    assert lasting_changes(_phone(), after, ()) == ("apps.notes.notes.n1.pinned", "system.wifi")
    assert lasting_changes(_phone(), after, ("apps.notes.notes.n1.pinned",)) == ("system.wifi",)
    assert lasting_changes(_phone(), after, ("apps.notes.notes.n1.pinned", "system.wifi")) == ()


def test_an_allowed_path_is_no_pattern() -> None:
    after = put(_phone(), ("apps", "notes", "notes", "n1", "pinned"), True)
    effects = lasting_changes(_phone(), after, ("apps.notes.notes.*",))
    assert effects == ("apps.notes.notes.n1.pinned",)


def test_allowing_a_record_to_go_does_not_allow_its_fields_to_change() -> None:
    after = put(_phone(), ("apps", "notes", "notes", "n1", "title"), "y")
    allowed = ("apps.notes.notes.n1",)
    assert lasting_changes(_phone(), after, allowed) == ("apps.notes.notes.n1.title",)
    gone = drop(_phone(), ("apps", "notes", "notes", "n1"))
    assert lasting_changes(_phone(), gone, allowed) == ()
