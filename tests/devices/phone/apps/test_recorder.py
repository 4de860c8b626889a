"""The Recorder, driven by hand."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.recorder import length_text

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("recorder")
    return driver


def first_title(driver: Driver) -> str:
    title: str = driver.data("recorder")["recordings"]["recording0"]["title"]
    return title


@LAYOUTS
def test_a_recording_lasts_as_long_as_it_ran(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("record")
    driver.wait()
    driver.wait()
    driver.tap_icon("stop")
    newest = next(iter(driver.data("recorder")["recordings"].values()))
    assert newest["seconds"] == 12
    assert driver.sees(newest["title"])


def test_a_discarded_recording_leaves_nothing() -> None:
    driver = opened()
    before = driver.data("recorder")
    driver.tap_icon("record")
    driver.tap_icon("delete")
    assert driver.data("recorder") == before


def test_the_buttons_of_the_recorder_carry_no_words() -> None:
    driver = opened()
    driver.tap_icon("record")
    buttons = [e for e in driver.elements if e.role == "button"]
    assert len(buttons) == 2
    assert {(e.text, e.description) for e in buttons} == {("", "")}


def test_a_recording_is_renamed_by_typing_over_its_name() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("edit")
    driver.type("Rain on the roof")
    driver.tap("Save")
    assert first_title(driver) == "Rain on the roof"
    assert driver.page == "recording"


def test_a_recording_is_deleted_after_a_question() -> None:
    driver = opened()
    driver.long_press(first_title(driver), role="item")
    driver.tap("Delete")
    assert "recording0" in driver.data("recorder")["recordings"]
    driver.tap("Delete")
    assert "recording0" not in driver.data("recorder")["recordings"]


def test_playing_turns_the_button_into_pause() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("play")
    assert driver.var("playing") is True
    assert "pause" in driver.icons()


@LAYOUTS
def test_recordings_tell_when_and_how_long(layout: int) -> None:
    driver = opened(layout)
    for recording in driver.data("recorder")["recordings"].values():
        seconds = recording["seconds"]
        said = driver.element(recording["title"]).description
        assert said == (
            f"{phone_time.date_text(recording['day'])} {seconds // 60:02d}:{seconds % 60:02d}"
        )


def test_all_of_many_recordings_are_reached_by_scrolling() -> None:
    driver = opened()
    many = {f"r{i}": {"title": f"Take {i:02d}", "seconds": i, "day": 0} for i in range(30)}
    driver.change("apps", "recorder", "recordings", to=many)
    assert driver.scroll_through() == [f"Take {i:02d}" for i in range(30)]


def test_a_recorder_without_recordings_says_so() -> None:
    driver = opened()
    driver.change("apps", "recorder", "recordings", to={})
    assert driver.sees("No recordings")


def test_while_it_records_it_counts_and_hides_the_list() -> None:
    driver = opened()
    driver.tap_icon("record")
    assert driver.of_role("item") == []
    assert driver.sees("Recording")
    assert driver.sees("00:02")
    driver.wait(12)
    assert driver.sees("01:02")


def test_it_records_behind_another_app() -> None:
    driver = opened()
    driver.tap_icon("record")
    driver.press("home")
    driver.wait(2)
    driver.open("recorder")
    driver.tap_icon("stop")
    newest = next(iter(driver.data("recorder")["recordings"].values()))
    assert newest["seconds"] == 2 + 2 + 10


def test_a_new_recording_stands_on_top_under_the_next_number() -> None:
    driver = opened()
    held = len(driver.data("recorder")["recordings"])
    driver.tap_icon("record")
    with driver.changes("apps.recorder.recordings.recording-*", "apps.recorder.since"):
        driver.tap_icon("stop")
    assert driver.of_role("item")[0] == f"Recording {held + 1}"
    assert driver.sees("Saved")
    newest = next(iter(driver.data("recorder")["recordings"].values()))
    assert newest["day"] == phone_time.day_of(driver.state["time"])


def test_discarding_says_so_and_shows_the_list_again() -> None:
    driver = opened()
    driver.tap_icon("record")
    driver.tap_icon("delete")
    assert driver.sees("Discarded")
    assert first_title(driver) in driver.of_role("item")


@pytest.mark.parametrize("way", ["page", "menu"])
def test_a_recording_is_renamed_from_its_page_and_from_the_menu(way: str) -> None:
    driver = opened()
    if way == "page":
        driver.tap(first_title(driver), role="item")
        driver.tap_icon("edit")
    else:
        driver.long_press(first_title(driver), role="item")
        driver.tap("Rename")
    assert driver.var("title") == first_title(driver)
    driver.type("Rain")
    with driver.changes("apps.recorder.recordings.recording0.title"):
        driver.tap("Save")
    assert driver.sees("Renamed")
    assert driver.page == ("recording" if way == "page" else "main")


def test_a_recording_cannot_lose_its_name() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("edit")
    driver.type("  ")
    assert not driver.can_tap("Save")
    with driver.changes():
        driver.tap("Cancel")


def test_renaming_what_is_gone_brings_nothing_back() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("edit")
    driver.type("Rain")
    driver.change("apps", "recorder", "recordings", to={})
    driver.tap("Save")
    assert driver.data("recorder")["recordings"] == {}


def test_deleting_from_the_page_asks_and_returns_to_the_list() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("delete")
    with driver.changes():
        driver.tap("Cancel")
    driver.tap_icon("delete")
    with driver.changes("apps.recorder.recordings.recording0"):
        driver.tap("Delete")
    assert driver.page == "main"
    assert driver.sees("Deleted")


def test_the_page_of_a_deleted_recording_says_so() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.change("apps", "recorder", "recordings", to={})
    assert driver.sees("This recording was deleted")


def test_pause_and_the_skip_keys_stop_playing() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    for icon in ("pause", "previous", "next"):
        driver.tap_icon("play")
        with driver.changes():
            driver.tap_icon(icon)
        assert "play" in driver.icons()


def test_what_was_played_is_in_colour() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    (still,) = driver.looks("wave")
    driver.tap_icon("play")
    (played,) = driver.looks("wave")
    assert (still[0], still[1]) == (played[0], 0)
    assert played[1] > 0


@LAYOUTS
def test_the_record_button_changes_its_place_with_the_layout(layout: int) -> None:
    driver = opened(layout)
    widget = next(w for w in driver.device.phone.view.widgets if w.paint and "record" in w.paint)
    assert (widget.x > 90) == (layout == 2)


def test_the_player_shows_title_day_and_length() -> None:
    driver = opened()
    recording = driver.data("recorder")["recordings"]["recording0"]
    driver.tap(recording["title"], role="item")
    assert driver.sees(phone_time.date_text(recording["day"]))
    assert driver.sees(length_text(recording["seconds"]))


@pytest.mark.parametrize(("seconds", "text"), [(0, "00:00"), (59, "00:59"), (3725, "62:05")])
def test_lengths_are_minutes_and_seconds(seconds: int, text: str) -> None:
    assert length_text(seconds) == text
