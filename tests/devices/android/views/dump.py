"""Hand-written dumps, with the attributes that `uiautomator` writes."""

from __future__ import annotations

from distrl.devices.android import hierarchy
from distrl.devices.android.views.listing import Listed
from distrl.devices.android.views.tree import View, parse_views

SIZE = (1080, 2400)
_SHORT = {
    "layout": "android.widget.LinearLayout",
    "frame": "android.widget.FrameLayout",
    "text": "android.widget.TextView",
    "view": "android.view.View",
    "image": "android.widget.ImageView",
    "switch": "android.widget.Switch",
    "button": "android.widget.Button",
    "field": "android.widget.EditText",
}


def node(kind: str, box: tuple[int, int, int, int], *inside: str, **said: str | bool) -> str:
    """A node; `click=True` for what can be clicked, `id_` for a resource id of its own app."""
    left, top, right, bottom = box
    given = {name.replace("_", "-"): str(value) for name, value in said.items()}
    click, resource = given.pop("click", "False"), given.pop("id-", "")
    given = {
        name: value.lower() if value in ("True", "False") else value
        for name, value in given.items()
    }
    known = {
        "class": _SHORT.get(kind, kind),
        "clickable": click.lower(),
        "resource-id": f"com.app:id/{resource}" if resource else "",
        "package": "com.app",
        "bounds": f"[{left},{top}][{right},{bottom}]",
    }
    written = " ".join(f'{name}="{value}"' for name, value in {**known, **given}.items())
    return f"<node {written}>{''.join(inside)}</node>"


def tree(*nodes: str, size: tuple[int, int] = SIZE) -> View:
    """The tree of a screen."""
    return parse_views(f"<hierarchy>{''.join(nodes)}</hierarchy>".encode(), size)


def listed(*nodes: str, keyboard: str = "") -> tuple[Listed, ...]:
    """The elements of a screen."""
    xml = f"<hierarchy>{''.join(nodes)}</hierarchy>".encode()
    return hierarchy.read_owned(xml, SIZE, keyboard)


def said(*nodes: str) -> list[tuple[str, str, str]]:
    """Role, text and description of every element."""
    return [(o.element.role, o.element.text, o.element.description) for o in listed(*nodes)]
