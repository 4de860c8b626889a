from __future__ import annotations

from random import Random

import pytest
from tests.contracts.monkey import random_action

from distrl.devices.android import hierarchy
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
    assert (found.role, found.text, found.bounds) == ("item", "Bluetooth, Off", (0, 0, 1, 0.125))


def test_what_can_be_touched_inside_stands_for_itself() -> None:
    found = _read(
        '<node class="android.widget.LinearLayout" clickable="true" bounds="[0,0][720,200]">'
        f'<node {TEXT} text="Bluetooth" bounds="[10,10][300,90]"/>'
        '<node class="android.widget.Switch" checkable="true" checked="true" '
        'bounds="[600,10][700,90]"/></node>'
    )
    assert [(e.role, e.text, e.checked) for e in found] == [
        ("item", "", None),
        ("text", "Bluetooth", None),
        ("switch", "", True),
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
        + f'<node {TEXT} text="nobody" bounds="[0,0][9,9]"/></hierarchy>'
    )
    owned = hierarchy.read_owned(xml.encode(), SIZE)
    assert [(o.element.text, o.package) for o in owned] == [
        ("Buy", "com.shop"),
        ("New message", system),
        ("Home", ""),
        ("nobody", ""),
    ]
    assert tuple(o.element for o in owned) == hierarchy.read(xml.encode(), SIZE)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("com.google.android.material.textview.MaterialTextView", "text"),
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
