"""An Android phone or emulator as a Device, over adb.

    perform  -> one `input` command
    observe  -> look until the screenshots before and after the hierarchy agree
             -> check: is the screen blank or stale, is it another phone, has it rebooted?

A look that fails a check is repeated for `settle_seconds`. If the check still fails, a DeviceFault
with its cause is raised: the episode counts as lost and not as failed by the policy. Touches are
sent in fractions of pixels, which `input` accepts, so that no coordinate is rounded.
"""

from __future__ import annotations

import base64
import io
import re
import statistics
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import TypeAlias

import numpy as np
from PIL import Image

from distrl import screens
from distrl.clock import RealClock
from distrl.config.devices import AndroidConfig
from distrl.devices.android import hierarchy
from distrl.devices.android.adb import AdbPhone, ScreenDump, read_boot_id, split_png
from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.launcher_apps import LauncherApp, app_named
from distrl.devices.android.uiautomator2_dumper import Uiautomator2
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.fleet.manual_quarantine import ManualQuarantine
from distrl.errors import ActionError, DeviceError, DeviceLost
from distrl.interfaces import Clock
from distrl.types import Action, Element, Key, Kind, Observation, Picture, Pixels

KEYBOARD_APP = "com.android.adbkeyboard"
_KEYBOARD = f"{KEYBOARD_APP}/.AdbIME"
_SERVED_PRODUCT = "distrl_phone"
_EMULATOR = re.compile(r"emulator-(\d+)")
"""A serial that names the port of a console; adb's own port is the next one."""
_OF_THE_SYSTEM = frozenset({"system", "android", SYSTEM_UI})
"""Processes that cannot be ended, and whose dialogs are closed instead."""
_KEYS = {
    Key.BACK: "KEYCODE_BACK",
    Key.HOME: "KEYCODE_HOME",
    Key.ENTER: "KEYCODE_ENTER",
    Key.RECENTS: "KEYCODE_APP_SWITCH",
}
# A blinking cursor or a clock changes a few hundred of some two million pixels; an animation
# changes far more.
_SETTLED_SHARE = 0.001
"""Share of the pixels that may differ between two frames of a screen at rest."""
# Decoding every screenshot only to find that it is not blank would slow every look down.
_BLANK_RATIO = 100
"""A PNG this many times smaller than its pixels may show a single colour, and is decoded."""
# adb takes a moment to notice that a phone is gone, is back, or asks for its key.
_DIAGNOSE_SECONDS = 3.0
_POLL_SECONDS = 0.05
# A boot takes many seconds: five questions a second are enough.
_BOOT_POLL_SECONDS = 0.2
# adbd is back within a second or two, and an emulator has to be announced again once it is.
_ROOT_ATTEMPT_SECONDS = 2.0
# While Android starts, services come, go and come again.
_READY_IN_A_ROW = 2
# Waiting must leave time to ask for the state once more, so that the error names the real cause.
_RESERVED_SHARE = 0.1
"""Share of a deadline that is kept for the last call."""
# The median of eight looks ignores a slow first one; three in a row are no coincidence.
_BASELINE_LOOKS, _RECENT_LOOKS = 8, 3
_SLOW_FACTOR = 5.0
"""A phone is slow when a look takes so many times as long as its first looks: far above what a busy
screen adds, and long before a look takes a whole deadline."""
_MIN_BASELINE_SECONDS = 0.05
"""Lower bound of the baseline: below it, jitter of the machine would count as slowness."""


_SWIPE_MS = 300
"""Slower than a fling, so that a page stops where it was dragged to."""
_DRAG_MS = 1000
"""Slow enough that a list follows the finger and what is dragged over has time to make room."""
_LONG_PRESS_MS = 1000
"""Twice what Android takes for a long press, which apps may set higher."""
_DEFAULT = AndroidConfig()


