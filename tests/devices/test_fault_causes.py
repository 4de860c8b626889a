from __future__ import annotations

import pytest

from distrl.devices.fault_causes import Cause, DeviceFault, cause_of, said_cause
from distrl.errors import DeviceLost


@pytest.mark.parametrize("cause", list(Cause))
def test_a_fault_whose_cause_is_known_begins_with_it(cause: Cause) -> None:
    fault = DeviceFault(cause, "phone-3: timed out, offline, no sign of life")
    assert cause_of(str(fault)) is said_cause(str(fault)) is fault.cause is cause


@pytest.mark.parametrize("fault", ["phone-3 is offline", "error: device offline", ""])
def test_a_cause_that_can_only_be_guessed_was_not_said(fault: str) -> None:
    assert said_cause(fault) is None


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("phone-3 did not answer within 120 s", Cause.TIMEOUT),
        ("adb: timed out after 5 s", Cause.TIMEOUT),
        ("timeout", Cause.TIMEOUT),
        ("error: device offline", Cause.OFFLINE),
        ("device 'emulator-5554' not found", Cause.ABSENT),
        ("device unauthorized. Check the dialog on your device", Cause.UNAUTHORISED),
        ("emulator-5554 is unauthorised", Cause.UNAUTHORISED),
        ("phone-3 died", Cause.CRASHED),
        ("the page crashed", Cause.CRASHED),
        ("the device rebooted", Cause.REBOOTED),
        ("truncated PNG of 1200 bytes", Cause.GARBLED),
        ("phone-3 shows an empty picture", Cause.GARBLED),
        ("phone-3 has a black screen", Cause.BLANK),
        ("no sign of life within 600 s", Cause.ABANDONED),
        ("smoke", Cause.OTHER),
        ("", Cause.OTHER),
    ],
)
def test_the_words_of_other_faults_tell_their_cause(fault: str, cause: Cause) -> None:
    assert cause_of(fault) is cause


# Words as adb, browsers and operating systems write them


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("error: device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
         Cause.UNAUTHORISED),
        ("failed to authenticate to 10.0.0.7:5555: wrong key", Cause.UNAUTHORISED),
        ("error: no devices/emulators found", Cause.ABSENT),
        ("cannot open /dev/bus/usb/001/004: No such device", Cause.ABSENT),
        ("executable adb not found", Cause.ABSENT),
        ("10.0.0.7:5555 disconnected", Cause.OFFLINE),
        ("connect to 10.0.0.7 port 5555: Network is unreachable", Cause.OFFLINE),
        ("a black frame was captured", Cause.BLANK),
        ("cannot identify PNG file", Cause.GARBLED),
        ("screenshot has 0 bytes", Cause.GARBLED),
        ("emulator-5554 has restarted", Cause.REBOOTED),
        ("Target page, context or browser has been closed", Cause.CRASHED),
        ("Page crashed!", Cause.CRASHED),
        ("[Errno 104] Connection reset by peer", Cause.CRASHED),
        ("[Errno 32] Broken pipe", Cause.CRASHED),
        ("process was killed by signal 9", Cause.CRASHED),
        ("net::ERR_TIMED_OUT at http://shop.test/", Cause.TIMEOUT),
        ("Timeout 30000ms exceeded.", Cause.TIMEOUT),
        ("TimeoutError", Cause.TIMEOUT),
        ("the deadline of 10 s has passed", Cause.TIMEOUT),
        ("the phone hung", Cause.TIMEOUT),
        ("nothing came within 2.5 s", Cause.TIMEOUT),
        ("UiAutomation not connected", Cause.OTHER),
        ("disk full", Cause.OTHER),
    ],
)  # fmt: skip
def test_the_table_of_words_that_others_write(fault: str, cause: Cause) -> None:
    assert cause_of(fault) is cause
    assert cause_of(fault.upper()) is cause


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        # Of several signs, the one that says most about the device counts.
        ("device offline: unauthorized", Cause.UNAUTHORISED),
        ("device not found: it died", Cause.ABSENT),
        ("phone died: no answer within 5 s", Cause.CRASHED),
        ("no sign of life within 600 s", Cause.ABANDONED),
        ("black screen in the screenshot", Cause.BLANK),
    ],
)
def test_of_several_signs_the_surest_counts(fault: str, cause: Cause) -> None:
    assert cause_of(fault) is cause


@pytest.mark.parametrize("cause", list(Cause))
def test_a_cause_is_said_only_as_the_first_word(cause: Cause) -> None:
    assert said_cause(f"{cause}: phone-3") is cause
    assert said_cause(f"{cause}") is cause
    for other in (f"phone-3: {cause}: x", f" {cause}: x", f"{cause.upper()}: x", f"{cause}s: x"):
        assert said_cause(other) is None


@pytest.mark.parametrize("cause", list(Cause))
def test_a_fault_is_a_lost_device_with_its_words(cause: Cause) -> None:
    fault = DeviceFault(cause, "phone-3: a: b")
    assert isinstance(fault, DeviceLost)
    assert str(fault) == f"{cause.value}: phone-3: a: b"
