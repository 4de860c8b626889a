from __future__ import annotations

import pytest

from distrl.devices.fault_causes import Cause, DeviceFault, cause_of, said_cause


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