class AndroidDevice:
    """One phone over adb. One thread at a time uses it."""

    device_kind = "android"
    kinds = frozenset(Kind)

    def __init__(
        self,
        phone: AdbPhone,
        config: AndroidConfig = _DEFAULT,
        *,
        elements: bool = True,
        clock: Clock | None = None,
        manual_quarantine: ManualQuarantine | None = None,
        only_served: bool = False,
    ) -> None:
        """Name a phone; it is connected to by the first reset, `prepare` or observation.

        Without `elements`, its hierarchy of views is not read.
        With a list of `withheld` phones, it is lost for as long as it stands there. With
        `only_served` it is lost before it is touched, unless this package serves it.
        """
        self.phone = phone
        self.config, self._elements = config, elements
        self._name = phone.serial
        self._clock: Clock = clock or RealClock()
        self._manual_quarantine, self._only_served = manual_quarantine, only_served
        self.restore: Callable[[], None] = lambda: None
        """Whatever can return the phone to a known start: every reset begins with it."""
        by_u2 = self._elements and self.config.hierarchy == "uiautomator2"
        self._u2 = Uiautomator2(phone) if by_u2 else None
        self.unlisted: Counter[str] = Counter()
        """How many looks have no elements because the screen could not be listed, by reason."""
        self._closed = False
        self._identity: _Identity | None = None
        self._last: _Seen | None = None
        self._baseline_looks: list[float] = []
        self._recent_looks: deque[float] = deque(maxlen=_RECENT_LOOKS)

    @property
    def id(self) -> str:
        """Stable name of this phone."""
        return self._name

    # The contract

    def reset(self, seed: int) -> None:
        """Return to the home screen with the chosen apps ended.

        A phone that this package serves starts in the state of the seed. A real one cannot: there
        a known start is as far as ending apps and going home get, or what `restore` returns to,
        such as the snapshot of an emulator. All but that shares one deadline.
        """
        self._require_open()
        self.restore()
        timer = self._timer()
        known = self._prepare(timer)
        with self._diagnosing():
            if known.served:
                self.phone.served(["reset", str(seed)], deadline=timer.left())
                return
            for package in self.config.stop_apps:
                self.phone.stop_app(package, deadline=timer.left())
            self.phone.key(_KEYS[Key.HOME], deadline=timer.left())

    def observe(self) -> Observation:
        """The settled screen; DeviceFault when the phone's answers cannot be trusted."""
        self._require_open()
        self._ensure_prepared()
        end = self._clock.now() + self.config.settle_seconds
        while True:
            try:
                look = self._look()
                seen = self._seen(look)
            except DeviceFault as fault:
                # Only garbled output may be better the next time; other causes do not heal.
                if fault.cause is not Cause.GARBLED:
                    raise
                doubt: DeviceFault | None = fault
            else:
                doubt = self._doubt(look, seen)
                # A screen that never settles, such as a film, is returned when the time is up.
                if doubt is None and (is_settled(look) or self._clock.now() >= end):
                    self._last = seen
                    return seen.observation
            if doubt is not None and self._clock.now() >= end:
                raise doubt
            self._clock.sleep(_POLL_SECONDS)

    def perform(self, action: Action) -> None:
        """Carry out one action; ActionError for a text or an app that the phone does not have."""
        self._require_open()
        self._ensure_prepared()
        deadline = self.config.deadline
        with self._diagnosing():
            match action.kind:
                case kind if kind.touches_point:
                    self._touch(kind, self._pixels(action.x, action.y))
                case kind if kind.moves_finger:
                    self._move(kind, self._pixels(action.x, action.y, action.x2, action.y2))
                case Kind.TYPE:
                    self._type(action.text)
                case Kind.OPEN_APP:
                    self.phone.launch(self._app(action.text), deadline=deadline)
                case Kind.PRESS:
                    assert action.key is not None
                    self.phone.key(_KEYS[action.key], deadline=deadline)
                case Kind.WAIT:
                    self.phone.sleep(self.config.wait_seconds, deadline=deadline)
                case _:
                    pass  # said to whoever judges; there is nothing to do on the phone

    def _touch(self, kind: Kind, place: Sequence[str]) -> None:
        deadline = self.config.deadline
        if kind is Kind.TAP:
            self.phone.tap(*place, deadline=deadline)
        elif kind is Kind.DOUBLE_TAP:
            self.phone.double_tap(*place, deadline=deadline)
        else:
            ms = _LONG_PRESS_MS
            self.phone.swipe([*place, *place], ms, deadline=deadline + ms / 1000)

    def _move(self, kind: Kind, places: Sequence[str]) -> None:
        ms = _SWIPE_MS if kind is Kind.SWIPE else _DRAG_MS
        send = self.phone.swipe if kind is Kind.SWIPE else self.phone.drag
        send(places, ms, deadline=self.config.deadline + ms / 1000)

    def _app(self, name: str) -> LauncherApp:
        return app_named(name, self.phone.launcher_apps(deadline=self.config.deadline))

    def close(self) -> None:
        """Let go of the phone; one that was connected over TCP is disconnected."""
        if self._closed:
            return
        self._closed = True
        if self.phone.over_tcp and self._identity is not None:
            try:
                self.phone.adb.disconnect(self.phone.serial, deadline=self.config.deadline)
            except DeviceError:
                return  # it is gone already, which is what was wanted

    # Beyond the contract

    def prepare(self) -> None:
        """Check that the phone is connected, the same as before, booted, and not blocked by an app.

        One deadline covers all checks; DeviceFault when it passes or a check fails. A phone that
        is still booting is not waited for: a later probe finds it ready. Called before every
        episode.
        """
        self._prepare(self._timer())

    def _prepare(self, timer: _Deadline) -> _Identity:
        self._require_open()
        self._last = None
        reason = (
            None
            if self._manual_quarantine is None
            else self._manual_quarantine.reason(self.phone.serial)
        )
        if reason is not None:
            raise DeviceFault(Cause.WITHHELD, f"{self._name}: {reason}")
        reconnect(self.phone, timer)
        known = self._identify(timer)
        if self._identity is not None and known.serial != self._identity.serial:
            raise self._changed(known.serial)
        if self._only_served and not known.served:
            detail = f"{self._name} is a phone of its own, and nobody has opted in to it"
            raise DeviceFault(Cause.WITHHELD, detail)
        self._identity = known
        stuck = stuck_app(self.phone.focus(deadline=timer.left()))
        if stuck:
            with self._diagnosing():
                self._end_stuck(stuck, timer.left())
        return known

    def become_root(self, seconds: float) -> None:
        """Let adb run programs as root there; DeviceError where the phone does not allow it."""
        timer = _Deadline(self._clock, seconds, self._name)
        if self.phone.is_root(deadline=timer.left()):
            return
        said = self._asked_for_root(timer)
        while "cannot" not in said:  # adbd starts again: for a moment, nobody answers
            with suppress(DeviceFault):
                self._announce_again(timer)
                attempt = min(timer.left(), _ROOT_ATTEMPT_SECONDS)
                reconnect(self.phone, _Deadline(self._clock, attempt, self._name))
                if self.phone.is_root(deadline=timer.left()):
                    return
            if not timer.wait(_POLL_SECONDS):
                break
        raise DeviceError(f"{self._name} gives adb no root: {said or 'it does not say why'}")

    def _announce_again(self, timer: _Deadline) -> None:
        """Tell the adb server of an emulator that it has lost; ours look for none themselves."""
        console = _EMULATOR.fullmatch(self.phone.serial)
        if console is not None and self.phone.state(deadline=timer.left()) == "absent":
            self.phone.adb.announce_emulator(int(console[1]) + 1, deadline=timer.left())

    def _asked_for_root(self, timer: _Deadline) -> str:
        try:
            return self.phone.ask_for_root(deadline=timer.left())
        except DeviceFault as fault:
            # A device that is well and closes the line has no such service.
            if fault.cause is Cause.OFFLINE and self.phone.state(deadline=timer.left()) == "device":
                return f"it cannot: {fault}"
            raise

    def package_named(self, name: str) -> str | None:
        """The package of the app that a name means; None when the phone has no such app."""
        self._ensure_prepared()
        try:
            with self._diagnosing():
                return self._app(name).package
        except ActionError:
            return None

    def _end_stuck(self, app: str, deadline: float) -> None:
        if app in _OF_THE_SYSTEM:
            self.phone.close_dialogs(deadline=deadline)
        else:
            self.phone.stop_app(app, deadline=deadline)

    def packages_at(self, x: float, y: float) -> frozenset[str]:
        """The packages that own what was last seen at a point; none where the phone does not say.

        The keyboard and the navigation bar are left out: they belong to whatever app is in front.
        """
        if self._last is None:
            return frozenset()
        windows, (width, height) = self._last.look.windows, png_size(self._last.look.png)
        found = {o.package for o in self._last.owned if _inside(o.element.bounds, x, y)}
        if any(_inside(box, x * width, y * height) for box in windows.shade):
            found.add(SYSTEM_UI)
        return frozenset(found - {"", windows.keyboard})

    def unlabelled_at(self, x: float, y: float) -> bool:
        """Whether a button was last seen at a point that the app itself gives no name."""
        seen = () if self._last is None else self._last.owned
        return any(
            o.guessed and o.element.role == "button" and _inside(o.element.bounds, x, y)
            for o in seen
        )

    def probe(self) -> Cause | None:
        """What is wrong with the phone, by looking at it once; None when nothing is."""
        try:
            self.observe()
        except DeviceFault as fault:
            return fault.cause
        except DeviceError:
            return Cause.GARBLED
        return Cause.SLOW if self.slow else None

    @property
    def slow(self) -> bool:
        """Whether all of the most recent looks took `slow_factor` times the baseline or longer."""
        if len(self._baseline_looks) < _BASELINE_LOOKS or len(self._recent_looks) < _RECENT_LOOKS:
            return False
        return min(self._recent_looks) > _SLOW_FACTOR * self.baseline_seconds

    @property
    def baseline_seconds(self) -> float:
        """Median duration of the first looks, which later ones are compared with."""
        return max(_MIN_BASELINE_SECONDS, statistics.median(self._baseline_looks or [0.0]))

    @property
    def served(self) -> bool:
        """Whether this package serves the phone, so that tasks can be set up on it."""
        self._ensure_prepared()
        assert self._identity is not None
        return self._identity.served

    def ask_served(self, arguments: Sequence[str]) -> str:
        """Run the command of served phones; DeviceError when the phone has none."""
        with self._diagnosing():
            return self.phone.served(arguments, deadline=self.config.deadline)

    # Looking

    def _look(self) -> ScreenDump:
        began = self._clock.now()
        with self._diagnosing():
            look = self._look_by_u2(self._u2) if self._u2 else self._look_at_once()
        self._note_look(look, self._clock.now() - began)
        assert self._identity is not None
        if look.serial != self._identity.serial:
            raise self._changed(look.serial)
        if look.boot != self._identity.boot:
            raise DeviceFault(Cause.REBOOTED, f"{self._name} has started again")
        stuck = stuck_app(look.windows.focus)
        if stuck:
            raise DeviceFault(Cause.NOT_RESPONDING, f"{self._name}: {stuck} does not answer")
        return look

    def _note_look(self, look: ScreenDump, took: float) -> None:
        if look.unlisted:
            # The dumper waits for seconds until a screen that moves is at rest: the phone is well.
            self.unlisted[look.unlisted] += 1
            return
        if len(self._baseline_looks) < _BASELINE_LOOKS:
            self._baseline_looks.append(took)
        self._recent_looks.append(took)

    def _look_at_once(self) -> ScreenDump:
        return self.phone.look(hierarchy=self._elements, deadline=self.config.deadline)

    def _look_by_u2(self, u2: Uiautomator2) -> ScreenDump:
        """A frame, the windows, the hierarchy, a frame: within one deadline, too."""
        timer = self._timer()
        look = self.phone.look(hierarchy=False, deadline=timer.left())
        xml = u2.dump(deadline=timer.left())
        after, _ = split_png(self.phone.screencap(deadline=timer.left()), self._name)
        return replace(look, xml=xml, png_after=after)

    def _seen(self, look: ScreenDump) -> _Seen:
        try:
            owned = self._owned(look)
        except DeviceError as error:
            raise DeviceFault(Cause.GARBLED, f"{self._name}: {error}") from error
        known = self._elements and not look.unlisted
        elements = tuple(o.element for o in owned) if known else None
        assert self._identity is not None
        # The shade of a served phone is no app of its own: the embedded phone draws it.
        app = look.windows.app if self._identity.served else look.windows.owner
        seen = Observation(self._picture(look.png), elements, look.keyboard, app)
        return _Seen(look, seen, owned)

    @staticmethod
    def _owned(look: ScreenDump) -> tuple[hierarchy.Owned, ...]:
        if not look.xml:
            return ()
        return hierarchy.read_owned(look.xml, png_size(look.png), look.windows.keyboard)

    def _picture(self, png: bytes) -> Picture:
        """The picture, which is unpacked when somebody needs it; a screen that stays, only once."""
        if self._last is not None and self._last.look.png == png:
            return self._last.observation.picture
        (across, down), width = png_size(png), self.config.screen_width
        if width is None or width >= across:
            return Picture(lambda: decode(png))
        return Picture(lambda: decode(png, (width, max(1, round(down * width / across)))))

    def _doubt(self, look: ScreenDump, seen: _Seen) -> DeviceFault | None:
        """Why a look cannot be trusted: a blank or a stale screenshot; None when it can."""
        elements = seen.observation.elements
        if is_blank(look.png) and any(e.text for e in elements or ()):
            return DeviceFault(Cause.BLANK, f"{self._name} shows one colour and has words on it")
        if self._last is None or look.png != self._last.look.png:
            return None
        if is_other_screen(self._last.observation.elements, elements):
            detail = f"{self._name} has other elements than before and the same picture"
            return DeviceFault(Cause.STALE, detail)
        return None

    def _pixels(self, *fractions: float) -> list[str]:
        """Fractions of the screen as pixels (x, y in turn), written without rounding."""
        sides = self._size()
        with localcontext() as context:
            # A float has 17 significant digits and a screen side at most 5: 28 lose nothing.
            context.prec = 28
            amounts = [Decimal(f) * sides[i % 2] for i, f in enumerate(fractions)]
        return [f"{amount.normalize():f}" for amount in amounts]

    def _size(self) -> tuple[int, int]:
        """As the screen is held now, as far as is known."""
        if self._last is not None:
            return png_size(self._last.look.png)
        return self.phone.held_size(deadline=self.config.deadline)

    # Typing

    def _type(self, text: str) -> None:
        deadline = self.config.deadline
        if "%s" not in text and all(" " <= character <= "~" for character in text):
            self.phone.text(text, deadline=deadline)
        elif self._has_keyboard_app():
            encoded = base64.b64encode(text.encode()).decode()
            self.phone.text_through_keyboard_app(encoded, deadline=deadline)
        else:
            # The policy's words are at fault here, and not the phone, which is well.
            raise ActionError(
                f"{self._name} can type printable ASCII only, not {text[:40]!r}: install the app "
                f"{KEYBOARD_APP} on it, and allow it as a keyboard"
            )

    def _has_keyboard_app(self) -> bool:
        """Whether the keyboard that takes any text is there; it is chosen if it is not yet."""
        deadline = self.config.deadline
        if self.phone.setting("secure", "default_input_method", deadline=deadline) == _KEYBOARD:
            return True
        if KEYBOARD_APP not in self.phone.packages(deadline=deadline):
            return False
        try:
            self.phone.choose_keyboard(_KEYBOARD, deadline=deadline)
        except DeviceFault:
            raise
        except DeviceError:
            return False  # Android answers, and does not let it be chosen
        return True

    # Who it is, and what has become of it

    def _ensure_prepared(self) -> None:
        if self._identity is None:
            self.prepare()

    def _identify(self, timer: _Deadline) -> _Identity:
        while self.phone.prop("sys.boot_completed", deadline=timer.left()) != "1":
            if not timer.wait(_BOOT_POLL_SECONDS):
                cause = Cause.OFFLINE if self._identity is None else Cause.REBOOTED
                raise DeviceFault(cause, f"{self._name} has not started in {timer.seconds:g} s")
        known = _Identity(
            serial=self.phone.prop("ro.serialno", deadline=timer.left()),
            boot=self._boot(timer.left()),
            served=self.phone.prop("ro.product.name", deadline=timer.left()) == _SERVED_PRODUCT,
        )
        if known != self._identity:
            self._wait_until_ready(timer)
        return known

    def _wait_until_ready(self, timer: _Deadline) -> None:
        """Wait until all that a look and a touch need is there, twice in a row."""
        in_a_row = 0
        while True:
            missing = self.phone.missing_for_use(deadline=timer.left())
            in_a_row = 0 if missing else in_a_row + 1
            if in_a_row == _READY_IN_A_ROW:
                return
            if missing and not timer.wait(_BOOT_POLL_SECONDS):
                detail = f"{self._name} has booted, and {missing} is still missing"
                raise DeviceFault(Cause.OFFLINE, detail)

    def _timer(self) -> _Deadline:
        return _Deadline(self._clock, self.config.deadline, self._name)

    def _boot(self, deadline: float) -> str:
        path = "/proc/sys/kernel/random/boot_id"
        return read_boot_id(self.phone.read_file(path, deadline=deadline) or b"")

    def _changed(self, serial: str) -> DeviceFault:
        assert self._identity is not None
        detail = f"{self._name} was {self._identity.serial} and is {serial}"
        return DeviceFault(Cause.CHANGED, detail)

    def _require_open(self) -> None:
        if self._closed:
            raise DeviceLost(f"{self._name} is closed")

    def _diagnosing(self) -> _Diagnosing:
        return _Diagnosing(self._diagnose)

    def _diagnose(self, fault: DeviceFault) -> DeviceFault:
        """Refine OFFLINE and ABSENT: the key may have been refused, or the phone has rebooted."""
        if fault.cause not in (Cause.OFFLINE, Cause.ABSENT) or self._identity is None:
            return fault
        end = self._clock.now() + _DIAGNOSE_SECONDS
        while self._clock.now() < end:
            try:
                state = self.phone.state(deadline=1.0)
                if state == "unauthorized":
                    return DeviceFault(Cause.UNAUTHORISED, str(fault))
                if state == "device":
                    if self._boot(1.0) != self._identity.boot:
                        return DeviceFault(Cause.REBOOTED, str(fault))
                    return fault
            except DeviceError:
                pass  # not yet
            self._clock.sleep(_POLL_SECONDS)
        return fault


