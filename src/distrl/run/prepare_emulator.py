"""Prepares an AVD for runs: started as runs start it, set up, saved, and proved to load.

start the AVD itself, with the memory, cores and renderer of the settings
wait until it can be operated
set it up: no animations, always on, no keyboard in the way
save the snapshot
start a clone from it as a run does, and look at it
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from distrl.clock import RealClock
from distrl.config.devices import EmulatorsConfig
from distrl.devices.android.adb import AdbPhone, AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import Emulator, console_ports
from distrl.errors import DeviceLost
from distrl.run.builders.adb_servers import free_port

_POLL_SECONDS = 0.5
_IN_A_ROW = 2
_SETTINGS = (
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("global", "heads_up_notifications_enabled", "0"),
    ("secure", "show_ime_with_hard_keyboard", "1"),
    ("system", "screen_off_timeout", "2147483647"),
)

Say = Callable[[str], None]


def prepare_emulator(config: EmulatorsConfig, folder: Path, say: Say) -> str:
    """Prepare the AVD of these settings; the package of its home screen.

    DeviceLost when it does not start, cannot be saved or does not load.
    """
    (port,) = console_ports(1, config.first_port)
    folder.mkdir(parents=True, exist_ok=True)
    server = AdbServer(free_port(), log=folder / "adb.log")
    try:
        template = Emulator(config, adb=server.adb, port=port, folder=folder, template=True)
        try:
            say(f"starting {config.avd} ({config.memory_mb} MB, {config.cores} cores)")
            template.start()
            wait_until_ready(template.phone, config.boot_seconds)
            say("setting it up")
            home = _set_up(template.phone)
            say(f"saving the snapshot {config.snapshot}")
            template.save_snapshot()
        finally:
            template.end()
        clone = Emulator(config, adb=server.adb, port=port, folder=folder)
        try:
            say("starting a clone from it, as a run does")
            record = clone.start()
            AndroidDevice(clone.phone).observe()
            say(f"it loads: {record.seconds:.1f} s, {record.memory_mb:.0f} MB")
        finally:
            clone.end()
    finally:
        server.close()
    return home


def wait_until_ready(phone: AdbPhone, seconds: float) -> None:
    """Wait until nothing is missing twice in a row; DeviceLost with what is, when it stays so."""
    missing, in_a_row = "an answer", 0

    def ready() -> bool:
        nonlocal missing, in_a_row
        missing = phone.missing_for_use()
        in_a_row = 0 if missing else in_a_row + 1
        return in_a_row >= _IN_A_ROW

    if not RealClock().wait_until(ready, timeout=seconds, poll=_POLL_SECONDS):
        raise DeviceLost(f"{phone.serial} has booted, and {missing} is still missing")


def _set_up(phone: AdbPhone) -> str:
    for space, name, value in _SETTINGS:
        phone.put_setting(space, name, value)
    phone.key("KEYCODE_HOME")
    return phone.current_app()
