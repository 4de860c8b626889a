from __future__ import annotations

import pytest
from tests.devices.android.views.dump import node, tree

from distrl.devices.android.views.tree import parse_box


def test_children_stand_in_the_order_in_which_they_are_drawn() -> None:
    def child(order: str) -> str:
        return node("view", (0, 0, 9, 9), text=order, drawing_order=order)

    top = tree(node("frame", (0, 0, 99, 99), child("3"), child("1"), child("2")))
    assert [view.text for view in top.below()] == ["", "1", "2", "3"]


def test_children_without_a_drawing_order_keep_theirs() -> None:
    top = tree(*(node("view", (0, 0, 9, 9), text=name) for name in "cab"))
    assert [view.text for view in top.below()] == ["c", "a", "b"]


def test_what_a_view_lies_in_is_found_from_below() -> None:
    *_, last = tree(node("frame", (0, 0, 9, 9), node("view", (0, 0, 5, 5), text="x"))).below()
    assert [view.kind for view in last.above()] == ["FrameLayout", ""]


@pytest.mark.parametrize(
    ("written", "box"),
    [("[0,-66][1080,210]", (0, -66, 1080, 210)), ("[0,0]", None), ("", None), ("0,0,1,1", None)],
)
def test_boxes_are_read_as_written(written: str, box: tuple[int, ...] | None) -> None:
    assert parse_box(written) == box
