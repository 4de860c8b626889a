from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone import apps, phone_time
from distrl.devices.phone.launcher import DOCK, PER_PAGE, arrange
from distrl.devices.phone.registry import find


def test_every_app_stands_exactly_once_on_the_home_screen() -> None:
    driver = Driver()
    home = driver.data("launcher")
    placed = [app for page in home["pages"] for app in page] + home["dock"]
    assert sorted(placed) == sorted(apps.names())


def test_no_page_has_more_icons_than_fit() -> None:
    home = arrange([f"app{i}" for i in range(40)], Random(0))
    assert [len(page) for page in home["pages"]] == [PER_PAGE, PER_PAGE, PER_PAGE, 4]


def test_dock_holds_the_apps_of_the_dock() -> None:
    assert set(Driver().data("launcher")["dock"]) == set(DOCK) & set(apps.names())


def test_order_of_icons_differs_between_phones() -> None:
    orders = {str(Driver(seed).data("launcher")) for seed in range(8)}
    assert len(orders) > 4


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("app", apps.names())
def test_app_opens_from_the_drawer(app: str, layout: int) -> None:
    driver = Driver(layout=layout)
    driver.swipe("up")
    assert driver.page == "drawer"
    driver.tap(find(app).title)
    assert driver.app == app


def test_app_opens_from_its_icon() -> None:
    driver = Driver()
    first = driver.data("launcher")["pages"][0][0]
    driver.tap(find(first).title)
    assert driver.app == first


def test_pages_turn_and_stop_at_the_ends() -> None:
    driver = Driver()
    pages = driver.data("launcher")["pages"]
    assert len(pages) > 1
    driver.swipe("right")
    assert driver.sees(find(pages[0][0]).title)
    for _ in range(len(pages) + 2):
        driver.swipe("left")
    assert driver.sees(find(pages[-1][-1]).title)
    driver.press("home")
    assert driver.sees(find(pages[0][0]).title)


def test_dock_has_no_words_in_the_second_layout() -> None:
    dock = [find(app).title for app in Driver().data("launcher")["dock"]]
    assert dock
    assert all(Driver(layout=1).sees(title) for title in dock)
    assert not any(Driver(layout=2).sees(title) for title in dock)


def test_back_closes_the_drawer() -> None:
    driver = Driver()
    driver.swipe("up")
    driver.press("back")
    assert (driver.app, driver.page) == ("launcher", "main")


def test_search_pill_opens_the_browser() -> None:
    driver = Driver()
    driver.tap("Search the web")
    assert driver.app == "browser"


def test_no_two_apps_look_the_same() -> None:
    looks = [(find(app).icon, find(app).color) for app in apps.names()]
    titles = [find(app).title for app in apps.names()]
    assert len(set(looks)) == len(looks)
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("layout", [1, 2])
def test_every_icon_of_the_home_screen_starts_its_app(layout: int) -> None:
    driver = Driver(layout=layout)
    home = driver.data("launcher")
    for number, page in enumerate(home["pages"]):
        for app in page:
            driver.press("home")
            for _ in range(number):
                driver.swipe("left")
            driver.tap(find(app).title, role="item")
            assert driver.app == app


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("place", range(4))
def test_every_icon_of_the_dock_starts_its_app_on_every_page(place: int, layout: int) -> None:
    driver = Driver(layout=layout)
    app = driver.data("launcher")["dock"][place]
    for _ in range(2):
        dock = [w for w in driver.device.phone.view.widgets if w.y == 334 and w.role == "item"]
        assert len(dock) == 4
        x, y = dock[place].x + 22, dock[place].y + 24
        driver.perform(actions.tap(x / 180, y / 400))
        assert driver.app == app
        driver.press("home")
        driver.swipe("left")


def test_the_dots_tell_which_page_is_shown() -> None:
    driver = Driver()
    pages = len(driver.data("launcher")["pages"])
    for shown in range(pages):
        assert [chosen for (chosen,) in driver.looks("page_dot")] == [
            n == shown for n in range(pages)
        ]
        driver.swipe("left")


def test_the_home_screen_tells_time_and_date() -> None:
    driver = Driver()
    minutes = phone_time.minute_of(driver.state["time"])
    assert driver.sees(phone_time.clock_text(minutes))
    assert driver.sees(phone_time.date_text(phone_time.day_of(driver.state["time"])))
    driver.change("system", "hour24", to=True)
    assert driver.sees(phone_time.clock_text(minutes, hour24=True))


