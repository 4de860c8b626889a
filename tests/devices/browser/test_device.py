from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from tests.contracts.device import DeviceContract
from tests.devices.browser.browsers import SHOP, find, needs_chromium

from distrl import actions
from distrl.clock import RealClock
from distrl.devices.browser.chromium import Chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.site import Site
from distrl.errors import ActionError, DeviceLost
from distrl.types import Action, Pixels

pytestmark = [pytest.mark.browser, pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    browser = Chromium()
    yield browser
    browser.close()


@pytest.fixture
def shop(chromium: Chromium) -> Iterator[BrowserDevice]:
    device = BrowserDevice("shop", SHOP, chromium=chromium)
    yield device
    device.close()


class TestBrowserDevice(DeviceContract):
    pictures = False

    @pytest.fixture(autouse=True)
    def _browser(self, chromium: Chromium) -> Iterator[None]:
        self.chromium = chromium
        self.made: list[BrowserDevice] = []
        yield
        for device in self.made:
            device.close()

    def make_device(self) -> BrowserDevice:
        name = f"page-{len(self.made)}"
        device = BrowserDevice(name, SHOP, chromium=self.chromium, pictures=self.pictures)
        self.made.append(device)
        return device

    def effective_action(self, device: object) -> Action:
        assert isinstance(device, BrowserDevice)
        return actions.tap(*find(device.observe(), "Buy").center)


class TestBrowserDeviceThatTakesEveryPicture(TestBrowserDevice):
    pictures = True


def tap(device: BrowserDevice, text: str) -> None:
    device.perform(actions.tap(*find(device.observe(), text).center))


def test_elements_have_roles_names_values_and_states(shop: BrowserDevice) -> None:
    seen = shop.observe()
    assert find(seen, "Buy").role == "button"
    assert not find(seen, "Sold out").enabled
    assert find(seen, "City").text == "Bern"
    assert [find(seen, name).role for name in ("Code", "Notes", "Gift wrap", "Small", "Red")] == [
        *("text", "field", "checkbox", "radio", "button")
    ]
    assert find(seen, "Gift wrap").checked is False
    assert find(seen, "small print").role == "button"
    assert find(seen, "Read the first").role == "text"
    texts = [element.text for element in seen.elements or ()]
    assert "never seen" not in texts
    assert "Under" not in texts  # something lies on top of it
    assert texts.count("Gift wrap") == 1
    assert sum(element.role == "image" for element in seen.elements or ()) == 3


def button(name: str, left: int, top: int) -> str:
    place = f"position:absolute;left:{left}px;top:{top}px;width:60px;height:60px"
    return f'<button style="{place}" onclick="document.title=this.textContent">{name}</button>'


@pytest.mark.parametrize(
    ("left", "top", "shows"), [(20, 20, True), (-20, -20, True), (0, 20, True), (0, 0, False)]
)
def test_what_is_partly_covered_is_touched_where_it_shows(
    shop: BrowserDevice, left: int, top: int, shows: bool
) -> None:
    both = button("Below", 100, 100) + button("Above", 100 + left, 100 + top)
    shop.run(f"document.body.innerHTML = {both!r}")
    names = [element.text for element in shop.observe().elements or ()]
    assert names == (["Below", "Above"] if shows else ["Above"])
    for name in names:
        tap(shop, name)
        assert shop.observe().app == name


def test_typing_goes_into_the_focused_field_and_a_password_is_not_shown(
    shop: BrowserDevice,
) -> None:
    tap(shop, "Name")
    assert shop.observe().keyboard
    shop.perform(actions.type_text("Zoë's 2nd"))
    assert "Zoë's 2nd" in [element.text for element in shop.observe().elements or ()]
    codes = [e for e in shop.observe().elements or () if e.editable and e.description == "Code"]
    shop.perform(actions.tap(*codes[0].center))
    shop.perform(actions.type_text("abc"))
    assert "\u2022\u2022\u2022" in [element.text for element in shop.observe().elements or ()]


def test_box_is_ticked_by_a_tap(shop: BrowserDevice) -> None:
    tap(shop, "Gift wrap")
    assert find(shop.observe(), "Gift wrap").checked is True


def test_list_opens_inside_the_page_and_an_option_is_chosen(shop: BrowserDevice) -> None:
    tap(shop, "Red")
    opened = shop.observe()
    assert [e.text for e in opened.elements or ()] == ["Red", "Green", "Blue"]
    assert [e.enabled for e in opened.elements or ()] == [True, True, False]
    tap(shop, "Green")
    assert find(shop.observe(), "Green").role == "button"


def test_swipe_scrolls_what_scrolls_and_drags_what_follows(shop: BrowserDevice) -> None:
    one = find(shop.observe(), "one")
    x, y = one.center
    shop.perform(actions.swipe(x, y, x, max(0.0, y - 0.1)))
    assert "one" not in [e.text for e in shop.observe().elements or ()]
    assert find(shop.observe(), "three")
    box = (30 / 360, 520 / 600)
    shop.perform(actions.swipe(*box, box[0] + 100 / 360, box[1] - 50 / 600))
    lefts = [e.bounds[0] for e in shop.observe().elements or () if e.role == "image"]
    assert min(abs(left - 110 / 360) for left in lefts) < 0.01


def test_link_leads_to_another_page_and_back_and_home_return(shop: BrowserDevice) -> None:
    tap(shop, "small print")
    assert shop.observe().app == shop.probe == "Small print"
    shop.perform(actions.press("back"))
    assert shop.observe().app == "Shop"
    shop.perform(actions.press("back"))  # there is nothing before the start
    assert shop.observe().app == "Shop"
    tap(shop, "small print")
    shop.perform(actions.press("home"))
    assert shop.observe().app == "Shop"


def test_time_of_a_page_passes_with_actions_only(shop: BrowserDevice) -> None:
    tap(shop, "Buy")
    assert find(shop.observe(), "thank you")
    shop.run("window.before = Date.now()")
    RealClock().sleep(0.2)
    shop.run("document.title = String(Date.now() - before)")
    assert int(shop.observe().app) == 500


def test_chance_follows_from_the_seed(shop: BrowserDevice) -> None:
    def dice(seed: int) -> str:
        shop.reset(seed)
        return next(e.text for e in shop.observe().elements or () if e.text.startswith("dice"))

    assert dice(1) == dice(1) != dice(2)


def test_what_a_page_stored_is_gone_after_a_reset(shop: BrowserDevice) -> None:
    shop.reset(0)
    shop.run("localStorage.kept = 1; document.cookie = 'kept=1'")
    shop.run("document.title = document.cookie + localStorage.kept")
    assert shop.observe().app == "kept=11"
    shop.reset(0)
    shop.run("document.title = document.cookie + localStorage.kept")
    assert shop.observe().app == "undefined"


def test_screen_is_taken_only_when_somebody_looks(
    shop: BrowserDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Pixels] = []
    take = shop.take

    def counted() -> Pixels:
        taken.append(take())
        return taken[-1]

    monkeypatch.setattr(shop, "take", counted)
    for _ in range(3):
        shop.observe()
        tap(shop, "Buy")
    assert not taken
    kept = shop.observe()
    tap(shop, "Buy")  # whoever kept it may still look
    assert len(taken) == 1
    assert kept.screen.any() and len(taken) == 1


class _Counting(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_page_reaches_nothing_that_its_site_does_not_allow(chromium: Chromium) -> None:
    _Counting.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Counting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        home, other = (f"http://{host}:{server.server_port}" for host in ("127.0.0.1", "localhost"))
        fetch = f"await fetch('{other}/x', {{mode: 'no-cors'}}).catch(() => {{}})"
        socket = f"new WebSocket('{other.replace('http', 'ws')}/socket')"
        asked = []
        for allowed in ((), (other,)):
            site = Site(start=f"{home}/start", allowed=allowed)
            device = BrowserDevice("shop", site, chromium=chromium)
            device.run(fetch)
            device.run(socket)
            device.close()
            asked.append(set(_Counting.asked))
        server.shutdown()
        thread.join()
    assert asked[0] <= {"/start", "/favicon.ico"}
    assert "/x" in asked[1]


def test_page_that_never_loads_is_a_fault_with_its_reason(
    chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.browser.driver._LOAD_SECONDS", 1.0)
    silent = threading.Event()

    class Silent(_Counting):
        def do_GET(self) -> None:
            silent.wait(20)

    with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/"
        device = BrowserDevice("silent", replace(SHOP, start=url), chromium=chromium)
        with pytest.raises(DeviceLost, match=r"opening http://127.*Timeout 1000ms exceeded"):
            device.reset(0)
        device.close()
        silent.set()
        server.shutdown()
        thread.join()


def test_page_that_is_not_there_is_a_fault_with_its_reason(chromium: Chromium) -> None:
    device = BrowserDevice("gone", replace(SHOP, start="http://shop.test/no"), chromium=chromium)
    with pytest.raises(DeviceLost, match=r"http://shop\.test/no cannot be loaded: status 404"):
        device.reset(0)
    device.close()


def test_crashed_page_is_lost_until_a_reset_and_others_go_on(chromium: Chromium) -> None:
    one = BrowserDevice("one", SHOP, chromium=chromium)
    two = BrowserDevice("two", SHOP, chromium=chromium)
    seen = one.observe()
    shown = seen.screen
    two.observe()
    starts = chromium.starts
    with pytest.raises(DeviceLost):
        one._call(one._page()._session.send("Page.crash"), "crashing")
    with pytest.raises(DeviceLost):
        one.perform(actions.wait())
    assert shown.any()
    assert seen.screen is shown  # what was looked at stays
    one.reset(0)
    assert find(one.observe(), "Buy")
    two.reset(0)
    assert find(two.observe(), "Buy")
    assert chromium.starts == starts
    one.close()
    two.close()


def test_killed_browser_loses_all_pages_once_and_is_started_again() -> None:
    chromium = Chromium()
    devices = [BrowserDevice(f"page-{n}", SHOP, chromium=chromium) for n in range(3)]
    for kill in range(2):
        for device in devices:
            device.reset(kill)
        seen = devices[0].observe()
        assert chromium.pid is not None
        os.kill(chromium.pid, signal.SIGKILL)
        assert not seen.screen.any()  # it can no longer be taken
        for device in devices:
            with pytest.raises(DeviceLost, match=device.id):
                device.perform(actions.wait())
    devices[0].reset(0)
    assert find(devices[0].observe(), "Buy")
    assert chromium.starts == 3
    for device in devices:
        device.close()
    chromium.close()
    with pytest.raises(DeviceLost, match="closed"):
        BrowserDevice("late", SHOP, chromium=chromium).reset(0)


def test_browser_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    chromium = Chromium()
    device = BrowserDevice("page", SHOP, chromium=chromium)
    device.reset(0)
    for name in ("device._CALL_SECONDS", "device._OPEN_SECONDS", "chromium._ANSWER_SECONDS"):
        monkeypatch.setattr(f"distrl.devices.browser.{name}", 5.0)
    for name in ("device._CLOSE_SECONDS", "chromium._CLOSE_SECONDS"):
        monkeypatch.setattr(f"distrl.devices.browser.{name}", 1.0)
    assert chromium.pid is not None
    os.kill(chromium.pid, signal.SIGSTOP)
    with pytest.raises(DeviceLost, match="no answer within 5 s"):
        device.reset(1)
    monkeypatch.undo()
    device.reset(2)
    assert find(device.observe(), "Buy")
    assert chromium.starts == 2
    device.close()
    chromium.close()


def test_a_page_is_double_clicked_and_dragged_on_and_has_no_apps(shop: BrowserDevice) -> None:
    shop.reset(0)
    shop.run(
        "window.seen=[];for(const name of ['click','dblclick','mousedown','mouseup'])"
        "document.addEventListener(name,e=>seen.push([name,Math.round(e.clientX)]))"
    )
    place = find(shop.observe(), "Buy").center
    shop.perform(actions.double_tap(*place))
    heard = [name for name, _ in shop.evaluate("seen")]
    assert heard.count("click") == 2 and heard.count("dblclick") == 1
    shop.evaluate("void (seen.length=0)")
    shop.perform(actions.drag(0.25, 0.5, 0.75, 0.5))
    moved = dict(shop.evaluate("seen.filter(([name])=>name.startsWith('mouse'))"))
    assert moved["mouseup"] - moved["mousedown"] == pytest.approx(0.5 * SHOP.width, abs=2)
    for action in (actions.open_app("Clock"), actions.press("recents"), actions.answer("yes")):
        with pytest.raises(ActionError):
            shop.perform(action)
