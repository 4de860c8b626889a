"""Files are read back by a parser of their own, and by TensorBoard's where it is installed."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from distrl.monitor.tensorboard import TensorBoardMonitor


def checksum(data: bytes) -> bytes:
    """The masked CRC-32C of TFRecord files, computed bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def frames(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        event = data[12 : 12 + length]
        assert data[8:12] == checksum(data[:8])
        assert data[12 + length : 16 + length] == checksum(event)
        yield event
        data = data[16 + length :]


def varint(data: bytes) -> tuple[int, bytes]:
    number = shift = 0
    while True:
        byte, data = data[0], data[1:]
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, data


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Field numbers and values of a protobuf message."""
    while data:
        key, data = varint(data)
        value: Any
        match key & 7:
            case 0:
                value, data = varint(data)
            case 1:
                (value,), data = struct.unpack("<d", data[:8]), data[8:]
            case 2:
                length, data = varint(data)
                value, data = data[:length], data[length:]
            case 5:
                (value,), data = struct.unpack("<f", data[:4]), data[4:]
            case other:
                raise AssertionError(other)
        yield key >> 3, value


def scalars(folder: Path) -> list[tuple[int, dict[str, float]]]:
    (path,) = folder.iterdir()
    first, *events = frames(path)
    assert dict(fields(first))[3] == b"brain.Event:2"
    found = []
    for event in events:
        message = dict(fields(event))
        values = [dict(fields(value)) for _, value in fields(message[5])]
        found.append((message[2], {value[1].decode(): value[2] for value in values}))
    return found


def test_the_checksum_of_this_parser_is_the_masked_crc_32c() -> None:
    # CRC-32C of "123456789" is 0xE3069283; of 32 zero bytes 0x8A9136AA (RFC 3720).
    for data, crc in ((b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA)):
        masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
        assert checksum(data) == struct.pack("<I", masked)


def test_what_is_recorded_is_in_the_file_at_once(tmp_path: Path) -> None:
    monitor = TensorBoardMonitor(tmp_path / "tensorboard")
    monitor.record({"learn/entropy": 0.5, "learn/updates": 300.0}, step=300)
    monitor.record({"größe/東": -1.5}, step=2**40)
    assert scalars(tmp_path / "tensorboard") == [
        (300, {"learn/entropy": 0.5, "learn/updates": 300.0}),
        (2**40, {"größe/東": -1.5}),
    ]
    monitor.close()
    monitor.close()


def test_what_is_not_finite_is_left_out_and_what_is_huge_is_kept_in_range(tmp_path: Path) -> None:
    monitor = TensorBoardMonitor(tmp_path / "t")
    monitor.record({"a": float("nan"), "b": 1.0, "c": 1e300}, step=1)
    monitor.record({"a": float("inf")}, step=2)
    monitor.close()
    ((step, numbers),) = scalars(tmp_path / "t")
    assert step == 1
    assert numbers["b"] == 1.0
    assert numbers["c"] == pytest.approx(3.4028e38, rel=1e-4)
    assert set(numbers) == {"b", "c"}


def test_two_parts_of_a_run_write_two_files(tmp_path: Path) -> None:
    for _ in range(2):
        TensorBoardMonitor(tmp_path).close()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.filterwarnings("ignore")
def test_tensorboard_itself_reads_the_files(tmp_path: Path) -> None:
    reader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_file_loader",
        reason="TensorBoard is not installed",
    )
    monitor = TensorBoardMonitor(tmp_path)
    for step in range(3):
        monitor.record({"learn/entropy": step / 4}, step=step)
    monitor.close()
    (path,) = tmp_path.iterdir()
    events = list(reader.LegacyEventFileLoader(str(path)).Load())
    found = [(e.step, e.summary.value[0].tag, e.summary.value[0].simple_value) for e in events[1:]]
    assert found == [
        (0, "learn/entropy", 0.0),
        (1, "learn/entropy", 0.25),
        (2, "learn/entropy", 0.5),
    ]
