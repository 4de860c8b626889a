"""An Android device on a virtual clock, before a phone that follows a script: no adb is needed."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from distrl import actions
from distrl.clock import VirtualClock
from distrl.config.devices import AndroidConfig
from distrl.devices.android import device as module
from distrl.devices.android.adb import Adb, AdbPhone, CommandResult, ScreenDump
from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.device import AndroidDevice, reconnect, stuck_app
from distrl.devices.android.dumpsys import SERVICES, Windows
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.screenshot import encode_png
from distrl.errors import ActionError, DeviceError, DeviceLost
from distrl.types import Action, Kind

BOOT_ID = "/proc/sys/kernel/random/boot_id"
SHOP = "com.shop"
LARGE = (200, 400)
"""Small pictures do not pack well enough to be told as blank by their size."""


def png(*, level: int = 10, spots: int = 200, size: tuple[int, int] = (40, 80)) -> bytes:
    """A grey picture with so many white pixels; with none, it is blank."""
    width, height = size
    pixels = np.full((height, width, 3), level, np.uint8)
    pixels.reshape(-1, 3)[:spots] = 255
    return encode_png(pixels)


def hierarchy(*texts: str, package: str = SHOP) -> bytes:
    nodes = "".join(
        f'<node class="android.widget.TextView" package="{package}" text="{text}" '
        f'bounds="[0,{10 * number}][40,{10 * number + 10}]"/>'
        for number, text in enumerate(texts)
    )
    return f'<hierarchy rotation="0">{nodes}</hierarchy>'.encode()


def dump(
    *texts: str,
    picture: bytes | None = None,
    after: bytes | None = None,
    windows: Windows | None = None,
) -> ScreenDump:
    shown = png() if picture is None else picture
    return ScreenDump(
        shown,
        hierarchy(*(texts or ("Hello",))),
        windows or Windows(app=SHOP, owner=SHOP),
        keyboard=False,
        serial="R58M12",
        boot="boot-1",
        png_after=shown if after is None else after,
    )


class ScriptedAdb(Adb):
    """Notes whom it was asked to connect to."""

    def __init__(self) -> None:
        super().__init__(port=1)
        self.asked: list[str] = []
        self.refuses: DeviceError | None = None

    def announce_emulator(self, port: int, *, deadline: float = 1.0) -> None:
        self.asked.append(f"emulator {port}")

    def connect(self, address: str, *, deadline: float = 1.0) -> None:
        self.asked.append("connect")

    def disconnect(self, address: str, *, deadline: float = 1.0) -> None:
        self.asked.append("disconnect")
        if self.refuses is not None:
            raise self.refuses


class ScriptedPhone(AdbPhone):
    """A phone that answers from lists; the last entry of each list is used again."""

    def __init__(self, clock: VirtualClock, serial: str = "10.0.0.7:5555") -> None:
        self.scripted_adb = ScriptedAdb()
        super().__init__(self.scripted_adb, serial)
        self.clock = clock
        self.states = ["device"]
        self.booted = ["1"]
        self.missing = [""]
        self.props = {"ro.serialno": "R58M12", "ro.product.name": "pixel"}
        self.boot = "boot-1"
        self.focused = f"mCurrentFocus=Window{{a1 u0 {SHOP}/.Main}}"
        self.keyboards = ""
        self.dumps: list[ScreenDump | Exception] = [dump()]
        self.look_seconds = [0.0]
        self.lines: list[str] = []
        self.deadlines: list[float] = []
        self.failing: Exception | None = None
        self.users = ["root"]
        self.root_says: str | DeviceFault = "restarting adbd as root"

    def is_root(self, *, deadline: float = 1.0) -> bool:
        return (self.users.pop(0) if len(self.users) > 1 else self.users[0]) == "root"

    def ask_for_root(self, *, deadline: float = 1.0) -> str:
        self.scripted_adb.asked.append("root")
        if isinstance(self.root_says, DeviceFault):
            raise self.root_says
        return self.root_says

    def state(self, *, deadline: float = 1.0) -> str:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def look(self, *, hierarchy: bool = True, deadline: float = 1.0) -> ScreenDump:
        seconds = self.look_seconds
        self.clock.sleep(seconds.pop(0) if len(seconds) > 1 else seconds[0])
        found = self.dumps.pop(0) if len(self.dumps) > 1 else self.dumps[0]
        if isinstance(found, Exception):
            raise found
        return found if hierarchy else replace(found, xml=b"")

    def _run_line(self, line: str, doing: str, deadline: float) -> CommandResult:
        self.deadlines.append(deadline)
        words = shlex.split(line)
        match words:
            case ["getprop", "sys.boot_completed"]:
                said = self.booted.pop(0) if len(self.booted) > 1 else self.booted[0]
            case ["getprop", name]:
                said = self.props.get(name, "")
            case ["cat", path] if path == BOOT_ID:
                said = self.boot
            case ["service", "check", *_]:
                said = self._services()
            case ["dumpsys", "window", *_]:
                said = self.focused
            case ["settings", "get", "secure", "default_input_method"]:
                said = self.keyboards
            case _:
                self.lines.append(line)
                said = ""
                if self.failing is not None:
                    raise self.failing
        return CommandResult(said.encode(), b"", 0)

    def _services(self) -> str:
        missing = self.missing.pop(0) if len(self.missing) > 1 else self.missing[0]
        checked = "".join(f"Service {s}: found\n" for s in SERVICES if s != missing)
        return checked + ("" if missing == "focus" else self.focused)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def phone(clock: VirtualClock) -> ScriptedPhone:
    return ScriptedPhone(clock)


SETTINGS = AndroidConfig(screen_width=None, deadline=10.0, settle_seconds=2.0)


@pytest.fixture
def device(phone: ScriptedPhone, clock: VirtualClock) -> AndroidDevice:
    return AndroidDevice(phone, SETTINGS, clock=clock)


def cause_raised(call: Callable[[], object]) -> Cause:
    with pytest.raises(DeviceFault) as caught:
        call()
    return caught.value.cause


# Getting ready


@pytest.mark.parametrize(
    ("serial", "states", "asked"),
    [
        ("10.0.0.7:5555", ["device"], []),
        ("10.0.0.7:5555", ["absent", "device"], ["connect"]),
        ("10.0.0.7:5555", ["offline", "device"], ["disconnect", "connect"]),
        ("10.0.0.7:5555", ["offline", "connecting", "device"], ["disconnect", "connect"]),
        ("R58M12", ["offline", "offline", "device"], []),
        ("R58M12", ["absent", "device"], []),
    ],
)
def test_the_table_of_states_from_which_a_phone_is_reached(
    clock: VirtualClock, serial: str, states: list[str], asked: list[str]
) -> None:
    phone = ScriptedPhone(clock, serial)
    phone.states = list(states)
    reconnect(phone, module._Deadline(clock, 10.0, serial))
    assert phone.scripted_adb.asked == asked
    assert clock.now() < 1.0


@pytest.mark.parametrize(
    ("state", "cause", "waits"),
    [
        ("absent", Cause.ABSENT, True),
        ("offline", Cause.OFFLINE, True),
        ("bootloader", Cause.OFFLINE, True),
        ("recovery", Cause.OFFLINE, True),
        ("unauthorized", Cause.UNAUTHORISED, False),
    ],
)
def test_phone_that_stays_out_of_reach_is_waited_for_only_if_that_can_help(
    clock: VirtualClock, state: str, cause: Cause, waits: bool
) -> None:
    phone = ScriptedPhone(clock, "R58M12")
    phone.states = [state]
    with pytest.raises(DeviceFault, match=f"R58M12 is {state}") as caught:
        reconnect(phone, module._Deadline(clock, 10.0, "R58M12"))
    assert caught.value.cause is cause
    # A tenth of the deadline is kept for the call that says what is wrong.
    assert clock.now() == pytest.approx(9.0 if waits else 0.0)


def test_a_deadline_counts_down_and_then_raises(clock: VirtualClock) -> None:
    deadline = module._Deadline(clock, 10.0, "R58M12")
    assert deadline.left() == 10.0
    assert deadline.wait(4.0)
    assert deadline.left() == 6.0
    assert deadline.wait(100.0)
    assert deadline.left() == pytest.approx(1.0)
    assert not deadline.wait(0.1)
    clock.sleep(1.0)
    with pytest.raises(DeviceFault, match="R58M12 was not ready within 10 s") as caught:
        deadline.left()
    assert caught.value.cause is Cause.TIMEOUT


def test_phone_that_is_starting_is_asked_until_it_has_started(
    device: AndroidDevice, phone: ScriptedPhone, clock: VirtualClock
) -> None:
    phone.booted = ["", "", "0", "1"]
    device.prepare()
    assert clock.now() == pytest.approx(3 * module._BOOT_POLL_SECONDS)


def test_phone_that_has_booted_is_ready_when_nothing_is_missing_twice_in_a_row(
    device: AndroidDevice, phone: ScriptedPhone, clock: VirtualClock
) -> None:
    phone.missing = ["package", "input", "", "focus", "", ""]
    device.prepare()
    assert phone.missing == [""]
    assert clock.now() == pytest.approx(3 * module._BOOT_POLL_SECONDS)


def test_phone_that_stays_unready_is_out_of_reach_and_says_what_is_missing(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.missing = ["input"]
    with pytest.raises(DeviceFault, match="the service input is still missing") as caught:
        device.prepare()
    assert caught.value.cause is Cause.OFFLINE


def test_screen_that_cannot_be_listed_is_shown_without_elements_and_blames_nobody(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    moving = replace(dump(), xml=b"", unlisted="could not get idle state")
    phone.dumps, phone.look_seconds = [moving], [11.0]
    for _ in range(12):
        seen = device.observe()
        assert seen.elements is None
        assert seen.app == SHOP
    assert not device.slow
    assert device.probe() is None
    assert device.unlisted["could not get idle state"] == 13
    phone.dumps = [dump("Hello")]
    assert device.observe().elements


def test_dialog_of_the_system_itself_is_closed_and_nothing_is_stopped(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.focused = "mCurrentFocus=Window{a1 u0 Application Not Responding: system}"
    device.prepare()
    assert phone.lines == ["am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS"]


def test_phone_is_prepared_once_however_often_it_is_used(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.states = ["absent", "device"]
    for _ in range(3):
        device.perform(actions.wait())
        device.observe()
    assert phone.scripted_adb.asked == ["connect"]
    assert not device.served


def test_reset_restores_then_ends_apps_then_goes_home(
    phone: ScriptedPhone, clock: VirtualClock
) -> None:
    settings = AndroidConfig(screen_width=None, stop_apps=["com.a", "com.b"])
    device = AndroidDevice(phone, settings, clock=clock)
    device.restore = lambda: phone.lines.append("restored")
    device.reset(7)
    assert phone.lines == [
        "restored",
        "am force-stop com.a",
        "am force-stop com.b",
        "input keyevent KEYCODE_HOME",
    ]


def test_reset_of_a_served_phone_hands_the_seed_over(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.props["ro.product.name"] = "distrl_phone"
    device.reset(7)
    assert phone.lines == ["distrl reset 7"]


def test_phone_that_was_not_opted_in_to_is_not_touched(
    phone: ScriptedPhone, clock: VirtualClock
) -> None:
    device = AndroidDevice(phone, SETTINGS, clock=clock, only_served=True)
    for call in (lambda: device.reset(0), device.observe, lambda: device.perform(actions.wait())):
        assert cause_raised(call) is Cause.WITHHELD
    assert phone.lines == []
    phone.props["ro.product.name"] = "distrl_phone"
    device.reset(0)
    assert phone.lines == ["distrl reset 0"]


def test_app_that_is_stuck_is_ended_before_the_episode(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.focused = "mCurrentFocus=Window{a1 u0 Application Not Responding: com.bank}"
    device.prepare()
    assert phone.lines == ["am force-stop com.bank"]


@pytest.mark.parametrize(
    ("focus", "package"),
    [
        ("Application Not Responding: com.bank", "com.bank"),
        ("Application Not Responding: com.bank.app more", "com.bank.app"),
        ("com.bank/.Main", ""),
        ("Application Error: com.bank", ""),
        ("", ""),
    ],
)
def test_the_package_that_does_not_respond_is_named(focus: str, package: str) -> None:
    assert stuck_app(focus) == package


def test_another_phone_at_the_address_is_no_phone_of_ours(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    device.reset(0)
    phone.props["ro.serialno"] = "OTHER"
    with pytest.raises(DeviceFault, match="was R58M12 and is OTHER") as caught:
        device.reset(0)
    assert caught.value.cause is Cause.CHANGED


# Looking


def test_screen_that_moves_is_looked_at_until_it_rests(
    device: AndroidDevice, phone: ScriptedPhone, clock: VirtualClock
) -> None:
    moving = [dump(f"frame {n}", picture=png(level=n), after=png(level=n + 60)) for n in (1, 2)]
    phone.dumps = [*moving, dump("at rest")]
    seen = device.observe()
    assert [e.text for e in seen.elements or ()] == ["at rest"]
    assert clock.now() == pytest.approx(2 * module._POLL_SECONDS)


def test_screen_that_never_rests_is_taken_as_it_is(
    device: AndroidDevice, phone: ScriptedPhone, clock: VirtualClock
) -> None:
    phone.dumps = [dump("film", picture=png(level=1), after=png(level=99))]
    assert [e.text for e in device.observe().elements or ()] == ["film"]
    assert clock.now() == pytest.approx(SETTINGS.settle_seconds, abs=module._POLL_SECONDS)


def test_screen_that_is_turned_meanwhile_is_not_at_rest() -> None:
    turned = dump(picture=png(size=(40, 80)), after=png(size=(80, 40)))
    assert not module.is_settled(turned)


@pytest.mark.parametrize(
    "first",
    [
        DeviceFault(Cause.GARBLED, "half a picture"),
        replace(dump(), xml=b"<hierarchy><node"),
        dump("words", picture=png(spots=0, size=LARGE)),
    ],
    ids=["no picture", "no hierarchy", "blank"],
)
def test_look_that_raises_doubts_is_repeated(
    device: AndroidDevice, phone: ScriptedPhone, first: ScreenDump | Exception
) -> None:
    phone.dumps = [first, first, dump("well")]
    assert [e.text for e in device.observe().elements or ()] == ["well"]


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        (DeviceFault(Cause.GARBLED, "half a picture"), Cause.GARBLED),
        (replace(dump(), xml=b"<hierarchy><node"), Cause.GARBLED),
        (dump("words", picture=png(spots=0, size=LARGE)), Cause.BLANK),
        (dump("words", picture=png(level=255, spots=0, size=LARGE)), Cause.BLANK),
    ],
)
def test_doubt_that_stays_is_a_fault_when_the_time_is_up(
    device: AndroidDevice,
    phone: ScriptedPhone,
    clock: VirtualClock,
    shown: ScreenDump | Exception,
    cause: Cause,
) -> None:
    phone.dumps = [shown]
    assert cause_raised(device.observe) is cause
    assert clock.now() == pytest.approx(SETTINGS.settle_seconds, abs=module._POLL_SECONDS)


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        (DeviceFault(Cause.TIMEOUT, "no answer"), Cause.TIMEOUT),
        (DeviceFault(Cause.SERVER, "no server"), Cause.SERVER),
        (replace(dump(), serial="OTHER"), Cause.CHANGED),
        (replace(dump(), boot="boot-2"), Cause.REBOOTED),
        (
            dump(windows=Windows(focus="Application Not Responding: com.bank")),
            Cause.NOT_RESPONDING,
        ),
    ],
)
def test_what_looking_again_cannot_heal_is_a_fault_at_once(
    device: AndroidDevice,
    phone: ScriptedPhone,
    clock: VirtualClock,
    shown: ScreenDump | Exception,
    cause: Cause,
) -> None:
    phone.dumps = [shown]
    assert cause_raised(device.observe) is cause
    assert clock.now() == 0.0
    assert device.probe() is cause


def test_blank_screen_without_words_is_a_screen_like_any_other(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.dumps = [
        replace(dump(picture=png(spots=0, size=LARGE)), xml=b'<hierarchy rotation="0"/>')
    ]
    assert device.observe().elements == ()


def test_same_picture_with_other_elements_is_stale_and_with_the_same_is_not(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.dumps = [dump("a", "b", "c", "d")]
    device.observe()
    phone.dumps = [dump("a", "b", "x", "y")]  # half is still there
    device.observe()
    phone.dumps = [dump("p", "q", "x", "r")]
    assert cause_raised(device.observe) is Cause.STALE
    phone.dumps = [dump("p", "q", "x", "r", picture=png(level=20))]
    device.observe()


def test_after_a_reset_the_same_picture_with_other_elements_is_believed(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    phone.dumps = [dump("a", "b")]
    device.observe()
    device.reset(1)
    phone.dumps = [dump("x", "y")]
    assert len(device.observe().elements or ()) == 2


def test_screen_that_stays_is_unpacked_once(device: AndroidDevice) -> None:
    assert device.observe().screen is device.observe().screen


@pytest.mark.parametrize(
    ("size", "width", "shape"),
    [
        ((40, 80), None, (80, 40, 3)),
        ((40, 80), 40, (80, 40, 3)),
        ((40, 80), 400, (80, 40, 3)),
        ((40, 80), 20, (40, 20, 3)),
        ((40, 81), 20, (40, 20, 3)),
        ((80, 40), 20, (10, 20, 3)),
        ((400, 2), 20, (1, 20, 3)),
    ],
)
def test_pictures_are_scaled_down_and_never_up(
    phone: ScriptedPhone,
    clock: VirtualClock,
    size: tuple[int, int],
    width: int | None,
    shape: tuple[int, int, int],
) -> None:
    device = AndroidDevice(phone, AndroidConfig(screen_width=width), clock=clock)
    phone.dumps = [dump(picture=png(size=size))]
    assert device.observe().screen.shape == shape


def test_phone_without_elements_is_not_asked_for_any(
    phone: ScriptedPhone, clock: VirtualClock
) -> None:
    device = AndroidDevice(phone, SETTINGS, elements=False, clock=clock)
    phone.dumps = [
        dump("secret", picture=png(spots=0, size=LARGE))
    ]  # nor is it blank: nobody knows of words
    assert device.observe().elements is None
    assert device.packages_at(0.5, 0.05) == frozenset()


@pytest.mark.parametrize(
    ("point", "owners"),
    [
        ((0.5, 0.05), {SHOP}),
        ((0.5, 0.125), {SHOP}),  # the edge belongs to it
        ((0.5, 0.13), set()),
        ((0.9, 0.95), {SYSTEM_UI}),
        ((0.2, 0.95), set()),
    ],
)
def test_the_table_of_owners(
    device: AndroidDevice, phone: ScriptedPhone, point: tuple[float, float], owners: set[str]
) -> None:
    windows = Windows(app=SHOP, owner=SHOP, keyboard="com.keys", shade=((30, 70, 40, 80),))
    phone.dumps = [dump("Buy", windows=windows)]
    device.observe()
    assert device.packages_at(*point) == owners


def test_keys_of_the_keyboard_belong_to_no_app(device: AndroidDevice, phone: ScriptedPhone) -> None:
    keys = replace(
        dump(windows=Windows(app=SHOP, owner=SHOP, keyboard="com.keys")),
        xml=hierarchy("q", package="com.keys"),
    )
    phone.dumps = [keys]
    device.observe()
    assert device.packages_at(0.5, 0.05) == frozenset()


# Acting


@pytest.mark.parametrize(
    ("action", "line", "seconds"),
    [
        (actions.tap(0.5, 0.25), "input tap 20 20", 10.0),
        (actions.tap(0.0, 1.0), "input tap 0 80", 10.0),
        (actions.tap(0.3, 0.0125), "input tap 12 1", 10.0),
        (actions.long_press(0.5, 0.5), "input swipe 20 40 20 40 1000", 11.0),
        (actions.swipe(0.5, 0.75, 0.5, 0.25), "input swipe 20 60 20 20 300", 10.3),
        (actions.press("back"), "input keyevent KEYCODE_BACK", 10.0),
        (actions.press("home"), "input keyevent KEYCODE_HOME", 10.0),
        (actions.press("enter"), "input keyevent KEYCODE_ENTER", 10.0),
        (actions.wait(), "sleep 1", 11.0),
        (actions.type_text("it's"), """input text 'it'"'"'s'""", 10.0),
    ],
)
def test_the_table_of_actions(
    device: AndroidDevice, phone: ScriptedPhone, action: Action, line: str, seconds: float
) -> None:
    device.observe()
    device.perform(action)
    (sent,) = phone.lines
    if action.kind is Kind.TAP:
        found = [float(word) for word in sent.split()[2:]]
        assert found == pytest.approx([float(word) for word in line.split()[2:]])
    else:
        assert sent == line
    assert phone.deadlines[-1] == pytest.approx(seconds)


@pytest.mark.parametrize("action", [actions.complete(), actions.infeasible()])
def test_declarations_touch_nothing(
    device: AndroidDevice, phone: ScriptedPhone, action: Action
) -> None:
    device.perform(action)
    assert phone.lines == []


def test_touches_follow_the_size_of_the_last_picture(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    for size, line in (((40, 80), "input tap 20 60"), ((80, 40), "input tap 40 30")):
        phone.dumps = [dump(picture=png(size=size))]
        device.observe()
        device.perform(actions.tap(0.5, 0.75))
        assert phone.lines[-1] == line


@pytest.mark.parametrize("text", ["é", "two\nlines", "a%sb", "😀"])
def test_text_beyond_keys_goes_through_the_keyboard_app(
    device: AndroidDevice, phone: ScriptedPhone, text: str
) -> None:
    phone.keyboards = module._KEYBOARD
    device.perform(actions.type_text(text))
    (line,) = phone.lines
    assert base64.b64decode(shlex.split(line)[-1]).decode() == text


def test_keyboard_app_that_a_broken_connection_hides_is_not_called_missing(
    device: AndroidDevice, phone: ScriptedPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone, "packages", lambda deadline: frozenset({module.KEYBOARD_APP}))
    device.prepare()
    phone.failing = DeviceFault(Cause.TIMEOUT, "no answer")
    assert cause_raised(lambda: device.perform(actions.type_text("é"))) is Cause.TIMEOUT
    phone.failing = DeviceError("Unknown input method")
    with pytest.raises(ActionError, match="printable ASCII only"):
        device.perform(actions.type_text("é"))


# What is behind a broken connection


@pytest.mark.parametrize(
    ("states", "boot", "cause"),
    [
        (["device"], "boot-1", Cause.OFFLINE),
        (["device"], "boot-2", Cause.REBOOTED),
        (["offline", "absent", "device"], "boot-2", Cause.REBOOTED),
        (["unauthorized"], "boot-1", Cause.UNAUTHORISED),
        (["offline", "unauthorized"], "boot-1", Cause.UNAUTHORISED),
        (["absent"], "boot-2", Cause.OFFLINE),
    ],
)
def test_the_table_of_diagnoses(
    device: AndroidDevice,
    phone: ScriptedPhone,
    clock: VirtualClock,
    states: list[str],
    boot: str,
    cause: Cause,
) -> None:
    device.prepare()
    phone.states, phone.boot = list(states), boot
    phone.failing = DeviceFault(Cause.OFFLINE, "device offline")
    assert cause_raised(lambda: device.perform(actions.wait())) is cause
    assert clock.now() <= module._DIAGNOSE_SECONDS + module._POLL_SECONDS


@pytest.mark.parametrize("cause", [Cause.TIMEOUT, Cause.SERVER, Cause.GARBLED])
def test_causes_that_are_plain_are_not_looked_into(
    device: AndroidDevice, phone: ScriptedPhone, cause: Cause
) -> None:
    device.prepare()
    phone.states, phone.boot = ["unauthorized"], "boot-2"
    phone.failing = DeviceFault(cause, "as it is")
    assert cause_raised(lambda: device.perform(actions.wait())) is cause


# Slowness


def look_for(device: AndroidDevice, phone: ScriptedPhone, *seconds: float) -> None:
    for one in seconds:
        phone.look_seconds = [one]
        device.observe()


@pytest.mark.parametrize(
    ("later", "slow"),
    [
        ((1.1, 1.1, 1.1), True),
        ((1.1, 0.9, 1.1), False),  # one quick look in between, and it is not slow
        ((1.0, 1.0, 1.0), False),  # exactly the factor is not beyond it
        ((1.1, 1.1), False),
    ],
)
def test_phone_is_slow_when_its_last_looks_all_took_long(
    device: AndroidDevice, phone: ScriptedPhone, later: tuple[float, ...], slow: bool
) -> None:
    look_for(device, phone, *[0.2] * 8, *later)
    assert device.baseline_seconds == pytest.approx(0.2)
    assert device.slow is slow
    if slow:
        phone.look_seconds = [1.1]
        assert device.probe() is Cause.SLOW


def test_phone_that_was_very_quick_is_measured_against_a_floor(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    look_for(device, phone, *[0.001] * 8, *[0.2] * 3)
    assert not device.slow
    look_for(device, phone, *[0.3] * 3)
    assert device.slow


def test_phone_is_not_slow_before_its_first_looks_are_known(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    look_for(device, phone, 0.1, *[5.0] * 6)
    assert not device.slow


def test_one_slow_look_at_first_does_not_raise_the_baseline(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    look_for(device, phone, 30.0, *[0.2] * 7)
    assert device.baseline_seconds == pytest.approx(0.2)


# The end


def test_closing_disconnects_once_and_nothing_works_afterwards(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    device.prepare()
    device.close()
    device.close()
    assert phone.scripted_adb.asked == ["disconnect"]
    for call in (
        lambda: device.reset(0),
        device.observe,
        device.prepare,
        lambda: device.perform(actions.wait()),
    ):
        with pytest.raises(DeviceLost, match="is closed"):
            call()


def test_phone_on_a_cable_or_never_reached_is_not_disconnected(clock: VirtualClock) -> None:
    cabled, unused = ScriptedPhone(clock, "R58M12"), ScriptedPhone(clock)
    used = AndroidDevice(cabled, SETTINGS, clock=clock)
    used.prepare()
    used.close()
    AndroidDevice(unused, SETTINGS, clock=clock).close()
    assert cabled.scripted_adb.asked == unused.scripted_adb.asked == []


def test_phone_that_is_gone_already_closes_all_the_same(
    device: AndroidDevice, phone: ScriptedPhone
) -> None:
    device.prepare()
    phone.scripted_adb.refuses = DeviceFault(Cause.SERVER, "no server")
    device.close()
    with pytest.raises(DeviceLost):
        device.observe()


# Root


@pytest.mark.parametrize(
    ("serial", "states", "asked"),
    [
        ("R58M12", ["absent", "device"], ["root"]),
        ("10.0.0.7:5555", ["absent", "device"], ["root", "connect"]),
        ("emulator-5586", ["device"], ["root"]),
        (
            "emulator-5586",
            [*["absent"] * 60, "device"],
            ["root", "emulator 5587", "emulator 5587"],
        ),
    ],
)
def test_a_phone_is_found_again_after_adbd_has_started_as_root(
    clock: VirtualClock, serial: str, states: list[str], asked: list[str]
) -> None:
    phone = ScriptedPhone(clock, serial)
    phone.states, phone.users = list(states), ["shell", "root"]
    AndroidDevice(phone, SETTINGS, clock=clock).become_root(60.0)
    assert phone.scripted_adb.asked == asked
    assert clock.now() < 5.0


def test_root_that_does_not_come_is_waited_for_until_the_time_is_up(
    phone: ScriptedPhone, device: AndroidDevice, clock: VirtualClock
) -> None:
    phone.users = ["shell"]
    with pytest.raises(DeviceError, match="gives adb no root: restarting adbd as root"):
        device.become_root(60.0)
    assert 50.0 < clock.now() <= 60.0


@pytest.mark.parametrize("cause", [Cause.TIMEOUT, Cause.SERVER])
def test_a_phone_that_is_silent_when_asked_for_root_is_a_fault(
    phone: ScriptedPhone, device: AndroidDevice, cause: Cause
) -> None:
    phone.users, phone.root_says = ["shell"], DeviceFault(cause, "silent")
    assert cause_raised(lambda: device.become_root(60.0)) is cause


def test_a_phone_that_refuses_root_is_believed_at_once(
    phone: ScriptedPhone, device: AndroidDevice, clock: VirtualClock
) -> None:
    phone.users, phone.root_says = ["shell"], "adbd cannot run as root in production builds"
    with pytest.raises(DeviceError, match="gives adb no root: adbd cannot run as root"):
        device.become_root(60.0)
    assert clock.now() == 0.0
