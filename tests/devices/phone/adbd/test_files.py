from __future__ import annotations

import stat

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
