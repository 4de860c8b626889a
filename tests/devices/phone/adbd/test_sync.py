from __future__ import annotations

import stat
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.phone.adbd import sync
from distrl.devices.phone.adbd.files import Storage


class Ended(Exception):  # noqa: N818 - as the stream of the daemon does
    """The other side has gone away."""


class Wire:
    """A host that has sent all it will send; `exactly` raises where that ends."""

    def __init__(self, sent: bytes) -> None:
        self._left = sent
        self.answered = b""

    def exactly(self, count: int) -> bytes:
        if count > len(self._left):
            raise Ended
        found, self._left = self._left[:count], self._left[count:]
        return found

    def write(self, content: bytes) -> None:
        self.answered += content


def request(name: bytes, path: str) -> bytes:
    packed = path.encode("utf-8", "surrogateescape")
    return struct.pack("<4sI", name, len(packed)) + packed


def data(content: bytes) -> bytes:
    return struct.pack("<4sI", b"DATA", len(content)) + content


def done(time: int = 0) -> bytes:
    return struct.pack("<4sI", b"DONE", time)


QUIT = struct.pack("<4sI", b"QUIT", 0)


def asked(storage: Storage, *requests: bytes) -> bytes:
    """What is answered to requests that end with QUIT."""
    wire = Wire(b"".join((*requests, QUIT)))
    sync.serve(wire, storage)
    return wire.answered


def failure(answer: bytes) -> str:
    name, length = struct.unpack("<4sI", answer[:8])
    assert (name, len(answer)) == (b"FAIL", 8 + length)
    return answer[8:].decode("utf-8", "surrogateescape")


@pytest.fixture
def storage() -> Storage:
    held = Storage()
    held.write("/sdcard/a.txt", b"hello", 0o640, 77)
    return held


# STAT


def test_stat_says_mode_size_and_time(storage: Storage) -> None:
    answer = asked(storage, request(b"STAT", "/sdcard/a.txt"))
    name, mode, size, time = struct.unpack("<4sIII", answer)
    assert (name, size, time) == (b"STAT", 5, 77)
    assert (stat.S_ISREG(mode), stat.S_IMODE(mode)) == (True, 0o640)


def test_stat_of_a_folder_says_that_it_is_one(storage: Storage) -> None:
    _, mode, _, _ = struct.unpack("<4sIII", asked(storage, request(b"STAT", "/sdcard")))
    assert stat.S_ISDIR(mode)


def test_stat_of_nothing_is_all_zero(storage: Storage) -> None:
    assert asked(storage, request(b"STAT", "/none")) == b"STAT" + bytes(12)


# LIST


def entries(answer: bytes) -> Iterator[tuple[str, int, int]]:
    """Names, sizes and times of a list, to its end."""
    while True:
        name, _, size, time, length = struct.unpack("<4sIIII", answer[:20])
        if name == b"DONE":
            assert answer[4:] == bytes(16)
            return
        assert name == b"DENT"
        yield answer[20 : 20 + length].decode("utf-8", "surrogateescape"), size, time
        answer = answer[20 + length :]


def test_list_names_what_is_in_a_folder(storage: Storage) -> None:
    storage.write("/sdcard/caf\udce9", b"", 0o600, 1)
    storage.make_folder("/sdcard/inside")
    storage.write("/sdcard/inside/deep", b"not listed")
    assert list(entries(asked(storage, request(b"LIST", "/sdcard")))) == [
        ("a.txt", 5, 77),
        ("caf\udce9", 0, 1),
        ("inside", 4096, 0),
    ]


@pytest.mark.parametrize("path", ["/none", "/sdcard/a.txt", ""])
def test_list_of_what_is_no_folder_has_no_entry_but_an_end(storage: Storage, path: str) -> None:
    listed = [name for name, _, _ in entries(asked(storage, request(b"LIST", path)))]
    assert listed == ([] if path else ["data", "dev", "proc", "storage", "system"])


# RECV


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 200_000])
def test_file_is_received_in_chunks_that_adb_takes(storage: Storage, size: int) -> None:
    content = bytes(index % 251 for index in range(size))
    storage.write("/sdcard/f", content)
    answer, received = asked(storage, request(b"RECV", "/sdcard/f")), b""
    while answer[:4] == b"DATA":
        (length,) = struct.unpack("<I", answer[4:8])
        assert 0 < length <= 64 * 1024
        received += answer[8 : 8 + length]
        answer = answer[8 + length :]
    assert answer == done()
    assert received == content


