from __future__ import annotations

import io
import time
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import numpy as np
import pytest
from PIL import Image
from tests.contracts.device import DeviceContract, assert_same
from tests.contracts.monkey import HOSTILE_TEXTS, random_action
from tests.devices.adb_tools import android, needs_adbutils, own_server, served

from distrl import actions
from distrl.config.devices import AndroidConfig, PhoneConfig, SafetyConfig
from distrl.config.load import checked
from distrl.devices.android import device as module
from distrl.devices.android.adb import AdbServer, ScreenDump
from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.dumpsys import Windows
from distrl.devices.android.safety import Fence, Refusal, guard
from distrl.devices.fault_causes import Cause, DeviceFault, cause_of
from distrl.devices.phone.adbd import daemon as daemon_module
from distrl.devices.phone.adbd import programs, properties
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.shell import said as tool_said
from distrl.devices.phone.adbd.tools import TOOLS
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ActionError, ConfigError, DeviceError
from distrl.interfaces import Device
from distrl.types import Action, Element, Kind

pytestmark = needs_adbutils
QUICK = AndroidConfig(screen_width=None, settle_seconds=0.3, deadline=5.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture
def phone() -> Iterator[AdbDaemon]:
    with served(PhoneConfig(nuisance_rate=0.0), scale=1) as daemon:
        yield daemon


@pytest.fixture
def device(server: AdbServer, phone: AdbDaemon) -> Iterator[AndroidDevice]:
    made = AndroidDevice(server.adb.phone(phone.address), QUICK)
    yield made
    made.close()


def rules(device: AndroidDevice, *apps: str) -> SafetyConfig:
    named = list(apps or ("org.distrl.phone.*",))
    return SafetyConfig(opt_in=[device.id], apps=named)


@pytest.mark.slow
class TestAndroidDevice(DeviceContract):
    """Against a phone that is served here."""

    @pytest.fixture(autouse=True)
    def _with_server(self, server: AdbServer) -> Iterator[None]:
        with ExitStack() as self._opened:
            self._server = server
            yield

    def make_device(self) -> Device:
        return self._opened.enter_context(android(self._server))

    def effective_action(self, device: Device) -> Action:
        return actions.swipe_towards(actions.Direction.UP)


def test_a_walk_over_adb_is_the_walk_in_process(device: AndroidDevice, phone: AdbDaemon) -> None:
    twin = PhoneDevice("twin", phone.system.device.config)
    rng = Random(4)
    device.reset(11)
    twin.reset(11)
    for _ in range(40):
        here, there = twin.observe(), device.observe()
        assert there.elements == here.elements
        assert there.keyboard == here.keyboard
        np.testing.assert_array_equal(there.screen, here.screen)
        action = random_action(rng, here.elements or (), keyboard=here.keyboard)
        twin.perform(action)
        device.perform(action)
        assert phone.system.state == twin.snapshot()
        if any(ord(c) < 32 and c not in "\t\n\r" for c in action.text):
            break  # from here on the hierarchy says dots, as Android does


@pytest.mark.parametrize("point", [0.1, 1 / 3, 0.7071067811865476, 1.0, 5e-324, 0.3 - 2**-54])
def test_touches_arrive_where_they_were_aimed_at(
    device: AndroidDevice, phone: AdbDaemon, point: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: list[Action] = []
    monkeypatch.setattr(phone.system, "act", got.append)
    sent = [actions.tap(point, point), actions.long_press(point, 0.5),
            actions.swipe(point, 0.2, 0.2, point)]  # fmt: skip
    for action in sent:
        device.perform(action)
    assert got == sent


@pytest.mark.parametrize("text", [*HOSTILE_TEXTS, "%s", "100%sure", "", "Zażółć gęślą jaźń"])
def test_any_text_is_typed_as_it_is(
    device: AndroidDevice, phone: AdbDaemon, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: list[Action] = []
    monkeypatch.setattr(phone.system, "act", got.append)
    device.perform(actions.type_text(text))
    assert got == [actions.type_text(text)]


def test_text_that_keys_cannot_type_needs_the_keyboard_app(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEYBOARD_APP", "not.installed")
    monkeypatch.setattr(module, "_KEYBOARD", "not.installed/.Keyboard")
    device.perform(actions.type_text("plain"))
    for text in ("é", "two\nlines", "100%sure"):
        with pytest.raises(ActionError, match=r"not\.installed"):
            device.perform(actions.type_text(text))


def test_keyboard_app_that_android_does_not_let_be_chosen_is_as_good_as_none(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_KEYBOARD", f"{module.KEYBOARD_APP}/.Another")
    with pytest.raises(ActionError, match="allow it as a keyboard"):
        device.perform(actions.type_text("é"))


def test_text_that_cannot_be_typed_is_no_fault_of_the_phone(
    device: AndroidDevice, phone: AdbDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEYBOARD_APP", "not.installed")
    monkeypatch.setattr(module, "_KEYBOARD", "not.installed/.Keyboard")
    guarded = guard(device, rules(device))
    guarded.reset(0)
    before = phone.system.state
    guarded.perform(actions.type_text("Zażółć"))
    assert phone.system.state == before
    assert guarded.refused == {Fence.UNABLE: 1}
    assert guarded.observe().elements


def test_keyboard_app_is_chosen_when_another_is(device: AndroidDevice, phone: AdbDaemon) -> None:
    phone.system.extra_settings["secure", "default_input_method"] = "other/.Keyboard"
    device.perform(actions.type_text("é"))
    assert phone.system.state["time"] > 0


def test_keyboard_and_app_are_seen(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.phone.adb.connect(phone.address)
    device.phone.start_app("org.distrl.phone.browser")
    seen = device.observe()
    assert (seen.app, seen.keyboard) == ("org.distrl.phone.browser", False)
    field = next(e for e in seen.elements or () if e.editable)
    device.perform(actions.tap(*field.center))
    assert device.observe().keyboard


def test_pictures_that_are_scaled_down_are_those_of_the_embedded_phone(server: AdbServer) -> None:
    settings = AndroidConfig(screen_width=180)
    with served(scale=4) as daemon:
        device = AndroidDevice(server.adb.phone(daemon.address), settings, elements=False)
        seen = device.observe()
        assert seen.elements is None
        np.testing.assert_array_equal(seen.screen, daemon.system.device.observe().screen)
        device.close()


def test_reset_of_a_phone_that_is_not_served_goes_home(
    server: AdbServer, phone: AdbDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SERVED_PRODUCT", "another")
    settings = AndroidConfig(screen_width=None, stop_apps=["org.distrl.phone.clock"])
    device = AndroidDevice(server.adb.phone(phone.address), settings)
    phone.system.start("clock")
    device.reset(3)
    assert not device.served
    assert phone.system.view.app == "launcher"
    assert "clock" not in phone.system.state["ui"]["stacks"]
    device.close()


# Whose the screen is


PULL_THE_SHADE = actions.swipe(0.5, 0.0, 0.5, 0.8)


def test_shade_of_a_real_phone_is_the_systems_and_left_by_home(
    device: AndroidDevice, phone: AdbDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.perform(PULL_THE_SHADE)
    assert device.observe().app == "org.distrl.phone.launcher"  # it is served, and draws its own
    monkeypatch.setattr(module, "_SERVED_PRODUCT", "another")
    device.prepare()
    assert device.observe().app == SYSTEM_UI
    assert phone.system.state["ui"]["shade"]
    guarded = guard(device, rules(device))
    assert guarded.observe().app == "org.distrl.phone.launcher"
    assert guarded.refused == {Fence.APP: 1}
    assert not phone.system.state["ui"]["shade"]


def test_owners_are_those_of_the_elements_and_of_what_drops_in_from_above(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.reset(0)
    assert device.packages_at(0.5, 0.5) == frozenset()  # nobody has looked
    element = next(e for e in device.observe().elements or () if e.center[1] > 0.5)
    assert device.packages_at(*element.center) == {"org.distrl.phone.launcher"}
    windows = programs._window
    dropped_in = (
        "  Window #1 Window{b2 u0 NotificationShade}:\n    mOwnerUid=10144 package=x appop=NONE\n"
        "    touchable region=SkRegion((0,0,180,80))\n    isVisible=true\n"
    )
    monkeypatch.setattr(programs, "_window", lambda *given: windows(*given) + dropped_in)
    device.observe()
    assert SYSTEM_UI in device.packages_at(0.5, 0.1)
    assert SYSTEM_UI not in device.packages_at(*element.center)
    guarded = guard(device, rules(device))
    guarded.perform(actions.tap(0.5, 0.1))
    assert guarded.last_refusal == Refusal(Fence.APP, SYSTEM_UI)


def test_elements_of_the_keyboard_belong_to_the_app_in_front(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = programs._window
    package = "org.distrl.phone.launcher"
    keyboard = f"  Window #1 Window{{b2 u0 InputMethod}}:\n    mOwnerUid=1 package={package}\n"
    monkeypatch.setattr(programs, "_window", lambda *given: windows(*given) + keyboard)
    element = (device.observe().elements or ())[-1]
    assert device.packages_at(*element.center) == frozenset()


def test_touches_before_the_first_look_are_measured_as_the_screen_is_held(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.reset(0)
    got: list[tuple[str, str]] = []
    monkeypatch.setattr(device.phone, "held_size", lambda deadline: (400, 180))
    monkeypatch.setattr(device.phone, "tap", lambda x, y, deadline: got.append((x, y)))
    device.perform(actions.tap(0.75, 0.5))
    assert got == [("300", "90")]


# Faults


def still_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    known = properties.properties
    monkeypatch.setattr(
        properties, "properties", lambda *given: {**known(*given), "sys.boot_completed": ""}
    )


def test_phone_that_is_still_starting_is_not_waited_for_beyond_the_deadline(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.reset(0)
    still_starting(monkeypatch)
    hurried = AndroidDevice(device.phone, AndroidConfig(screen_width=None, deadline=2.0))
    for call in (hurried.prepare, lambda: hurried.reset(0), hurried.observe):
        with pytest.raises(DeviceFault, match="has not started in 2 s") as caught:
            call()
        assert caught.value.cause is Cause.OFFLINE


def test_phone_that_had_started_and_is_starting_has_rebooted(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = AndroidDevice(device.phone, AndroidConfig(screen_width=None, deadline=2.0))
    hurried.reset(0)
    with monkeypatch.context() as starting:
        still_starting(starting)
        with pytest.raises(DeviceFault, match="has not started in 2 s") as caught:
            hurried.reset(0)
    assert caught.value.cause is Cause.REBOOTED
    _recovers(hurried)


def test_one_deadline_holds_for_all_of_a_reset(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    hurried = AndroidDevice(device.phone, AndroidConfig(screen_width=None, deadline=1.0))
    phone.system.injected_faults.delay = 0.35  # each call is in time, and four of them are not
    for call in (hurried.prepare, lambda: hurried.reset(0)):
        with pytest.raises(DeviceFault) as caught:
            call()
        assert caught.value.cause is Cause.TIMEOUT


def _fault(device: AndroidDevice) -> Cause:
    began = time.monotonic()
    with pytest.raises(DeviceFault) as caught:
        device.observe()
    assert time.monotonic() - began < device.config.deadline + 5
    assert cause_of(str(caught.value)) is caught.value.cause
    return caught.value.cause


def _recovers(device: AndroidDevice) -> None:
    device.reset(1)
    assert device.observe().elements


def test_truncated_picture_is_garbled(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    phone.system.injected_faults.truncated = True
    assert _fault(device) is Cause.GARBLED
    phone.system.injected_faults.truncated = False
    _recovers(device)


def test_hierarchy_that_cannot_be_read_is_garbled(
    device: AndroidDevice, phone: AdbDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.reset(0)
    broken = "<?xml version='1.0'?><hierarchy><node</hierarchy>"
    monkeypatch.setattr(programs, "dump", lambda _: broken)
    assert _fault(device) is Cause.GARBLED
    monkeypatch.setattr(programs, "dump", lambda _: "")
    assert _fault(device) is Cause.GARBLED


def test_black_screen_with_words_is_blank(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    phone.system.injected_faults.black = True
    assert _fault(device) is Cause.BLANK
    phone.system.injected_faults.black = False
    _recovers(device)


def test_frozen_picture_is_stale(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    device.observe()
    phone.system.injected_faults.stale = True
    device.perform(actions.swipe_towards(actions.Direction.UP))
    assert _fault(device) is Cause.STALE
    phone.system.injected_faults.stale = False
    _recovers(device)


def test_frame_that_is_late_is_waited_for(
    device: AndroidDevice, phone: AdbDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = AndroidDevice(device.phone, AndroidConfig(screen_width=None, settle_seconds=5.0))
    patient.reset(0)
    patient.observe()
    phone.system.injected_faults.stale = True
    patient.perform(actions.swipe_towards(actions.Direction.UP))
    screenshot = phone.system.screenshot
    looks = []

    def late() -> bytes:
        looks.append(1)
        phone.system.injected_faults.stale = len(looks) < 5
        return screenshot()

    monkeypatch.setattr(phone.system, "screenshot", late)
    assert patient.observe().screen.shape == (400, 180, 3)
    assert len(looks) >= 5


def test_phone_that_has_hung_times_out(device: AndroidDevice, phone: AdbDaemon) -> None:
    hurried = AndroidDevice(
        device.phone, AndroidConfig(screen_width=None, deadline=0.5, settle_seconds=0.2)
    )
    hurried.reset(0)
    phone.system.injected_faults.hung = True
    assert _fault(hurried) is Cause.TIMEOUT


def test_slow_phone_is_slow_and_not_lost(server: AdbServer, phone: AdbDaemon) -> None:
    device = AndroidDevice(
        server.adb.phone(phone.address), AndroidConfig(screen_width=None, settle_seconds=0.0)
    )
    device.reset(0)
    for _ in range(8):
        device.observe()
    assert not device.slow
    assert device.probe() is None
    phone.system.injected_faults.delay = 10 * max(device.baseline_seconds, *device._baseline_looks)
    for _ in range(2):
        device.observe()
    assert device.probe() is Cause.SLOW
    device.close()


def test_reboot_is_found_out(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    device.observe()
    phone.system.reboot()
    assert _fault(device) is Cause.REBOOTED
    _recovers(device)


def test_another_phone_at_the_same_address_is_found_out(
    device: AndroidDevice, phone: AdbDaemon
) -> None:
    device.reset(0)
    phone.system.injected_faults.serial = "another"
    assert _fault(device) is Cause.CHANGED
    with pytest.raises(DeviceFault, match="was distrl-0 and is another"):
        device.reset(0)


def test_app_that_does_not_respond_is_ended_by_the_reset(
    device: AndroidDevice, phone: AdbDaemon
) -> None:
    device.reset(0)
    phone.system.injected_faults.not_responding = "org.distrl.phone.clock"
    assert _fault(device) is Cause.NOT_RESPONDING
    _recovers(device)


def test_key_that_is_refused_is_unauthorised(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    phone.system.injected_faults.unauthorised = True
    phone.drop()
    assert _fault(device) is Cause.UNAUTHORISED
    with pytest.raises(DeviceFault) as caught:
        device.reset(0)
    assert caught.value.cause is Cause.UNAUTHORISED
    phone.system.injected_faults.unauthorised = False
    _recovers(device)


def test_phone_that_answers_nobody_is_offline(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    phone.system.injected_faults.offline = True
    phone.drop()
    assert _fault(device) is Cause.OFFLINE
    phone.system.injected_faults.offline = False
    _recovers(device)


def test_probe_says_what_is_wrong(device: AndroidDevice, phone: AdbDaemon) -> None:
    device.reset(0)
    assert device.probe() is None
    phone.system.injected_faults.black = True
    assert device.probe() is Cause.BLANK


def test_command_that_fails_is_the_devices_error(device: AndroidDevice) -> None:
    device.reset(0)
    with pytest.raises(DeviceError, match="unknown command 'dance'"):
        device.ask_served(["dance"])


# Parts


def test_frames_that_differ_are_not_at_rest() -> None:
    def png(value: int, changed: int) -> bytes:
        pixels = np.full((100, 100, 3), value, np.uint8)
        pixels.reshape(-1, 3)[:changed] = 200
        packed = io.BytesIO()
        Image.fromarray(pixels).save(packed, "PNG")
        return packed.getvalue()

    def look(one: bytes, two: bytes) -> ScreenDump:
        return ScreenDump(one, b"", Windows(), keyboard=False, serial="", boot="", png_after=two)

    assert module.is_settled(look(png(10, 0), png(10, 0)))
    assert module.is_settled(look(png(10, 0), png(10, 9)))
    assert not module.is_settled(look(png(10, 0), png(10, 11)))
    assert module.is_blank(png(10, 0))
    assert not module.is_blank(png(10, 1))


def test_screen_is_another_when_less_than_half_is_left() -> None:
    a, b, c, d = (Element("text", name) for name in "abcd")
    assert not module.is_other_screen((a, b), (a, c))
    assert module.is_other_screen((a, b, c), (a, d, d))
    assert not module.is_other_screen((), (a,))
    assert not module.is_other_screen(None, (a,))


def test_picture_that_is_none_is_a_fault() -> None:
    with pytest.raises(DeviceFault, match="garbled"):
        module.decode(b"no picture")


@pytest.mark.parametrize(
    "wrong",
    [
        {"deadline": 0.0},
        {"deadline": float("inf")},
        {"deadline": float("nan")},
        {"wait_seconds": 1e10},
        {"settle_seconds": -1.0},
        {"settle_seconds": float("inf")},
        {"screen_width": 0},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        checked(AndroidConfig, wrong)


def test_observations_of_one_moment_are_the_same(device: AndroidDevice) -> None:
    device.reset(2)
    assert_same(device.observe(), device.observe())
    assert device.kinds == frozenset(Kind)


def test_what_apps_are_opened_and_held_by_is_the_same_over_adb_and_in_process(
    device: AndroidDevice, phone: AdbDaemon
) -> None:
    twin = PhoneDevice("twin", phone.system.device.config)
    device.reset(11)
    twin.reset(11)
    for action in (
        actions.open_app("Tasks"),
        actions.drag(0.5, 0.25, 0.5, 0.4),
        actions.open_app("Gallery"),
        actions.double_tap(0.5, 0.5),
        actions.press("recents"),
        actions.double_tap(0.4, 0.15),
    ):
        twin.perform(action)
        device.perform(action)
        assert phone.system.state == twin.snapshot(), action
    with pytest.raises(ActionError, match="no app is called"):
        device.perform(actions.open_app("No such app"))
    assert phone.system.state == twin.snapshot()


def test_only_allowed_apps_are_opened_by_their_names(
    device: AndroidDevice, phone: AdbDaemon
) -> None:
    device.reset(3)
    guarded = guard(device, rules(device, "org.distrl.phone.launcher", "org.distrl.phone.clock"))
    guarded.perform(actions.open_app("Phone"))
    assert phone.system.view.app == "launcher"
    assert guarded.last_refusal == Refusal(Fence.APP, "org.distrl.phone.phone")
    guarded.perform(actions.open_app("Nothing at all"))
    assert guarded.last_refusal is not None and guarded.last_refusal.why is Fence.UNABLE
    guarded.perform(actions.open_app("Clock"))
    assert phone.system.view.app == "clock"


# Root


def root_service(monkeypatch: pytest.MonkeyPatch, said: str, *, becomes_root: bool) -> list[str]:
    """Give served phones adbd's service of this name, which says something and ends."""
    found, asked = daemon_module.find_service, []
    user = ["shell"]
    monkeypatch.setitem(TOOLS, "whoami", lambda *_: tool_said(f"{user[0]}\n"))

    def find(name: str) -> daemon_module.Service | None:
        if name != "root:":
            return found(name)

        def serve(stream: daemon_module.Stream) -> None:
            asked.append(name)
            stream.write(said.encode())
            user[0] = "root" if becomes_root else "shell"

        return serve

    monkeypatch.setattr(daemon_module, "find_service", find)
    return asked


def test_adb_becomes_root_and_asks_only_once(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = root_service(monkeypatch, "restarting adbd as root\n", becomes_root=True)
    device.prepare()
    device.become_root(5.0)
    device.become_root(5.0)
    assert asked == ["root:"]
    assert device.phone.is_root()


def test_a_phone_that_refuses_root_is_believed_at_once(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "adbd cannot run as root in production builds\n"
    root_service(monkeypatch, said, becomes_root=False)
    device.prepare()
    with pytest.raises(DeviceError, match="gives adb no root: adbd cannot run as root in prod"):
        device.become_root(60.0)


def test_a_phone_without_the_service_gives_no_root(device: AndroidDevice) -> None:
    device.prepare()
    with pytest.raises(DeviceError, match=r"gives adb no root: it cannot: offline: .*closed"):
        device.become_root(60.0)


def test_root_that_never_comes_is_waited_for_no_longer_than_was_said(
    device: AndroidDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    root_service(monkeypatch, "", becomes_root=False)
    device.prepare()
    with pytest.raises(DeviceError, match="gives adb no root: it does not say why"):
        device.become_root(0.5)


def test_files_are_pushed_and_pulled(device: AndroidDevice) -> None:
    device.prepare()
    content = bytes(range(256)) * 600
    device.phone.push(content, "/sdcard/new folder/file")
    assert device.phone.pull("/sdcard/new folder/file") == content
    with pytest.raises(DeviceError, match=r"pull of /sdcard/none: .*No such file"):
        device.phone.pull("/sdcard/none")
