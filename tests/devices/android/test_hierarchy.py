from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.monkey import random_action

from distrl.devices.android import hierarchy
from distrl.devices.android.views import tree
from distrl.devices.phone.adbd.programs import dump
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import DeviceError
from distrl.types import Element

SIZE = (720, 1600)
TEXT = 'class="android.widget.TextView"'


def _read(inside: str) -> tuple[Element, ...]:
    return hierarchy.read(f'<hierarchy rotation="0">{inside}</hierarchy>'.encode(), SIZE)


@pytest.mark.parametrize("scale", [1, 3, 4])
def test_elements_of_the_phone_survive_the_way_through_xml(scale: int) -> None:
    system = AndroidSystem(PhoneDevice(), serial="x", scale=scale)
    compared = 0
    for seed in range(12):
        system.device.reset(seed)
        rng = Random(seed)
        for _ in range(40):
            elements = system.view.elements
            size = (system.width, system.height)
            if not any(ord(c) < 32 and c not in "\t\n\r" for e in elements for c in e.text):
                assert hierarchy.read(dump(system).encode(), size) == elements
                compared += 1
            action = random_action(rng, elements, keyboard=system.view.keyboard)
            system.device.perform(action)
    assert compared > 400


def test_characters_that_xml_does_not_have_become_dots() -> None:
    element = Element("text", "a\x00b\x1bc\ud800", bounds=(0, 0, 1, 1))
    xml = hierarchy.write([hierarchy.Node(element)], SIZE, "app")
    (found,) = hierarchy.read(xml.encode(), SIZE)
    assert found.text == "a.b.c."


def test_container_that_can_be_touched_takes_the_words_inside() -> None:
    (found,) = _read(
        '<node class="android.widget.LinearLayout" clickable="true" bounds="[0,0][720,200]">'
        f'<node {TEXT} text="Bluetooth" bounds="[10,10][300,90]"/>'
        f'<node {TEXT} text="Off" bounds="[10,90][300,190]"/></node>'
    )
    assert (found.role, found.text, found.description) == ("item", "Bluetooth", "Off")
    assert found.bounds == (0, 0, 1, 0.125)


def test_row_is_merged_with_its_lone_switch() -> None:
    found = _read(
        '<node class="android.widget.LinearLayout" clickable="true" bounds="[0,0][720,200]">'
        f'<node {TEXT} text="Bluetooth" bounds="[10,10][300,90]"/>'
        '<node class="android.widget.Switch" checkable="true" checked="true" '
        'bounds="[600,10][700,90]"/></node>'
    )
    assert [(e.role, e.text, e.checked, e.bounds) for e in found] == [
        ("switch", "Bluetooth", True, (0, 0, 1, 0.125))
    ]


def test_plain_layouts_and_what_cannot_be_seen_are_left_out() -> None:
    found = _read(
        '<node class="android.widget.FrameLayout" bounds="[0,0][720,1600]">'
        f'<node {TEXT} text="below" bounds="[0,1700][720,1800]"/>'
        f'<node {TEXT} text="empty" bounds="[5,5][5,9]"/>'
        f'<node {TEXT} text="without"/>'
        f'<node {TEXT} text="half" bounds="[-100,1500][100,1700]"/></node>'
    )
    assert [(e.text, e.bounds) for e in found] == [("half", (0, 1500 / 1600, 100 / 720, 1))]


