from __future__ import annotations

import stat
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.phone.adbd import files
from distrl.devices.phone.adbd.files import Storage


def test_what_was_written_is_read() -> None:
    storage = Storage()
    assert storage.read("/sdcard/a/b.txt") is None
    assert storage.write("/sdcard/a/b.txt", b"hello", 0o600, 7)
    assert storage.read("/storage/emulated/0/a/../a/b.txt") == b"hello"
    entry = storage.look("/sdcard/a/b.txt")
    assert entry is not None
    assert (entry.name, entry.size, entry.time) == ("b.txt", 5, 7)
    assert stat.S_ISREG(entry.mode)


def test_folders_list_what_is_in_them() -> None:
    storage = Storage()
    storage.write("/sdcard/x/1", b"")
    storage.make_folder("/sdcard/x/y")
    inside = storage.inside("/sdcard/x")
    assert inside is not None
    assert [(e.name, stat.S_ISDIR(e.mode)) for e in inside] == [("1", False), ("y", True)]
    assert storage.inside("/nowhere") is None
    assert {e.name for e in storage.inside("/") or ()} == {
        "data",
        "dev",
        "proc",
        "storage",
        "system",
    }


def test_removed_is_gone() -> None:
    storage = Storage()
    storage.write("/sdcard/x/1", b"")
    assert not storage.remove("/sdcard/x")
    assert storage.remove("/sdcard/x", deep=True)
    assert storage.look("/sdcard/x/1") is None
    assert not storage.remove("/sdcard/x/1")
    assert not storage.remove("/sdcard", deep=True)


def test_there_is_an_end_to_it() -> None:
    storage = Storage()
    assert not storage.write("/sdcard/large", bytes(65 * 2**20))
    assert not storage.write("/sdcard", b"a folder")


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("/sdcard/f", "/storage/emulated/0/f"),
        ("sdcard/f", "/sdcard/f"),
        ("//sdcard//f", "/sdcard/f"),
        ("/sdcard/./x/../f", "/sdcard/f"),
        ("/../../sdcard/f", "/sdcard/f"),
        ("/sdcard/f/", "/sdcard/f"),
    ],
)
def test_a_file_has_one_place_under_all_its_names(path: str, same: str) -> None:
    storage = Storage()
    assert storage.write(path, b"here")
    assert storage.read(same) == b"here"
    assert storage.remove(same)
    assert storage.read(path) is None


def test_only_the_link_itself_is_a_link() -> None:
    storage = Storage()
    storage.write("/sdcardx/f", b"")
    assert storage.look("/storage/emulated/0x/f") is None
    assert [e.name for e in storage.inside("/sdcardx") or ()] == ["f"]


def test_writing_again_replaces_the_file_and_its_date() -> None:
    storage = Storage()
    storage.write("/sdcard/f", b"old", 0o600, 1)
    storage.write("/sdcard/f", b"newer", 0o644, 2)
    entry = storage.look("/sdcard/f")
    assert entry is not None
    assert (entry.size, entry.time, stat.S_IMODE(entry.mode)) == (5, 2, 0o644)


def test_bits_beyond_the_permissions_are_not_kept() -> None:
    storage = Storage()
    storage.write("/sdcard/f", b"", 0o104755)
    entry = storage.look("/sdcard/f")
    assert entry is not None
    assert entry.mode == stat.S_IFREG | 0o755
    assert not entry.is_folder


def test_room_is_that_of_all_files_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MAX_BYTES", 10)
    storage = Storage()
    assert storage.write("/sdcard/a", b"123456")
    assert not storage.write("/sdcard/b", b"12345")
    assert storage.write("/sdcard/b", b"1234")
    assert storage.write("/sdcard/a", b"654321")  # its own old content makes room
    assert storage.remove("/sdcard/b")
    assert storage.write("/sdcard/a", b"1234567890")


def test_number_of_files_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MAX_FILES", 3)
    storage = Storage()
    assert [storage.write(f"/sdcard/{n}", b"") for n in range(5)] == [True] * 3 + [False] * 2
    assert storage.read("/sdcard/3") is None


def test_folders_that_every_phone_has_stay() -> None:
    storage = Storage()
    storage.write("/data/local/tmp/f", b"")
    for folder in ("/", "/data", "/data/local/tmp", "/sdcard"):
        assert not storage.remove(folder, deep=True)
        assert storage.inside(folder) is not None
    assert storage.read("/data/local/tmp/f") == b""


def test_neighbours_with_the_same_beginning_stay() -> None:
    storage = Storage()
    for path in ("/sdcard/a/f", "/sdcard/ab/f"):
        storage.write(path, b"x")
    assert storage.remove("/sdcard/a", deep=True)
    assert storage.read("/sdcard/ab/f") == b"x"


def test_many_threads_lose_nothing() -> None:
    storage = Storage()

    def work(number: int) -> None:
        for turn in range(25):
            storage.write(f"/sdcard/{number}/{turn}", b"x" * number)
            storage.inside("/sdcard")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [len(storage.inside(f"/sdcard/{n}") or ()) for n in range(6)] == [25] * 6


NAMES = st.text(st.sampled_from("ab./é"), min_size=1, max_size=8)


@given(st.lists(st.tuples(NAMES, st.binary(max_size=4)), max_size=8))
@settings(max_examples=80)
def test_every_file_is_listed_in_its_folder(written: list[tuple[str, bytes]]) -> None:
    storage = Storage()
    kept = {path: content for path, content in written if storage.write(path, content)}
    for path in kept:
        entry = storage.look(path)
        if entry is not None and not entry.is_folder:
            inside = storage.inside(f"{path}/..") or ()
            assert entry in inside
