from __future__ import annotations

import socket
import threading
import time
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.devices import scripted_sockets as scripted
from tests.devices.scripted_sockets import OKAY, block, shell_output, shell_packet

from distrl.devices.android.adb import (
    Adb,
    CommandResult,
    connection,
)
from distrl.devices.fault_causes import Cause, DeviceFault

DEVICE = "R58M12"


@given(
    stdout=st.binary(max_size=60),
    stderr=st.binary(max_size=20),
    code=st.integers(0, 255),
    cuts=st.lists(st.integers(1, 7), min_size=1, max_size=40),
)
@settings(max_examples=60)
def test_output_is_the_same_however_its_packets_are_torn(
    stdout: bytes, stderr: bytes, code: int, cuts: list[int]
) -> None:
    middle = len(stdout) // 2
    packets = (
        shell_packet(1, stdout[:middle])
        + shell_packet(2, stderr)
        + shell_packet(9, b"from a later version")
        + shell_packet(1, stdout[middle:])
        + shell_packet(3, bytes([code]))
    )
    whole, pieces = OKAY + OKAY + packets, list[bytes]()
    while whole:
        size = cuts[len(pieces) % len(cuts)]
        pieces.append(whole[:size])
        whole = whole[size:]
    with pytest.MonkeyPatch.context() as monkeypatch:
        server = scripted.serve(monkeypatch, pieces)
        ran = Adb().phone(DEVICE).run(["cat", "a b"])
    assert ran == CommandResult(stdout, stderr, code)
    assert server.opened[0].requests == [f"host:transport:{DEVICE}", "shell,v2,raw:cat 'a b'"]


def test_each_read_waits_no_longer_than_what_is_left_of_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(monotonic=iter(range(100)).__next__)
    monkeypatch.setattr(connection, "time", clock)
    server = scripted.serve(monkeypatch, [OKAY, OKAY, shell_output(b"done")])
    assert Adb().phone(DEVICE).run(["true"], deadline=50.0).stdout == b"done"
    waits = server.opened[0].timeouts
    assert waits == sorted(waits, reverse=True)
    assert len(set(waits)) == len(waits)
    assert max(waits) < 50.0


def test_call_ends_when_its_time_is_up_though_bytes_still_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(monotonic=iter(range(0, 1000, 2)).__next__)
    monkeypatch.setattr(connection, "time", clock)
    drip = [bytes([byte]) for byte in OKAY + OKAY + shell_output(b"x" * 50)]
    scripted.serve(monkeypatch, drip, [OKAY, block("0029")])
    with pytest.raises(DeviceFault, match="within 20 s") as caught:
        Adb().phone(DEVICE).run(["true"], deadline=20.0)
    assert caught.value.cause is Cause.SERVER  # the clock of this test is too quick for it, too


def test_answer_that_drips_does_not_stretch_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as dripping:
        stop = threading.Event()

        def drip() -> None:
            taken, _ = dripping.accept()
            with taken:
                taken.recv(100)
                for byte in b"OKAY" + b"0" * 100:
                    if stop.wait(0.2):
                        return
                    try:
                        taken.send(bytes([byte]))
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            began = time.monotonic()
            with pytest.raises(DeviceFault):
                Adb(port=dripping.getsockname()[1]).devices(deadline=0.7)
            assert time.monotonic() - began < 0.7 + 5
        finally:
            stop.set()
            thread.join(5)