def test_elements_have_owners_but_for_the_navigation_bar() -> None:
    def node(package: str, resource: str, text: str) -> str:
        place = 'clickable="true" bounds="[0,0][9,9]"'
        return f'<node {TEXT} package="{package}" resource-id="{resource}" text="{text}" {place}/>'

    system = "com.android.systemui"
    xml = (
        '<hierarchy rotation="0">'
        + node("com.shop", "com.shop:id/buy", "Buy")
        + node(system, f"{system}:id/expandableNotificationRow", "New message")
        + node(system, f"{system}:id/home_button", "Home")
        + f'<node {TEXT} text="nobody" bounds="[0,0][9,8]"/></hierarchy>'
    )
    owned = hierarchy.read_owned(xml.encode(), SIZE)
    assert [(o.element.text, o.package) for o in owned] == [
        ("Buy", "com.shop"),
        ("nobody", ""),
        ("New message", system),
        ("Home", ""),
    ]
    assert tuple(o.element for o in owned) == hierarchy.read(xml.encode(), SIZE)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("com.google.android.material.textview.MaterialTextView", "button"),
        ("androidx.appcompat.widget.AppCompatImageButton", "button"),
        ("android.widget.ImageView", "image"),
        ("android.widget.AutoCompleteTextView", "field"),
        ("android.widget.RadioButton", "radio"),
        ("com.google.android.material.switchmaterial.SwitchMaterial", "switch"),
        ("android.support.v7.app.ActionBar$Tab", "tab"),
        ("androidx.recyclerview.widget.RecyclerView", "item"),
        ("android.view.View", "button"),
    ],
)
def test_classes_of_real_apps_have_roles(kind: str, role: str) -> None:
    (found,) = _read(f'<node class="{kind}" clickable="true" bounds="[0,0][9,9]"/>')
    assert found.role == role


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"ERROR: null root node returned by UiTestAutomationBridge.",
        b"<hierarchy><node",
        b"<other/>",
        b'<!DOCTYPE x [<!ENTITY a "b">]><hierarchy/>',
    ],
)
def test_what_is_no_hierarchy_is_refused(xml: bytes) -> None:
    with pytest.raises(DeviceError, match="hierarchy"):
        hierarchy.read(xml, SIZE)


# Dumps as real apps write them


def node(kind: str, bounds: str, *inside: str, **attributes: str) -> str:
    """A node as `uiautomator dump` writes it, with the attributes that every node has."""
    short = {"layout": "android.widget.LinearLayout", "text": "android.widget.TextView",
             "view": "android.view.View", "web": "android.webkit.WebView"}  # fmt: skip
    given = {"text": "", "resource-id": "", "content-desc": "", "checkable": "false",
             "checked": "false", "clickable": "false", "enabled": "true", "focused": "false",
             "scrollable": "false", "long-clickable": "false"}  # fmt: skip
    given |= {name.replace("_", "-"): value for name, value in attributes.items()}
    written = " ".join(f'{name}="{value}"' for name, value in given.items())
    head = f'<node index="0" class="{short.get(kind, kind)}" {written} bounds="{bounds}"'
    return f"{head}>{''.join(inside)}</node>" if inside else f"{head}/>"


def texts(*nodes: str) -> list[str]:
    return [element.text for element in _read("".join(nodes))]


def test_lists_inside_lists_are_listed_in_paint_order() -> None:
    rows = [
        node(
            "layout",
            f"[0,{300 * row}][720,{300 * row + 300}]",
            node("text", f"[0,{300 * row}][720,{300 * row + 50}]", text=f"Row {row}"),
            node(
                "androidx.recyclerview.widget.RecyclerView",
                f"[0,{300 * row + 50}][720,{300 * row + 300}]",
                *(
                    node(
                        "layout",
                        f"[{240 * cell},{300 * row + 50}][{240 * cell + 240},{300 * row + 300}]",
                        node("text", "[0,0][9,9]", text=f"Cell {row}.{cell}"),
                        clickable="true",
                    )
                    for cell in range(3)
                ),
                scrollable="true",
            ),
        )
        for row in range(2)
    ]
    outer = node("android.widget.ScrollView", "[0,0][720,1600]", *rows, scrollable="true")
    assert texts(outer) == [
        name for row in range(2) for name in (f"Row {row}", *(f"Cell {row}.{c}" for c in range(3)))
    ]


def test_compose_buttons_take_their_words_from_the_text_inside() -> None:
    (found,) = _read(
        node(
            "view",
            "[0,0][720,160]",
            node("text", "[20,40][300,120]", text="Weiter"),
            clickable="true",
        )
    )
    assert (found.role, found.text) == ("button", "Weiter")


def test_words_that_are_said_twice_inside_are_said_once() -> None:
    inside = [node("text", "[0,0][9,9]", text=word) for word in ("Wi-Fi", "On", "Wi-Fi")]
    (found,) = _read(node("layout", "[0,0][720,90]", *inside, clickable="true"))
    assert (found.text, found.description) == ("Wi-Fi", "On")


