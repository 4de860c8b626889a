from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.devices import scripted_sockets as scripted
from tests.devices.scripted_sockets import OKAY, block, fail

from distrl.devices.android.adb import (
    Adb,
)
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ConfigError

DEVICE = "R58M12"


@pytest.mark.parametrize("port", [-1, 0, 65536])
def test_port_that_cannot_be_is_refused(port: int) -> None:
    with pytest.raises(ConfigError, match=f"from 1 to 65535, got {port}"):
        Adb(port=port)


def test_devices_are_listed_with_their_states(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "R58M12\tdevice\nemulator-5554\toffline\r\n\n10.0.0.7:5555\tunauthorized\nnoise\n"
    server = scripted.serve(monkeypatch, [OKAY + block(listed)])
    assert Adb().devices() == {
        "R58M12": "device",
        "emulator-5554": "offline",
        "10.0.0.7:5555": "unauthorized",
    }
    assert server.opened[0].requests == ["host:devices"]
    assert server.opened[0].closed
    scripted.serve(monkeypatch, [OKAY + block(listed)])
    assert Adb().phone(DEVICE).state() == "device"
    scripted.serve(monkeypatch, [OKAY + block("")])
    assert Adb().phone(DEVICE).state() == "absent"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("device 'R58M12' not found", Cause.ABSENT),
        ("device not found", Cause.ABSENT),
        ("no devices/emulators found", Cause.ABSENT),
        ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", Cause.UNAUTHORISED),
        ("device still authorizing", Cause.UNAUTHORISED),
        ("Device Unauthorised", Cause.UNAUTHORISED),
        ("device offline", Cause.OFFLINE),
        ("device still connecting", Cause.OFFLINE),
        ("closed", Cause.OFFLINE),
        ("more than one device/emulator", Cause.OFFLINE),
        ("words that no adb has said so far", Cause.OFFLINE),
        ("", Cause.OFFLINE),
    ],
)
def test_what_adb_says_when_it_refuses_has_a_cause(
    monkeypatch: pytest.MonkeyPatch, said: str, cause: Cause
) -> None:
    scripted.serve(monkeypatch, [fail(said)])
    with pytest.raises(DeviceFault) as caught:
        Adb().phone(DEVICE).run(["true"])
    assert caught.value.cause is cause
    assert str(caught.value) == f"{cause}: {DEVICE}: true: {said}"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("connected to 10.0.0.7:5555", None),
        ("already connected to 10.0.0.7:5555", None),
        ("failed to connect to '10.0.0.7:5555': Connection refused", Cause.ABSENT),
        ("cannot connect to 10.0.0.7:5555: No route to host (113)", Cause.ABSENT),
        ("failed to authenticate to 10.0.0.7:5555", Cause.UNAUTHORISED),
        ("unable to connect: device offline", Cause.OFFLINE),
    ],
)
def test_connect_succeeds_only_when_adb_says_so(
    monkeypatch: pytest.MonkeyPatch, said: str, cause: Cause | None
) -> None:
    server = scripted.serve(monkeypatch, [OKAY + block(said)])
    if cause is None:
        Adb().connect("10.0.0.7:5555")
    else:
        with pytest.raises(DeviceFault) as caught:
            Adb().connect("10.0.0.7:5555")
        assert caught.value.cause is cause
    assert server.opened[0].requests == ["host:connect:10.0.0.7:5555"]


def test_disconnecting_what_is_not_connected_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    server = scripted.serve(monkeypatch, [fail("no such device '10.0.0.7:5555'")])
    Adb().disconnect("10.0.0.7:5555")
    assert server.opened[0].requests == ["host:disconnect:10.0.0.7:5555"]


@pytest.mark.parametrize("call", [Adb.connect, Adb.disconnect])
@pytest.mark.parametrize("address", ["", "10.0.0.7:5555;reboot", "a b"])
def test_address_cannot_hold_a_request(
    call: Callable[[Adb, str], None], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = scripted.serve(monkeypatch, [OKAY])
    with pytest.raises(ConfigError, match="serial"):
        call(Adb(), address)
    assert server.opened == []


@pytest.mark.parametrize(
    ("answers", "cause"),
    [((OKAY, block("0029")), Cause.TIMEOUT), ((fail("no"),), Cause.SERVER), ((), Cause.SERVER)],
    ids=["the server answers", "the server refuses", "the server hangs up"],
)
def test_silence_is_the_phones_if_the_server_still_says_its_version(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[bytes, ...], cause: Cause
) -> None:
    for call in (Adb().devices, lambda: Adb().disconnect("10.0.0.7:5555")):
        server = scripted.serve(monkeypatch, [TimeoutError()], answers)
        with pytest.raises(DeviceFault, match="within 10 s") as caught:
            call()
        assert caught.value.cause is cause
        assert [one.closed for one in server.opened] == [True, True]
        assert server.opened[1].requests == ["host:version"]
        assert server.opened[1].timeouts[0] <= 2.0  # found out soon, whatever the deadline was


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(), "there is no adb server on 127.0.0.1:5037"),
        (ConnectionResetError(104, "reset by peer"), "reset by peer"),
        (OSError(24, "too many open files"), "too many open files"),
    ],
)
def test_connection_that_fails_is_the_servers_fault(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    for script in (error, [error]):
        scripted.serve(monkeypatch, script)
        with pytest.raises(DeviceFault, match=said) as caught:
            Adb().phone(DEVICE).run(["true"])
        assert caught.value.cause is Cause.SERVER


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"WHAT", "protocol fault: b'WHAT'"),
        (b"OK", "closed"),
        (b"", "closed"),
        (OKAY + b"zzzz", "protocol fault: b'zzzz'"),
        (OKAY + b"00ff" + b"too short", "closed"),
        (b"FAIL" + b"\xff\xfe\xfd\xfc", "protocol fault"),
    ],
)
def test_answer_that_is_no_answer_of_adb_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, said: str
) -> None:
    scripted.serve(monkeypatch, [answer])
    with pytest.raises(DeviceFault, match=said) as caught:
        Adb().devices()
    assert caught.value.cause is Cause.OFFLINE
