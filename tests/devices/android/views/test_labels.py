from __future__ import annotations

from tests.devices.android.views.dump import listed, node, said

ROW = (0, 200, 1080, 400)


def test_view_without_words_is_named_by_its_id() -> None:
    (found,) = listed(node("image", (0, 0, 100, 100), click=True, id_="btn_share"))
    assert (found.element.text, found.element.description) == ("", "share")
    assert found.guessed


def test_words_of_the_app_go_before_its_ids() -> None:
    (found,) = listed(
        node("image", (0, 0, 100, 100), click=True, id_="btn_share", content_desc="Teilen")
    )
    assert found.element.description == "Teilen"
    assert not found.guessed


def test_button_without_words_and_id_is_named_by_the_picture_on_it() -> None:
    icon = node("image", (10, 10, 90, 90), id_="ic_delete")
    assert said(node("frame", (0, 0, 100, 100), icon, click=True)) == [("item", "", "delete")]


def test_id_without_words_is_kept_as_a_handle() -> None:
    (found,) = listed(node("image", (0, 0, 100, 100), click=True, id_="kbq"))
    assert (found.element.description, found.guessed) == ("kbq", True)


def test_view_of_an_app_s_own_class_is_named_by_it() -> None:
    custom = node("com.app.ColourWheelView", (0, 0, 500, 500), click=True)
    assert said(custom) == [("button", "", "colour wheel")]


def test_switch_takes_the_words_of_its_row() -> None:
    found = said(
        node(
            "layout",
            ROW,
            node("text", (40, 240, 600, 300), text="Dark theme"),
            node("text", (40, 300, 600, 360), text="Will turn on at night"),
            node("switch", (900, 250, 1040, 350), click=True, checkable=True, id_="switchWidget"),
        )
    )
    assert found == [("switch", "Dark theme, Will turn on at night", "")]


def test_each_of_several_switches_in_one_layout_takes_the_words_in_its_line() -> None:
    def line(top: int, words: str) -> str:
        label = node("text", (40, top, 600, top + 100), text=words)
        return label + node("switch", (900, top, 1040, top + 100), click=True, checkable=True)

    rows = line(200, "Sounds") + line(320, "Vibration") + line(440, "Lights")
    assert [text for _, text, _ in said(node("layout", (0, 180, 1080, 560), rows))] == [
        "Sounds",
        "Vibration",
        "Lights",
    ]


def _page(*lines: str) -> str:
    """A page without rows, as large as the screen."""
    return node("layout", (0, 100, 1080, 2300), *lines)


def test_switch_on_a_page_without_rows_takes_the_nearest_words_in_its_line() -> None:
    def line(top: int, words: str) -> str:
        switch = node("switch", (40, top, 140, top + 80), click=True, checkable=True)
        return switch + node("text", (200, top + 10, 700, top + 70), text=words)

    page = _page(
        node("text", (40, 150, 700, 200), text="Notifications"),
        line(240, "Sounds"),
        node("text", (200, 320, 700, 370), text="Played for every message"),
        line(400, "Vibration"),
    )
    assert [text for role, text, _ in said(page) if role == "switch"] == ["Sounds", "Vibration"]


def test_switch_does_not_take_words_that_lie_beyond_another_touchable_view() -> None:
    page = _page(
        node("switch", (40, 240, 140, 320), click=True, checkable=True),
        node("button", (200, 240, 300, 320), click=True, id_="kbq"),
        node("text", (320, 250, 700, 310), text="Sounds"),
    )
    assert ("switch", "", "") in said(page)


def test_switch_whose_text_is_its_state_takes_the_words_of_its_row() -> None:
    found = said(
        node(
            "layout",
            ROW,
            node("text", (40, 240, 600, 300), text="Dark theme"),
            node("switch", (900, 250, 1040, 350), text="OFF", click=True, checkable=True),
        )
    )
    assert found == [("switch", "Dark theme", "")]


def test_icon_that_is_alone_with_words_takes_them() -> None:
    found = said(
        node(
            "layout",
            (0, 200, 200, 440),
            node("image", (50, 210, 150, 310), click=True),
            node("text", (20, 330, 180, 380), text="Camera"),
        )
    )
    assert found == [("image", "Camera", "")]


def test_icon_among_others_takes_no_words_that_may_be_theirs() -> None:
    icons = [node("image", (x, 210, x + 90, 300), click=True) for x in (0, 100)]
    words = node("text", (20, 310, 180, 380), text="Tools")
    assert ("image", "", "") in said(node("layout", (0, 200, 200, 400), *icons, words))


def test_row_with_a_button_in_it_has_the_words_that_are_not_the_button_s() -> None:
    found = said(
        node(
            "layout",
            ROW,
            node("text", (40, 240, 600, 300), text="Report.pdf"),
            node("button", (800, 240, 1000, 340), text="Open", click=True),
            click=True,
        )
    )
    assert found == [("item", "Report.pdf", ""), ("button", "Open", "")]


def test_background_does_not_swallow_the_words_on_it() -> None:
    words = [node("text", (0, 300 * n, 1080, 300 * n + 90), text=f"Line {n}") for n in range(4)]
    found = said(node("frame", (0, 0, 1080, 2400), *words, click=True, id_="touch_outside"))
    assert found[0] == ("item", "", "touch outside")
    assert [text for _, text, _ in found[1:]] == [f"Line {n}" for n in range(4)]


def test_glyphs_of_an_icon_font_are_no_words() -> None:
    glyph = node("text", (10, 10, 90, 90), text="\U000f06a1")
    named = node("view", (0, 0, 100, 100), glyph, click=True, content_desc="Home")
    assert said(named) == [("button", "", "Home")]


def test_description_that_says_null_says_nothing() -> None:
    icon = node("image", (0, 0, 100, 100), click=True, content_desc="null", id_="send")
    assert said(icon) == [("image", "", "send")]
