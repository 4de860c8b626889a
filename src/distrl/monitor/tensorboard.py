"""TensorBoard event files, written without TensorBoard, TensorFlow or torch.

A file is a row of frames; a frame is one `Event` in protobuf's wire format:

    frame  = length (8 bytes) + checksum of it + event + checksum of it
    Event  = wall_time (1, double), step (2, varint), file_version (3, text) or summary (5)
    Summary = value (1) per number;  Value = tag (1, text), simple_value (2, float)

Look at them with `pip install tensorboard` and `tensorboard --logdir RUN/tensorboard`.
"""

from __future__ import annotations

import math
import os
import socket
import struct
import threading
import time
from collections.abc import Mapping
from pathlib import Path

_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5
"""Wire types of protobuf."""
_VERSION = b"brain.Event:2"


class TensorBoardMonitor:
    """Writes scalars that TensorBoard shows. Any thread may record."""

    def __init__(self, folder: Path) -> None:
        """Start a new file in a folder; TensorBoard shows those of a resumed run as one curve."""
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time()
        name = f"events.out.tfevents.{now:.6f}.{socket.gethostname()}.{os.getpid()}"
        self._lock = threading.Lock()
        self._file = (folder / name).open("xb", buffering=0)
        self._file.write(_frame(_double(1, now) + _bytes(3, _VERSION)))

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Write one event with all finite numbers."""
        finite = {name: float(value) for name, value in numbers.items() if math.isfinite(value)}
        if not finite:
            return
        values = (
            _bytes(1, _bytes(1, name.encode()) + _float(2, value)) for name, value in finite.items()
        )
        event = _double(1, time.time()) + _integer(2, step) + _bytes(5, b"".join(values))
        with self._lock:
            self._file.write(_frame(event))

    def close(self) -> None:
        """Give the file back; a second call does nothing."""
        self._file.close()


def _tag(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def _integer(field: int, number: int) -> bytes:
    return _tag(field, _VARINT) + _varint(number)


def _double(field: int, number: float) -> bytes:
    return _tag(field, _DOUBLE) + struct.pack("<d", number)


def _float(field: int, number: float) -> bytes:
    # A 4-byte float ends near 3.4e38; what is larger is shown as that.
    largest = 3.4028234e38
    return _tag(field, _FLOAT) + struct.pack("<f", max(-largest, min(largest, number)))


def _bytes(field: int, content: bytes) -> bytes:
    return _tag(field, _BYTES) + _varint(len(content)) + content


def _frame(event: bytes) -> bytes:
    length = struct.pack("<Q", len(event))
    return length + _checksum(length) + event + _checksum(event)


def _checksum(data: bytes) -> bytes:
    """The masked CRC-32C that TFRecord files use."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


_TABLE = _crc_table()
