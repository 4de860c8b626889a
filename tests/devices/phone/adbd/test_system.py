from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.adbd.injected_faults import InjectedFaults
from distrl.devices.phone.adbd.properties import package_of
from distrl.devices.phone.adbd.shell import Session
from distrl.devices.phone.adbd.system import BOOT_ID, MAX_SCALE, AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, DeviceError


@pytest.fixture
def system() -> AndroidSystem:
    device = PhoneDevice("served", PhoneConfig(nuisance_rate=0.0))
    device.reset(0)
    return AndroidSystem(device, serial="distrl-7", scale=2)


@pytest.mark.parametrize("scale", [1, 2, MAX_SCALE])
def test_every_layout_unit_is_so_many_pixels(scale: int) -> None:
    system = AndroidSystem(PhoneDevice(), serial="x", scale=scale)
    assert (system.width, system.height) == (180 * scale, 400 * scale)
    assert system.frame().shape == (400 * scale, 180 * scale, 3)


@pytest.mark.parametrize("scale", [-1, 0, MAX_SCALE + 1])
def test_scale_beyond_its_bounds_is_refused(scale: int) -> None:
    with pytest.raises(ConfigError, match=f"from 1 to {MAX_SCALE}, got {scale}"):
        AndroidSystem(PhoneDevice(), serial="x", scale=scale)


def test_actions_and_lines_change_the_same_phone(system: AndroidSystem) -> None:
    twin = PhoneDevice("twin", PhoneConfig(nuisance_rate=0.0))
    twin.reset(0)
    twin.perform(actions.swipe(0.5, 0.8, 0.5, 0.2))
    system.run("input swipe 180 640 180 160")
    assert system.state == twin.snapshot()


# Apps


def test_app_that_is_started_is_in_front_and_one_that_is_stopped_is_gone(
    system: AndroidSystem,
) -> None:
    for app in ("clock", "notes"):
        system.start(app)
        assert system.view.app == app
    system.stop("clock")  # it lies behind the other
    assert system.view.app == "notes"
    assert "clock" not in system.state["ui"]["stacks"]
    system.stop("notes")
    assert system.view.app == "launcher"
    system.stop("launcher")
    assert system.view.app == "launcher"
    assert "launcher" in system.state["ui"]["stacks"]


def test_what_an_app_keeps_outlives_it(system: AndroidSystem) -> None:
    system.start("notes")
    before = system.state["apps"]["notes"]
    system.stop("notes")
    assert system.state["apps"]["notes"] == before


def test_stopping_the_app_that_is_stuck_takes_the_dialog_away(system: AndroidSystem) -> None:
    system.injected_faults.not_responding = package_of("clock")
    system.stop("notes")
    assert system.injected_faults.not_responding == package_of("clock")
    system.stop("clock")
    assert system.injected_faults.not_responding == ""


def test_reboot_gives_a_new_boot_id_and_throws_everybody_out(system: AndroidSystem) -> None:
    thrown: list[bytes | None] = []
    system.on_reboot = lambda: thrown.append(system.storage.read(BOOT_ID))
    before = system.storage.read(BOOT_ID)
    system.start("clock")
    system.reboot()
    after = system.storage.read(BOOT_ID)
    assert before != after
    assert thrown == [after]  # whoever asks again finds the new one
    assert list(system.state["ui"]["stacks"]) == ["launcher"]


def test_backspace_needs_a_keyboard(system: AndroidSystem) -> None:
    before = system.state
    system.press_backspace()
    assert system.state is before


# Lines


def test_session_is_kept_only_where_it_is_handed_in(system: AndroidSystem) -> None:
    session = Session()
    system.run("cd /data", session)
    assert system.run("pwd", session).stdout == b"/data\n"
    assert system.run("pwd").stdout == b"/\n"


def test_lines_write_into_the_storage(system: AndroidSystem) -> None:
    system.run("cd /sdcard; echo one > a; echo two >> a")
    assert system.storage.read("/storage/emulated/0/a") == b"one\ntwo\n"
    assert system.run("cat < /sdcard/a").stdout == b"one\ntwo\n"
    assert system.run("cd /sdcard/a").code == 2  # a file is no folder


def test_delay_comes_before_a_line_and_not_before_those_inside_it(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("distrl.devices.phone.adbd.system.time.sleep", slept.append)
    system.run("true")
    assert slept == []
    system.injected_faults.delay = 0.5
    system.run("sh -c 'sh -c true'; true")
    assert slept == [0.5]


# The console


def test_console_is_told_the_words_and_its_answer_is_printed(system: AndroidSystem) -> None:
    heard: list[Sequence[str]] = []

    def console(words: Sequence[str]) -> str:
        heard.append(words)
        return "done é"

    system.console = console
    done = system.run("distrl reset '7 8'")
    assert (done.stdout.decode(), done.code) == ("done é\n", 0)
    assert heard == [["reset", "7 8"]]


@pytest.mark.parametrize("error", [ConfigError("no such task"), DeviceError("no such screen")])
def test_error_of_the_console_is_what_the_command_says(
    system: AndroidSystem, error: Exception
) -> None:
    def console(words: Sequence[str]) -> str:
        raise error

    system.console = console
    done = system.run("distrl reset 7")
    assert (done.code, done.stderr.decode()) == (1, f"distrl: {error}\n")


def test_phone_without_a_console_says_so(system: AndroidSystem) -> None:
    done = system.run("distrl reset 7")
    assert (done.code, done.stderr) == (127, b"distrl: this phone has no tasks\n")


# Pictures and injected faults


def test_all_faults_are_off_at_first() -> None:
    faults = InjectedFaults()
    assert not any(getattr(faults, name) for name in InjectedFaults.__slots__)


def test_black_screen_is_black_only_as_long_as_it_is_asked_for(system: AndroidSystem) -> None:
    before = system.screenshot()
    system.injected_faults.black = True
    assert system.frame().max() == 0
    system.injected_faults.black = False
    assert system.screenshot() == before


def test_stale_screen_is_the_last_one_that_somebody_saw(system: AndroidSystem) -> None:
    system.injected_faults.stale = True
    home = system.screenshot()  # nobody has seen any before: this one is drawn
    system.start("clock")
    assert system.screenshot() == home
    system.injected_faults.stale = False
    assert system.screenshot() != home


def test_swapped_phone_has_another_serial_and_is_the_same_again_afterwards(
    system: AndroidSystem,
) -> None:
    system.injected_faults.serial = "other"
    assert system.shown_serial == "other"
    assert system.serial == "distrl-7"
    system.injected_faults.serial = ""
    assert system.shown_serial == "distrl-7"


def test_screen_that_changes_while_others_look_is_never_half_drawn(system: AndroidSystem) -> None:
    """Every picture is that of one of the two apps, to the pixel."""
    whole = []
    for app in ("clock", "notes"):
        system.start(app)
        whole.append(system.frame())
    wrong: list[int] = []

    def look() -> None:
        for _ in range(15):
            seen = system.frame()
            if not any(np.array_equal(seen, one) for one in whole):
                wrong.append(1)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(15):
        system.start(("clock", "notes")[turn % 2])
    for thread in threads:
        thread.join(30)
    assert wrong == []
