from __future__ import annotations

import pytest
from tests.devices.android.views.dump import node, said

SQUARE, WIDE = (0, 0, 100, 100), (0, 0, 200, 100)


@pytest.mark.parametrize(
    ("written", "role"),
    [
        (node("text", WIDE, text="x", click=True), "button"),
        (node("text", WIDE, text="x", long_clickable=True), "item"),
        (node("text", WIDE, text="x"), "text"),
        (node("view", WIDE, text="x", click=True), "button"),
        (node("view", WIDE, text="x"), "text"),
        (node("view", WIDE, text="x", checkable=True), "switch"),
        (node("view", SQUARE, text="x", checkable=True), "checkbox"),
        (node("frame", WIDE, content_desc="x"), "text"),
        (node("frame", WIDE, content_desc="x", click=True), "item"),
        (node("android.webkit.WebView", WIDE, text="x"), "item"),
        (node("image", WIDE, content_desc="x", click=True), "image"),
        (
            node("com.x.bottomnavigation.BottomNavigationItemView", WIDE, text="x", click=True),
            "tab",
        ),
        (node("com.google.android.material.chip.MaterialButton", WIDE, text="x"), "button"),
        (node("field", WIDE, text="x"), "field"),
    ],
)
def test_roles_follow_what_can_be_done(written: str, role: str) -> None:
    assert [found for found, _, _ in said(written)] == [role]
