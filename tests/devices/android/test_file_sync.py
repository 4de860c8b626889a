from __future__ import annotations

import struct

import pytest

from distrl.devices.android import file_sync
from distrl.errors import DeviceError


class Scripted:
    """A connection whose answers are written beforehand."""

    def __init__(self, answers: bytes) -> None:
        self.answers, self.asked, self.sent = answers, "", b""

    def ask(self, request: str) -> None:
        self.asked = request

    def read(self, count: int) -> bytes:
        found, self.answers = self.answers[:count], self.answers[count:]
        return found

    def send(self, content: bytes) -> None:
        self.sent += content


def said(name: bytes, content: bytes = b"") -> bytes:
    return struct.pack("<4sI", name, len(content)) + content


def test_a_file_is_sent_in_pieces_that_the_protocol_allows() -> None:
    line = Scripted(said(b"OKAY"))
    file_sync.push(line, b"x" * (64 * 1024 + 1), "/sdcard/ä")
    assert line.asked == "sync:"
    path = "/sdcard/ä,420".encode()
    pieces = said(b"DATA", b"x" * 64 * 1024) + said(b"DATA", b"x")
    assert line.sent == said(b"SEND", path) + pieces + struct.pack("<4sI", b"DONE", 0)


def test_a_file_comes_in_pieces() -> None:
    line = Scripted(said(b"DATA", b"ab") + said(b"DATA", b"c") + said(b"DONE"))
    assert file_sync.pull(line, "/sdcard/a") == b"abc"
    assert line.sent == said(b"RECV", b"/sdcard/a")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (said(b"FAIL", b"Permission denied"), "Permission denied"),
        (said(b"WHAT"), "it answered b'WHAT'"),
        (struct.pack("<4sI", b"FAIL", 2**31), "it answered b'FAIL'"),
    ],
)
def test_a_refusal_is_told_with_its_reason(answer: bytes, why: str) -> None:
    with pytest.raises(DeviceError, match=f"push to /a: {why}"):
        file_sync.push(Scripted(answer), b"", "/a")
    with pytest.raises(DeviceError, match=f"pull of /a: {why}"):
        file_sync.pull(Scripted(answer), "/a")


def test_a_piece_that_is_too_long_is_no_file() -> None:
    with pytest.raises(DeviceError, match="it answered b'DATA'"):
        file_sync.pull(Scripted(struct.pack("<4sI", b"DATA", 2**20)), "/a")


def test_a_file_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_sync, "_MAX_FILE_BYTES", 3)
    with pytest.raises(DeviceError, match="it has more than 3 bytes"):
        file_sync.pull(Scripted(said(b"DATA", b"abcd")), "/a")


def test_a_path_that_is_too_long_is_not_sent() -> None:
    line = Scripted(b"")
    with pytest.raises(DeviceError, match="a path has at most 1024 bytes"):
        file_sync.pull(line, "/" + "a" * 1024)
    assert line.sent == b""
