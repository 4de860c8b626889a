from __future__ import annotations

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.devices.adb_tools import served

from distrl.devices.android.adb import (
    look,
    parse_screen_dump,
    split_png,
)
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.daemon import AdbDaemon

PNG = look._PNG + b"".join(
    len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big")
    for name, body in ((b"IHDR", bytes(13)), (b"IDAT", b"<?xml </hierarchy> =boot"), (b"IEND", b""))
)
XML = '<?xml version=\'1.0\'?><hierarchy rotation="0"><node text="é"/></hierarchy>'.encode()


def dumped(
    *, windows: bytes = b"", keyboard: bytes = b"mInputShown=false", after: bytes = PNG
) -> bytes:
    """What a phone prints that is looked at once."""
    tail = b"\n=serial\nR58M12\n=boot\n8a-4f\n"
    return (
        PNG + b"UI hierchary dumped to: /data/x\n" + XML + b"=windows\n" + windows + keyboard + tail
    ) + after


def _png(daemon: AdbDaemon) -> bytes:
    return daemon.system.run("screencap -p").stdout


def test_picture_is_cut_out_of_what_follows() -> None:
    with served(scale=1) as daemon:
        png = _png(daemon)
    assert split_png(png + b"<?xml", "x") == (png, b"<?xml")
    for broken in (
        png[:-1],
        png[: len(png) // 2],
        b"",
        b"error: closed",
        png[:60] + b"x" + png[61:],
    ):
        with pytest.raises(DeviceFault) as caught:
            split_png(broken, "x")
        assert caught.value.cause is Cause.GARBLED


def test_answer_without_a_part_is_garbled() -> None:
    with served(scale=1) as daemon:
        png = _png(daemon)
    for rest in (b"ERROR: the dumper is gone.\n", b"<?xml?><hierarchy></hierarchy>=windows"):
        with pytest.raises(DeviceFault, match="garbled"):
            parse_screen_dump(png + rest, hierarchy=True, serial="x")


def test_a_look_is_taken_apart_into_what_was_printed() -> None:
    windows = b"  mCurrentFocus=Window{a1 u0 com.shop/.Main}\n"
    found = parse_screen_dump(dumped(windows=windows), hierarchy=True, serial="x")
    assert (found.png, found.png_after, found.xml) == (PNG, PNG, XML)
    assert (found.serial, found.boot, found.keyboard) == ("R58M12", "8a-4f", False)
    assert (found.windows.app, found.windows.focus) == ("com.shop", "com.shop/.Main")


def test_keyboard_is_shown_when_the_input_method_says_so() -> None:
    found = parse_screen_dump(dumped(keyboard=b"mInputShown=true"), hierarchy=True, serial="x")
    assert found.keyboard


def test_phone_whose_serial_and_boot_id_cannot_be_read_is_still_looked_at() -> None:
    content = PNG + b"=windows\n=serial\n\n=boot\n\n" + PNG
    found = parse_screen_dump(content, hierarchy=False, serial="x")
    assert (found.xml, found.serial, found.boot) == (b"", "", "")


def test_error_in_the_place_of_the_boot_id_is_no_boot_id() -> None:
    denied = b"cat: /proc/sys/kernel/random/boot_id: Permission denied\n"
    content = PNG + b"=windows\n=serial\nR58M12\n=boot\n" + denied + PNG
    found = parse_screen_dump(content, hierarchy=False, serial="x")
    assert (found.serial, found.boot, found.png_after) == ("R58M12", "", PNG)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"ERROR: could not get idle state.\n", "could not get idle state"),
        (b"ERROR: null root node returned by UiTestAutomationBridge.\n", "null root node"),
        (b"Killed \n", "Killed"),
    ],
)
@pytest.mark.parametrize("on_stdout", [True, False])
def test_screen_that_cannot_be_listed_keeps_its_picture(
    said: bytes, why: str, on_stdout: bool
) -> None:
    rest = b"=windows\nmInputShown=false\n=serial\nR58M12\n=boot\n8a-4f\n" + PNG
    content = PNG + (said if on_stdout else b"") + rest
    stderr = b"" if on_stdout else said
    found = parse_screen_dump(content, stderr, hierarchy=True, serial="x")
    assert (found.png, found.xml, found.unlisted, found.boot) == (PNG, b"", why, "8a-4f")


def test_windows_that_are_no_text_are_read_as_far_as_they_are() -> None:
    windows = b"\xff\xfe mCurrentFocus=Window{a1 u0 com.shop/.Main}\n"
    found = parse_screen_dump(dumped(windows=windows), hierarchy=True, serial="x")
    assert found.windows.app == "com.shop"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[Warning] Multiple displays were found\n" + PNG, "no picture but b'.Warning"),
        (b"/system/bin/sh: screencap: not found\n", "no picture but"),
        (PNG + b"ERROR: null root node returned by UiTestAutomationBridge.\n", "ends early"),
        (PNG + b"ERROR: out of memory\n=windows\n", "no hierarchy but 'ERROR: out of memory"),
        (PNG + b"</hierarchy> <?xml", "no hierarchy but"),
        (dumped(after=b""), "no picture but"),
        (dumped(after=PNG[:-5]), "the picture ends after"),
        (dumped(after=PNG[:20] + b"?" + PNG[21:]), "the picture is damaged"),
        (dumped().replace(b"=boot\n", b"=root\n"), "the answer ends early"),
    ],
)
def test_a_look_without_a_part_says_which_is_missing(content: bytes, said: str) -> None:
    with pytest.raises(DeviceFault, match=said) as caught:
        parse_screen_dump(content, hierarchy=True, serial="x")
    assert caught.value.cause is Cause.GARBLED


def test_a_look_that_is_cut_off_anywhere_is_garbled_and_nothing_else() -> None:
    whole = dumped()
    for end in range(len(whole)):
        with pytest.raises(DeviceFault) as caught:
            parse_screen_dump(whole[:end], hierarchy=True, serial="x")
        assert caught.value.cause is Cause.GARBLED


@given(st.integers(0, len(dumped()) - 1), st.integers(1, 255))
@settings(max_examples=150)
def test_a_look_with_a_wrong_byte_is_read_or_garbled(place: int, flipped: int) -> None:
    content = bytearray(dumped())
    content[place] ^= flipped
    try:
        found = parse_screen_dump(bytes(content), hierarchy=True, serial="x")
    except DeviceFault as fault:
        assert fault.cause is Cause.GARBLED
    else:
        assert found.png == found.png_after == PNG  # a damaged picture is never let through


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_whatever_follows_a_picture_is_handed_back(rest: bytes) -> None:
    assert split_png(PNG + rest, "x") == (PNG, rest)


def test_picture_that_claims_more_than_it_has_ends_early() -> None:
    claims = look._PNG + (2**31).to_bytes(4, "big") + b"IDAT" + bytes(40)
    with pytest.raises(DeviceFault, match="ends after 56 bytes"):
        split_png(claims, "x")
