from __future__ import annotations

import pytest

from distrl.devices.android.views.id_words import handle_of_id, words_of_id


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ("com.shop:id/btn_addToCart", "add to cart"),
        ("com.shop:id/iv_search", "search"),
        ("com.android.settings:id/main_switch_bar", "main bar"),
        ("com.mail:id/compose_button", "compose"),
        ("com.mail:id/fab", "fab"),
        ("com.web:id/ICON_PlayHD", "play hd"),
        ("search-input", "search input"),
        ("com.app:id/tab2_layout", "tab"),
        ("com.app:id/view_container", ""),
        ("android:id/switch_widget", ""),
        ("com.app:id/kbq", ""),
        ("com.app:id/0_resource_name_obfuscated", ""),
        ("com.app:id/3fa81c99de", ""),
        ("com.app:id/", ""),
        ("", ""),
    ],
)
def test_ids_say_what_a_view_is_for(resource: str, words: str) -> None:
    assert words_of_id(resource) == words


@pytest.mark.parametrize(
    ("resource", "handle"),
    [
        ("com.app:id/view_container", ""),
        ("com.app:id/search", ""),
        ("com.app:id/kbq", "kbq"),
        ("com.app:id/3fa81c99de", "3fa81c99de"),
        ("", ""),
    ],
)
def test_ids_that_say_nothing_are_handles(resource: str, handle: str) -> None:
    assert handle_of_id(resource) == handle