def test_description_of_a_picture_inside_counts_as_a_word() -> None:
    icon = node("android.widget.ImageView", "[0,0][9,9]", content_desc="Back")
    (found,) = _read(node("layout", "[0,0][90,90]", icon, clickable="true"))
    assert (found.role, found.text) == ("item", "Back")


def test_container_that_names_itself_does_not_swallow_what_it_holds() -> None:
    label = node("text", "[0,0][9,9]", text="Off")
    found = texts(node("layout", "[0,0][720,90]", label, clickable="true", text="Bluetooth"))
    assert found == ["Bluetooth", "Off"]


def test_pages_of_a_web_view_are_listed_like_any_other_view() -> None:
    link = node("view", "[0,100][200,140]", content_desc="Terms", clickable="true")
    field = node("android.widget.EditText", "[0,200][700,260]", hint="Search the shop")
    found = _read(node("web", "[0,0][720,1600]", link, field, text="Shop", scrollable="true"))
    assert [(e.role, e.text, e.description, e.editable) for e in found] == [
        ("text", "Shop", "", False),
        ("button", "", "Terms", False),
        ("field", "", "Search the shop", True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "مرحبا بالعالم",
        "שלום",
        "你好世界",
        "👩\u200d👩\u200d👧 family",
        "e\u0301",
        "\u202eabc",
        "Zażółć",
    ],
)
def test_scripts_of_the_world_come_through(text: str) -> None:
    assert texts(node("text", "[0,0][9,9]", text=text)) == [text]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a &amp; b", "a & b"),
        ("&lt;b&gt;", "<b>"),
        ("&quot;x&quot;", '"x"'),
        ("&apos;", "'"),
        ("one&#10;two", "one\ntwo"),
        ("&#128512;", "😀"),
        ("&amp;amp;", "&amp;"),
    ],
)
def test_entities_are_the_characters_that_they_stand_for(written: str, text: str) -> None:
    assert texts(node("text", "[0,0][9,9]", text=written)) == [text]


def test_same_id_and_same_words_twice_are_two_elements() -> None:
    row = {"resource_id": "com.shop:id/title", "text": "Socks", "clickable": "true"}
    found = _read(node("text", "[0,0][720,90]", **row) + node("text", "[0,90][720,180]", **row))
    assert [e.text for e in found] == ["Socks", "Socks"]
    assert len({e.bounds for e in found}) == 2


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"checkable": "true"}, (False, True, False)),
        ({"checkable": "true", "checked": "true"}, (True, True, False)),
        ({"checked": "true"}, (None, True, False)),  # it cannot be checked, whatever it says
        ({"enabled": "false"}, (None, False, False)),
        ({"focused": "true"}, (None, True, True)),
    ],
)
def test_states_are_read(
    attributes: dict[str, str], expected: tuple[bool | None, bool, bool]
) -> None:
    (found,) = _read(node("android.widget.CheckBox", "[0,0][9,9]", **attributes))
    assert (found.checked, found.enabled, found.focused) == expected


def test_attributes_that_are_missing_have_their_usual_values() -> None:
    (found,) = _read('<node text="x" bounds="[0,0][720,1600]"/>')
    assert found == Element("text", "x", bounds=(0, 0, 1, 1))


@pytest.mark.parametrize(
    ("bounds", "seen"),
    [
        ("[0,0][720,1600]", (0.0, 0.0, 1.0, 1.0)),
        ("[-720,0][0,1600]", None),
        ("[720,0][1440,1600]", None),
        ("[-10,-10][730,1610]", (0.0, 0.0, 1.0, 1.0)),
        ("[360,800][360,900]", None),
        ("[400,800][300,900]", None),
        ("[0,0][1,1]", (0.0, 0.0, 1 / 720, 1 / 1600)),
        ("[0,0][99999999,9]", None),
        ("[0, 0][9, 9]", None),
        ("0,0,9,9", None),
        ("", None),
    ],
)
def test_the_table_of_bounds(bounds: str, seen: tuple[float, ...] | None) -> None:
    found = _read(node("text", bounds, text="x"))
    assert [e.bounds for e in found] == ([] if seen is None else [seen])


def test_children_of_what_lies_off_the_screen_are_still_found() -> None:
    child = node("text", "[0,0][720,90]", text="seen")
    assert texts(node("layout", "[0,1700][720,1800]", child)) == ["seen"]


