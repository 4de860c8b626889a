"""An embedded phone that answers Android's commands.

    line -> shell.parse -> program(words, session) -> the phone, its storage -> Result

Each `input` command is one action of the phone, and `sleep` is its wait: phone time passes by
actions alone, so a client that waits on the phone waits in phone time. All other commands look,
or change the phone as an administrator does, and no time passes.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np

from distrl import actions
from distrl.devices.phone.adbd.files import Storage
from distrl.devices.phone.adbd.injected_faults import InjectedFaults, Untidiness
from distrl.devices.phone.adbd.properties import package_of
from distrl.devices.phone.adbd.screenshot import encode_png, upscale
from distrl.devices.phone.adbd.shell import Files, Result, Session, failed, run, said
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import render
from distrl.devices.phone.state import State
from distrl.devices.phone.system import go_home
from distrl.devices.phone.ui import keyboard
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View
from distrl.errors import ConfigError, DistrlError
from distrl.types import Action, Pixels

Console: TypeAlias = Callable[[Sequence[str]], str]
"""What the command `distrl` on the phone does, given its arguments: sets tasks up, judges them."""

MAX_SCALE = 8
_TIDY = Untidiness()
BOOT_ID = "/proc/sys/kernel/random/boot_id"
_BLACK: Pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class _Tapped:
    """A tap, and the phone's states around it."""

    place: tuple[float, float]
    before: State
    after: State