@dataclass(frozen=True, slots=True)
class _Identity:
    """Who a phone said it is."""

    serial: str
    boot: str
    served: bool


@dataclass(frozen=True, slots=True)
class _Seen:
    """A look, and what was made of it."""

    look: ScreenDump
    observation: Observation
    owned: tuple[hierarchy.Owned, ...]


class _Deadline:
    """One deadline for several calls."""

    def __init__(self, clock: Clock, seconds: float, who: str) -> None:
        self.seconds = seconds
        self._clock, self._who, self._end = clock, who, clock.now() + seconds

    def left(self) -> float:
        """Seconds for the next call; DeviceFault when there are none."""
        left = self._end - self._clock.now()
        if left <= 0:
            detail = f"{self._who} was not ready within {self.seconds:g} s"
            raise DeviceFault(Cause.TIMEOUT, detail)
        return left

    def wait(self, seconds: float) -> bool:
        """Let some time pass; False when it is too late for that, and time to say what is wrong."""
        spare = self._end - self._clock.now() - _RESERVED_SHARE * self.seconds
        if spare <= 0:
            return False
        self._clock.sleep(min(seconds, spare))
        return True


_Diagnose: TypeAlias = Callable[[DeviceFault], DeviceFault]


class _Diagnosing:
    """Context manager that replaces a DeviceFault by its diagnosis."""

    def __init__(self, why: _Diagnose) -> None:
        self._diagnose = why

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DeviceFault):
            found = self._diagnose(error)
            if found is not error:
                raise found from error