@pytest.mark.parametrize(
    ("resource", "role"),
    [
        ("com.android.systemui:id/status_bar", "status"),
        ("com.android.systemui:id/expandableNotificationRow", "banner"),
        ("android:id/inputArea", "keyboard"),
    ],
)
def test_surfaces_of_the_system_are_known_by_their_ids(resource: str, role: str) -> None:
    (found,) = _read(node("layout", "[0,0][720,90]", resource_id=resource))
    assert found.role == role


@pytest.mark.parametrize(
    "name", ["navigation_bar_frame", "nav_buttons", "back", "home", "recent_apps"]
)
def test_navigation_bar_has_no_owner_under_any_of_its_ids(name: str) -> None:
    system = "com.android.systemui"
    xml = node("view", "[0,0][9,9]", resource_id=f"{system}:id/{name}", clickable="true",
               package=system)  # fmt: skip
    (owned,) = hierarchy.read_owned(f"<hierarchy>{xml}</hierarchy>".encode(), SIZE)
    assert owned.package == ""


def test_tree_as_deep_as_apps_are_bad_is_read() -> None:
    deep = node("text", "[0,0][9,9]", text="bottom")
    for _ in range(300):
        deep = node("layout", "[0,0][720,1600]", deep)
    assert texts(deep) == ["bottom"]


def test_tree_as_wide_as_lists_are_long_is_read() -> None:
    rows = [node("text", "[0,0][9,9]", text=str(number)) for number in range(3000)]
    assert texts(*rows) == [str(number) for number in range(3000)]


def test_hierarchy_that_is_far_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_BYTES", 100)
    assert _read("") == ()
    with pytest.raises(DeviceError, match="not one that Android writes"):
        _read(node("text", "[0,0][9,9]", text="x" * 100))


def test_hierarchy_that_is_cut_off_anywhere_is_refused() -> None:
    whole = f"<hierarchy>{node('text', '[0,0][9,9]', text='é')}</hierarchy>".encode()
    for end in range(len(whole)):
        with pytest.raises(DeviceError):
            hierarchy.read(whole[:end], SIZE)


WORDS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cs", "Cc", "Co"), exclude_characters="\ufffe\uffff"
    ),
    max_size=12,
)


@st.composite
def elements(draw: st.DrawFn) -> hierarchy.Node:
    """Elements that can stand alone in a dump of a screen of 100 by 200 pixels."""
    role = draw(st.sampled_from(["button", "text", "field", "switch", "checkbox", "radio", "slider",
                                 "tab", "image", "keyboard", "banner", "status"]))  # fmt: skip
    left, right = sorted(draw(st.lists(st.integers(0, 100), min_size=2, max_size=2, unique=True)))
    top, bottom = sorted(draw(st.lists(st.integers(0, 200), min_size=2, max_size=2, unique=True)))
    checked = draw(st.sampled_from([None, True, False]))
    # A text that can be clicked is a button to whoever reads it, and what can be neither read nor
    # touched is left out.
    clickable = role != "text" and draw(st.booleans())
    words = draw(WORDS.filter(str.strip))
    if role == "text":
        checked = None
    return hierarchy.Node(
        Element(
            role,
            words,
            draw(WORDS),
            (left / 100, top / 200, right / 100, bottom / 200),
            enabled=draw(st.booleans()),
            checked=checked,
            focused=draw(st.booleans()),
            editable=role == "field",
        ),
        clickable=clickable,
        long_clickable=clickable and draw(st.booleans()),
    )


@given(st.lists(elements(), max_size=6, unique_by=lambda node: node.element.bounds))
@settings(max_examples=80)
def test_whatever_is_written_is_read_back(nodes: list[hierarchy.Node]) -> None:
    xml = hierarchy.write(nodes, (100, 200), 'com."shop"&co')
    owned = hierarchy.read_owned(xml.encode(), (100, 200))
    assert [o.element for o in owned] == [node.element for node in nodes]
    assert {o.package for o in owned} <= {'com."shop"&co'}


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_bytes_that_are_anything_are_refused_and_never_crash(content: bytes) -> None:
    with pytest.raises(DeviceError):
        hierarchy.read(content, SIZE)
