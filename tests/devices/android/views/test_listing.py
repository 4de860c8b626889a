from __future__ import annotations

from tests.devices.android.views.dump import listed, node, said

BAR = "com.android.systemui"


def test_row_and_its_lone_switch_are_one_element() -> None:
    (found,) = listed(
        node(
            "layout",
            (0, 200, 1080, 400),
            node("text", (40, 240, 600, 300), text="Bluetooth"),
            node("switch", (900, 250, 1040, 350), checkable=True, checked=True),
            click=True,
        )
    )
    element = found.element
    assert (element.role, element.text, element.checked) == ("switch", "Bluetooth", True)
    assert element.bounds == (0.0, 200 / 2400, 1.0, 400 / 2400)


def test_row_and_a_switch_that_is_clicked_by_itself_are_two_elements() -> None:
    found = said(
        node(
            "layout",
            (0, 200, 1080, 400),
            node("text", (40, 240, 600, 300), text="Wi-Fi"),
            node("switch", (900, 250, 1040, 350), click=True, checkable=True),
            click=True,
        )
    )
    assert found == [("item", "Wi-Fi", ""), ("switch", "Wi-Fi", "")]


def test_views_that_fill_the_same_place_are_one_element() -> None:
    place = (0, 0, 300, 150)
    inner = node("button", place, text="Pay", click=True)
    assert said(node("frame", place, inner, click=True)) == [("button", "Pay", "")]


def test_what_is_piled_up_at_one_place_is_listed_once() -> None:
    badge = node("layout", (0, 0, 90, 60), node("text", (0, 0, 90, 60), text="AD"), click=True)
    assert len(listed(*[badge] * 20)) == 1


def test_decoration_that_can_be_neither_read_nor_touched_is_left_out() -> None:
    noise = [
        node("image", (0, 0, 60, 60)),
        node("text", (0, 100, 300, 160)),
        node("button", (0, 200, 300, 260)),
        node("layout", (0, 0, 1080, 2400)),
    ]
    assert listed(*noise) == ()


def test_picture_that_is_large_enough_to_be_content_is_listed() -> None:
    assert said(node("image", (0, 300, 1080, 900))) == [("image", "", "")]


def test_what_is_painted_last_is_listed_last() -> None:
    def layer(text: str, order: int) -> str:
        return node("button", (0, 0, 300, 150), text=text, click=True, drawing_order=str(order))

    floating, below = layer("Compose", 3), layer("Row", 1)
    assert [text for _, text, _ in said(node("frame", (0, 0, 1080, 2400), floating, below))] == [
        "Row",
        "Compose",
    ]


def test_app_comes_before_bars_before_keyboard() -> None:
    ime = "com.google.android.inputmethod.latin"
    keys = [
        node("frame", (x, 1600, x + 100, 1760), click=True, content_desc=k, package=ime)
        for x, k in ((0, "q"), (100, "w"), (980, "p"))
    ]
    keyboard = node("frame", (0, 1500, 1080, 2400), *keys, package=ime)
    bar = node("text", (0, 0, 300, 60), text="12:00", package=BAR)
    app = node("button", (0, 300, 300, 450), text="Send", click=True)
    found = listed(keyboard, node("frame", (0, 0, 1080, 66), bar, package=BAR), app)
    assert [(o.element.role, o.element.text or o.element.description) for o in found] == [
        ("button", "Send"),
        ("text", "12:00"),
        ("keyboard", "Keyboard"),
    ]
    assert found[-1].element.bounds == (0.0, 1600 / 2400, 1.0, 1760 / 2400)


def test_keyboard_is_known_by_the_package_that_the_device_names() -> None:
    key = node("view", (0, 1600, 100, 1760), click=True, text="q", package="org.odd.typing")
    window = node("frame", (0, 1500, 1080, 2400), key, package="org.odd.typing")
    app = node("text", (0, 0, 300, 60), text="Hello")
    assert [o.element.role for o in listed(app, window)] == ["text", "button"]
    assert [o.element.role for o in listed(app, window, keyboard="org.odd.typing")] == [
        "text",
        "keyboard",
    ]


def test_settings_of_a_keyboard_app_are_no_keyboard() -> None:
    package = "com.touchtype.swiftkey"
    row = node("button", (0, 0, 1080, 150), text="Languages", click=True, package=package)
    assert said(node("frame", (0, 0, 1080, 2400), row, package=package)) == [
        ("button", "Languages", "")
    ]


def test_status_bar_is_one_element_with_all_that_it_shows() -> None:
    parts = [
        node("text", (0, 0, 100, 60), text="12:00", package=BAR),
        node("image", (980, 0, 1060, 60), content_desc="Battery 80 percent", package=BAR),
    ]
    bar = node("frame", (0, 0, 1080, 66), *parts, package=BAR, resource_id=f"{BAR}:id/status_bar")
    assert said(bar) == [("status", "12:00, Battery 80 percent", "")]