def reconnect(phone: AdbPhone, timer: _Deadline) -> None:
    """Connect adb to a phone if it is not connected; DeviceFault when that fails."""
    state = phone.state(deadline=timer.left())
    if state == "device":
        return
    if phone.over_tcp:
        if state != "absent":
            # adb keeps a dead TCP connection as "offline" and refuses to connect over it.
            phone.adb.disconnect(phone.serial, deadline=timer.left())
        phone.adb.connect(phone.serial, deadline=timer.left())
        state = phone.state(deadline=timer.left())
    while state not in ("device", "unauthorized") and timer.wait(_POLL_SECONDS):
        state = phone.state(deadline=timer.left())
    if state != "device":
        causes = {"unauthorized": Cause.UNAUTHORISED, "absent": Cause.ABSENT}
        raise DeviceFault(causes.get(state, Cause.OFFLINE), f"{phone.serial} is {state}")


def is_settled(look: ScreenDump) -> bool:
    """Whether the frames before and after a look are the same, but for a few pixels."""
    if look.png == look.png_after:
        return True
    if png_size(look.png) != png_size(look.png_after):
        return False
    return screens.changed_share(decode(look.png), decode(look.png_after)) <= _SETTLED_SHARE


def is_other_screen(before: tuple[Element, ...] | None, after: tuple[Element, ...] | None) -> bool:
    """Whether less than half of the elements are still there.

    Half: a scrolled list keeps some of its rows, a new page keeps at most its frame.
    """
    if not before or not after:
        return False
    kept = len(set(before) & set(after))
    return 2 * kept < min(len(before), len(after))


def is_blank(png: bytes) -> bool:
    """Whether a picture shows a single colour; only those that pack very well are decoded."""
    width, height = png_size(png)
    if len(png) * _BLANK_RATIO > width * height * 3:
        return False
    return screens.is_blank(decode(png))


def _inside(box: tuple[float, float, float, float], x: float, y: float) -> bool:
    left, top, right, bottom = box
    return left <= x <= right and top <= y <= bottom


def stuck_app(focus: str) -> str:
    """The package that Android says does not respond; empty when there is none."""
    # A process may be named after its package and a part of it, as in `com.shop:remote`.
    found = re.search(r"Application Not Responding: ([^\s:]+)", focus)
    return found[1] if found else ""


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height, from the picture's head."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def decode(png: bytes, size: tuple[int, int] | None = None) -> Pixels:
    """The pixels of a picture, averaged down to a size; DeviceFault when there are none."""
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            colours = image.convert("RGB")
            if size is not None:
                colours = colours.resize(size, Image.Resampling.BOX)
            pixels = np.asarray(colours)
    except (OSError, ValueError, SyntaxError) as error:
        raise DeviceFault(Cause.GARBLED, f"the picture cannot be read: {error}") from error
    pixels.setflags(write=False)
    return pixels