def test_the_drawer_lists_all_apps_by_title() -> None:
    driver = Driver()
    driver.swipe("up")
    assert driver.scroll_through() == sorted(find(app).title for app in apps.names())


def test_a_swipe_in_the_drawer_scrolls_and_turns_no_page() -> None:
    driver = Driver()
    driver.swipe("up")
    driver.swipe("left")
    driver.swipe("up")
    assert driver.page == "drawer"
    driver.press("home")
    assert driver.page == "main"


def test_a_swipe_down_on_the_home_screen_does_nothing() -> None:
    driver = Driver()
    before = driver.state["ui"]
    driver.swipe("down")
    assert driver.state["ui"] == before


def test_turning_pages_changes_nothing_that_lasts() -> None:
    driver = Driver()
    with driver.changes():
        driver.swipe("left")
        driver.swipe("up")
        driver.back(2)


def test_back_on_the_home_screen_stays_there() -> None:
    driver = Driver()
    driver.swipe("left")
    before = driver.var("shown")
    driver.back()
    assert (driver.page, driver.var("shown")) == ("main", before)


def test_the_search_pill_puts_the_cursor_into_the_address() -> None:
    driver = Driver()
    driver.tap("Search the web")
    assert driver.page == "search"
    assert driver.device.observe().keyboard


@given(st.integers(0, 60), st.integers(0, 5), st.integers(0, 1000))
def test_arranging_keeps_every_app_once_and_adds_plug_ins_last(
    count: int, more: int, seed: int
) -> None:
    names = [*DOCK, *(f"app{n}" for n in range(count))]
    added = [f"new{n}" for n in range(more)]
    home = arrange(names, Random(seed), added=added)
    placed = [app for page in home["pages"] for app in page]
    assert sorted(placed + home["dock"]) == sorted(names + added)
    assert placed[len(placed) - more :] == added
    assert all(0 < len(page) <= PER_PAGE for page in home["pages"])


def test_plug_ins_do_not_move_the_other_icons() -> None:
    names = [*DOCK, *(f"app{n}" for n in range(20))]
    plain, more = arrange(names, Random(5)), arrange(names, Random(5), added=["new"])
    assert [*chain(*more["pages"])] == [*chain(*plain["pages"]), "new"]
    assert more["dock"] == plain["dock"]


@pytest.mark.parametrize("layout", [1, 2])
def test_no_words_are_painted_below_the_icons_of_the_dock(layout: int) -> None:
    driver = Driver(layout=layout)
    words = [label for _, _, label, _ in driver.looks("app_icon")]
    assert words[-4:] == [""] * 4
    assert all(words[:-4])


def used(*names: str) -> Driver:
    driver = Driver()
    for name in names:
        driver.perform(actions.open_app(find(name).title))
    driver.perform(actions.press("recents"))
    return driver


def test_recents_show_the_apps_that_were_used_the_newest_first() -> None:
    driver = used("clock", "mail", "clock", "notes")
    assert (driver.app, driver.page) == ("launcher", "recents")
    assert driver.of_role("item") == ["Notes", "Clock", "Mail"]
    driver.perform(actions.press("back"))
    assert (driver.app, driver.page) == ("launcher", "main")


def test_a_recent_app_goes_on_where_it_was_left() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap("Timer")
    driver.perform(actions.press("recents"))
    driver.tap("Clock")
    assert driver.app == "clock" and driver.var("tab") == "timer"


def test_a_recent_app_is_closed_by_its_cross_or_wiped_away() -> None:
    driver = used("clock", "mail", "notes")
    driver.tap("Close Mail")
    assert driver.of_role("item") == ["Notes", "Clock"]
    x, y = driver.element("Notes", "item").center
    driver.perform(actions.swipe(x, y, x, y - 0.1))
    assert driver.of_role("item") == ["Notes", "Clock"], "it slipped"
    driver.perform(actions.swipe(x, y, 0.02, y))
    assert driver.of_role("item") == ["Clock"]
    assert "notes" not in driver.state["ui"]["stacks"]
    driver.tap("Close all")
    assert driver.sees("No recent apps")


def test_states_from_before_recents_have_none() -> None:
    driver = Driver()
    assert "recents" not in driver.state["ui"]
    driver.perform(actions.press("recents"))
    assert driver.sees("No recent apps")


def test_all_recent_apps_fit_on_the_screen() -> None:
    driver = used(*apps.names())
    assert len(driver.of_role("item")) == 9
    assert driver.device.phone.view.max_scroll == 0