def test_file_that_is_not_there_is_refused_and_the_next_request_is_answered(
    storage: Storage,
) -> None:
    missing = asked(storage, request(b"RECV", "/none"))
    assert failure(missing) == "open failed: No such file or directory: /none"
    both = asked(storage, request(b"RECV", "/none"), request(b"RECV", "/sdcard/a.txt"))
    assert both == missing + data(b"hello") + done()


# SEND


def send(path: str, *chunks: bytes, time: int = 0) -> bytes:
    return request(b"SEND", path) + b"".join(data(chunk) for chunk in chunks) + done(time)


OKAY = struct.pack("<4sI", b"OKAY", 0)


@pytest.mark.parametrize(
    ("target", "path", "mode"),
    [
        ("/sdcard/b,33188", "/sdcard/b", 0o644),
        ("/sdcard/b,33261", "/sdcard/b", 0o755),
        ("/sdcard/x,y,33188", "/sdcard/x,y", 0o644),
        ("/sdcard/b,rw", "/sdcard/b", 0o644),
        ("/sdcard/b,", "/sdcard/b", 0o644),
    ],
)
def test_target_is_a_path_and_a_mode(storage: Storage, target: str, path: str, mode: int) -> None:
    assert asked(storage, send(target, b"one", b"", b"two", time=9)) == OKAY
    entry = storage.look(path)
    assert entry is not None
    assert (storage.read(path), entry.time, stat.S_IMODE(entry.mode)) == (b"onetwo", 9, mode)


def test_file_without_content_is_made(storage: Storage) -> None:
    assert asked(storage, send("/sdcard/empty,33188")) == OKAY
    assert storage.read("/sdcard/empty") == b""


def test_file_that_there_is_no_room_for_is_refused_and_not_kept(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "_MAX_FILE_BYTES", 10)
    answer = asked(storage, send("/sdcard/large,33188", b"12345678", b"901"))
    assert failure(answer) == "no room for /sdcard/large"
    assert storage.read("/sdcard/large") is None
    # The whole of it was read all the same: the next request is understood.
    both = asked(storage, send("/sdcard/large,1", b"x" * 50), request(b"STAT", "/none"))
    assert both.endswith(b"STAT" + bytes(12))


def test_folder_is_not_written_over(storage: Storage) -> None:
    assert failure(asked(storage, send("/sdcard,33188", b"x"))) == "no room for /sdcard"


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (struct.pack("<4sI", b"WHAT", 3), "unexpected b'WHAT' of 3 bytes"),
        (struct.pack("<4sI", b"DATA", 65537), "unexpected b'DATA' of 65537 bytes"),
        (struct.pack("<4sI", b"QUIT", 0), "unexpected b'QUIT' of 0 bytes"),
    ],
)
def test_what_is_no_piece_of_a_file_is_refused(storage: Storage, piece: bytes, said: str) -> None:
    wire = Wire(request(b"SEND", "/sdcard/b,33188") + piece)
    with pytest.raises(Ended):  # after the refusal the next request is waited for
        sync.serve(wire, storage)
    assert failure(wire.answered) == said
    assert storage.read("/sdcard/b") is None


# What no host should send


def test_unknown_request_ends_the_service(storage: Storage) -> None:
    wire = Wire(request(b"STA2", "/sdcard") + request(b"STAT", "/sdcard"))
    sync.serve(wire, storage)
    assert failure(wire.answered) == "unknown request b'STA2'"


def test_path_that_is_too_long_is_not_read(storage: Storage) -> None:
    wire = Wire(struct.pack("<4sI", b"STAT", 2**31))
    sync.serve(wire, storage)
    assert failure(wire.answered) == "path too long"
    assert asked(storage, request(b"STAT", "/" + "a" * 1023)) == b"STAT" + bytes(12)


def test_host_that_goes_away_anywhere_leaves_no_half_file(storage: Storage) -> None:
    whole = send("/sdcard/new,33188", b"first", b"second")
    for end in range(len(whole)):
        with pytest.raises(Ended):
            sync.serve(Wire(whole[:end]), storage)
        assert storage.read("/sdcard/new") is None


@given(st.lists(st.binary(max_size=50), max_size=6), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_what_was_sent_is_received(chunks: list[bytes], time: int) -> None:
    storage = Storage()
    answer = asked(
        storage, send("/sdcard/f,33188", *chunks, time=time), request(b"RECV", "/sdcard/f")
    )
    content = b"".join(chunks)
    assert answer == OKAY + (data(content) if content else b"") + done()
    entry = storage.look("/sdcard/f")
    assert entry is not None
    assert (entry.size, entry.time) == (len(content), time)