class AndroidSystem:
    """One phone, whoever is connected to it. Any thread may call; commands take turns."""

    def __init__(
        self,
        device: PhoneDevice,
        *,
        serial: str,
        scale: int = 4,
        console: Console | None = None,
        untidy: Untidiness = _TIDY,
    ) -> None:
        """Serve a phone at `scale` pixels for each of its layout units, 180x400 of them.

        The scale is whole, so that every bound of an element is a whole pixel.
        """
        if not 1 <= scale <= MAX_SCALE:
            raise ConfigError(f"the scale must be from 1 to {MAX_SCALE}, got {scale}")
        self.device, self.serial, self.console = device, serial, console
        self.scale = scale
        self.width, self.height = WIDTH * scale, HEIGHT * scale
        self.storage = Storage()
        self.injected_faults = InjectedFaults()
        self.untidy = untidy
        # By the serial: which dumps fail is the same in every run.
        self._chance = Random(serial)
        self.extra_settings: dict[tuple[str, str], str] = {}
        self.lock = threading.RLock()
        self.on_reboot: Callable[[], None] = lambda: None
        self._new_boot_id()
        self._drawn: tuple[View, Pixels] | None = None
        self._packed: tuple[Pixels, bytes] | None = None
        self._tapped: _Tapped | None = None

    @property
    def state(self) -> State:
        """The phone's state."""
        return self.device.phone.state

    @state.setter
    def state(self, state: State) -> None:
        self.device.phone.state = state

    @property
    def view(self) -> View:
        """What the phone shows."""
        return self.device.phone.view

    @property
    def shown_serial(self) -> str:
        """The serial number that the phone says it has."""
        return self.injected_faults.serial or self.serial

    def run(self, line: str, session: Session | None = None) -> Result:
        """Run a line as the phone's shell does; `session` is what it keeps between lines."""
        if self.injected_faults.delay:
            time.sleep(self.injected_faults.delay)
        # No phone time passes within a line, so only taps of one line are close enough together
        # to be a double tap.
        self._tapped = None
        return self.interpret(line, Session() if session is None else session)

    def interpret(self, line: str, session: Session) -> Result:
        """The same for a line inside another, to which nothing more is added."""
        # Imported here: the programs are written in terms of this class.
        from distrl.devices.phone.adbd.programs import run_program

        storage = self.storage
        files = Files(storage.read, storage.write, lambda path: storage.inside(path) is not None)
        return run(line, lambda words, given: run_program(self, words, given), files, session)

    def act(self, action: Action) -> None:
        """Carry out one action on the phone."""
        with self.lock:
            self._tapped = None
            self.device.perform(action)

    def tap(self, x: float, y: float) -> None:
        """Touch a point; the second time in a row in one line, both are a double tap."""
        with self.lock:
            first, before = self._tapped, self.state
            if first is None or first.place != (x, y) or first.after is not before:
                self.act(actions.tap(x, y))
                self._tapped = _Tapped((x, y), before, self.state)
                return
            # Android tells an app of the second tap when it may have dealt with the first. This
            # phone has one action for both, so the first is taken back.
            self.state = first.before
            self.act(actions.double_tap(x, y))

    def press_backspace(self) -> None:
        """Delete a character, if the keyboard is shown."""
        with self.lock:
            if self.view.keyboard:
                control = Control(self.state, self.state["ui"]["app"])
                keyboard.press_key(control, keyboard.BACKSPACE, None)
                self.state = control.state

    def frame(self) -> Pixels:
        """The picture on the screen, or what a broken screen shows of it."""
        return upscale(self._shown(), self.scale)

    def screenshot(self) -> bytes:
        """The same as PNG; a screen that stays as it is, is packed once."""
        shown = self._shown()
        with self.lock:
            # By identity: `_shown` returns the same array as long as the screen does not change.
            if self._packed is None or self._packed[0] is not shown:
                self._packed = (shown, encode_png(shown, self.scale))
            return self._packed[1]

    def _shown(self) -> Pixels:
        """A pixel for each layout unit; the same array for as long as the screen stays."""
        if self.injected_faults.black:
            return _BLACK
        with self.lock:
            view = self.view
            if self._drawn is None or (
                self._drawn[0] is not view and not self.injected_faults.stale
            ):
                self._drawn = (view, render.render(view, WIDTH, HEIGHT))
            return self._drawn[1]

    def start(self, app: str) -> None:
        """Bring an app to the front."""
        with self.lock:
            control = Control(self.state, self.state["ui"]["app"])
            if app == "launcher":
                go_home(control)
            else:
                control.start(app)
            self.state = control.state

    def stop(self, app: str) -> None:
        """End an app: what it had open is gone, what it keeps is not."""
        with self.lock:
            if self.injected_faults.not_responding == package_of(app):
                self.injected_faults.not_responding = ""
            control = Control(self.state, self.state["ui"]["app"])
            if control.app == app and app != "launcher":
                go_home(control)
            if app != "launcher":
                control.end_apps(app)
            self.state = control.state

    def refuses_to_dump(self) -> str:
        """Why `uiautomator` lists nothing this time; empty when it does."""
        if self.injected_faults.null_root:
            return "null root node returned by UiTestAutomationBridge."
        moving = self.injected_faults.never_idle or self._chance.random() < self.untidy.idle_rate
        return "could not get idle state." if moving else ""

    def shows_last_anr(self) -> bool:
        """Whether windows are listed after what is kept of an old ANR."""
        return self.injected_faults.last_anr or self._chance.random() < self.untidy.anr_rate

    def reboot(self) -> None:
        """Everything that was open is closed; whoever is connected is thrown out."""
        with self.lock:
            control = Control(self.state, self.state["ui"]["app"])
            go_home(control)
            control.end_apps(*(n for n in control.state["ui"]["stacks"] if n != "launcher"))
            self.state = control.state
        # The id first: a client that reconnects at once must find the new one.
        self._new_boot_id()
        self.on_reboot()

    def _new_boot_id(self) -> None:
        self.storage.write(BOOT_ID, f"{uuid.uuid4()}\n".encode())

    def ask_console(self, arguments: Sequence[str]) -> Result:
        """Run the command that only served phones have."""
        if self.console is None:
            return failed("distrl: this phone has no tasks\n", 127)
        try:
            with self.lock:
                answer = self.console(arguments)
        except DistrlError as error:
            return failed(f"distrl: {error}\n")
        return said(f"{answer}\n")
