"""Roles of views: by their class, and where that says little by what can be done with them."""

from __future__ import annotations

import re
from functools import lru_cache

from distrl.devices.android.views.tree import View

CLASSES = {
    "button": "android.widget.Button",
    "text": "android.widget.TextView",
    "field": "android.widget.EditText",
    "switch": "android.widget.Switch",
    "checkbox": "android.widget.CheckBox",
    "radio": "android.widget.RadioButton",
    "slider": "android.widget.SeekBar",
    "tab": "androidx.appcompat.app.ActionBar$Tab",
    "item": "android.widget.LinearLayout",
    "image": "android.widget.ImageView",
    "keyboard": "android.inputmethodservice.KeyboardView",
    "banner": "android.widget.FrameLayout",
    "status": "android.widget.FrameLayout",
}
"""The class by which a role is written."""
IDS = {
    "status": "com.android.systemui:id/status_bar",
    "banner": "com.android.systemui:id/expandableNotificationRow",
    "keyboard": "android:id/inputArea",
}
"""Surfaces that Android builds from plain layouts, by their ids."""
SURFACES = frozenset(IDS)
_OF_IDS = {resource: role for role, resource in IDS.items()}
_OF_CLASSES = {
    # By the end of the class; the first that fits counts.
    "EditText": "field",
    "AutoCompleteTextView": "field",
    "SearchAutoComplete": "field",
    "RadioButton": "radio",
    "ToggleButton": "switch",
    "Button": "button",
    "CheckedTextView": "checkbox",
    "TextView": "text",
    "Switch": "switch",
    "SwitchCompat": "switch",
    "SwitchMaterial": "switch",
    "CheckBox": "checkbox",
    "SeekBar": "slider",
    "Slider": "slider",
    "Tab": "tab",
    "TabView": "tab",
    "NavigationItemView": "tab",
    "NavigationBarItemView": "tab",
    "ImageView": "image",
    "KeyboardView": "keyboard",
}
_LAYOUT = re.compile(r"(Layout|ViewGroup|RecyclerView|ListView|ScrollView|CardView|WebView)$")
_WIDE = 1.2
"""A switch is wider than high, a check box is not; both are plain views in Compose."""


def role_of(view: View) -> str:
    """The role of a view, as policies know it."""
    named = _OF_IDS.get(view.resource) or class_role(view.kind)
    if named in (None, "text", "item") and view.touchable:
        return _role_by_use(view, named)
    if named is not None:
        # A layout says nothing itself on real screens; one that does is a row of its own.
        return named if named != "item" or (view.text and not view.children) else "text"
    return "text"


def _role_by_use(view: View, named: str | None) -> str:
    if view.checkable:
        return "switch" if view.aspect > _WIDE else "checkbox"
    if named == "text":
        return "button" if view.clickable else "item"
    return "item" if named == "item" else "button"


@lru_cache(maxsize=2048)
def class_role(kind: str) -> str | None:
    """The role that a class stands for; None for plain views and an app's own."""
    found = next((role for known, role in _OF_CLASSES.items() if kind.endswith(known)), None)
    return "item" if found is None and _LAYOUT.search(kind) else found
