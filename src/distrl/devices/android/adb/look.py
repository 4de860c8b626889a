"""One look at a device, taken apart: pictures, hierarchy, windows, keyboard, identity."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from distrl.devices.android.dumpsys import Windows, read_keyboard, read_windows
from distrl.devices.fault_causes import Cause, DeviceFault

_PNG = b"\x89PNG\r\n\x1a\n"
_BOOT_ID = re.compile(r"\s*([\w-]{1,64})\s*")
_NO_HIERARCHY = re.compile(
    r"could not get idle state|null root node|UiAutomationService \S+ already registered|Killed"
)
"""What `uiautomator dump` says of a screen that it cannot list, though the device is well."""


@dataclass(frozen=True, slots=True)
class ScreenDump:
    """Everything that one look at a device returned, as raw bytes and parsed windows."""

    png: bytes
    xml: bytes
    """Empty when it was not asked for, or `unlisted` says why there is none."""
    windows: Windows
    keyboard: bool
    serial: str
    """The device's own serial number, whatever adb calls it."""
    boot: str
    """The kernel's boot id: it changes with every reboot."""
    png_after: bytes
    """A second screenshot after the hierarchy: if both are equal, the hierarchy fits them."""
    unlisted: str = ""
    """Why a screen that is well has no hierarchy: it never came to rest, for example."""


def parse_screen_dump(
    content: bytes, stderr: bytes = b"", *, hierarchy: bool, serial: str
) -> ScreenDump:
    """Split the output of `look` into its parts; DeviceFault (garbled) when one is missing.

    A hierarchy may be missing where the device says, on either stream, that it has none to give.
    """
    png, rest = split_png(content, serial)
    xml, unlisted = b"", ""
    if hierarchy:
        xml, rest = _split_hierarchy(rest)
        if not xml:
            unlisted = _why_unlisted(rest, stderr, serial)
    # Until the next picture: some devices answer with an error where the boot id should stand.
    pattern = rb"=windows\s(.*?)=serial\s+(\S*)\s+=boot\s(.*?)(?=\x89PNG|\Z)"
    found = re.search(pattern, rest, re.DOTALL)
    if found is None:
        raise DeviceFault(Cause.GARBLED, f"{serial}: the answer ends early: {rest[-80:]!r}")
    windows = found[1].decode("utf-8", "replace")
    after, _ = split_png(rest[found.end() :], serial)
    return ScreenDump(
        png=png,
        xml=xml,
        windows=read_windows(windows),
        keyboard=read_keyboard(windows),
        serial=found[2].decode("utf-8", "replace"),
        boot=read_boot_id(found[3]),
        png_after=after,
        unlisted=unlisted,
    )


def _split_hierarchy(rest: bytes) -> tuple[bytes, bytes]:
    """The hierarchy, if it is whole, and what comes after it."""
    # The picture that follows may hold any bytes, those of a hierarchy too.
    start = rest.partition(b"=windows")[0].find(b"<?xml")
    end = rest.find(b"</hierarchy>")
    if start < 0 or end < start:
        return b"", rest
    end += len(b"</hierarchy>")
    return rest[start:end], rest[end:]


def _why_unlisted(rest: bytes, stderr: bytes, serial: str) -> str:
    """What the dumper says of a screen that cannot be listed; DeviceFault when it says nothing."""
    head = rest.partition(b"=windows")[0][:400]
    said = (head + b"\n" + stderr[:400]).decode("utf-8", "replace")
    found = _NO_HIERARCHY.search(said)
    if found is None or "<?xml" in said:
        told = " ".join(said.split())[:120]
        raise DeviceFault(Cause.GARBLED, f"{serial}: no hierarchy but {told!r}")
    return found[0]


def read_boot_id(said: bytes) -> str:
    """The kernel's boot id; empty where a device does not let it be read."""
    found = _BOOT_ID.fullmatch(said.decode("utf-8", "replace"))
    return found[1] if found else ""


def split_png(content: bytes, serial: str) -> tuple[bytes, bytes]:
    """Split bytes into a complete PNG and the rest; DeviceFault (garbled) when it is damaged.

    Chunk lengths and CRCs are checked: a screenshot that was cut off must not count as a screen.
    """
    place = len(_PNG)
    if not content.startswith(_PNG):
        raise DeviceFault(Cause.GARBLED, f"{serial}: no picture but {content[:40]!r}")
    while place + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        body, place = content[place + 4 : place + 8 + length], place + 12 + length
        if place > len(content):
            break
        if zlib.crc32(body) != int.from_bytes(content[place - 4 : place], "big"):
            raise DeviceFault(Cause.GARBLED, f"{serial}: the picture is damaged")
        if name == b"IEND":
            return content[:place], content[place:]
    raise DeviceFault(Cause.GARBLED, f"{serial}: the picture ends after {len(content)} bytes")
