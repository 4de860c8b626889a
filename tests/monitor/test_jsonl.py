import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.clock import VirtualClock
from distrl.monitor.jsonl import (
    Follower,
    JsonlMonitor,
    MetricsRecord,
    last_record,
    read_records,
)

nan, inf = float("nan"), float("inf")


def write(path: Path, *rows: dict[str, float], before: float = 0.0) -> None:
    monitor = JsonlMonitor(path, VirtualClock(), before=before)
    for step, row in enumerate(rows):
        monitor.record(row, step=step)
    monitor.close()


def test_every_record_is_one_line_with_step_seconds_and_numbers(tmp_path: Path) -> None:
    path, clock = tmp_path / "deep" / "learn.jsonl", VirtualClock()
    monitor = JsonlMonitor(path, clock)
    clock.sleep(1.5)
    monitor.record({"learn/updates": 3, "learn/entropy": 0.25}, step=3)
    (line,) = path.read_text().splitlines()
    expected = {"step": 3, "seconds": 1.5, "learn/updates": 3, "learn/entropy": 0.25}
    assert json.loads(line) == expected
    monitor.close()
    monitor.close()


@pytest.mark.parametrize("strange", [nan, inf, -inf])
def test_what_is_not_finite_is_null_in_the_file_and_absent_when_read(
    tmp_path: Path, strange: float
) -> None:
    path = tmp_path / "a.jsonl"
    write(path, {"loss": strange, "fine": 1})
    row = json.loads(path.read_text(), parse_constant=lambda name: pytest.fail(name))
    assert row["loss"] is None
    assert read_records(path) == [MetricsRecord(0, 0.0, {"fine": 1.0})]


def test_numbers_of_numpy_are_written_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, {"a": np.float32(0.5), "b": np.int64(3)})  # type: ignore[dict-item]
    assert read_records(path)[0].numbers == {"a": 0.5, "b": 3.0}


@pytest.mark.parametrize("name", ["step", "seconds"])
def test_names_that_would_hide_the_step_or_the_time_are_refused(tmp_path: Path, name: str) -> None:
    monitor = JsonlMonitor(tmp_path / "a.jsonl", VirtualClock())
    with pytest.raises(ValueError, match=name):
        monitor.record({name: 1}, step=1)
    monitor.close()
    assert read_records(tmp_path / "a.jsonl") == []


def test_a_second_monitor_appends_and_goes_on_counting_seconds(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, {"a": 1})
    write(path, {"a": 2}, before=60.0)
    assert [(r.seconds, r.numbers["a"]) for r in read_records(path)] == [(0, 1), (60, 2)]


@given(cut=st.integers(min_value=0))
def test_whatever_a_kill_cuts_off_costs_at_most_that_record(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.jsonl"
    write(path, {"a": 1}, {"a": 2})
    whole = path.read_bytes()
    kept = whole[: cut % (len(whole) + 1)]
    path.write_bytes(kept)
    lines = kept.count(b"\n")
    assert len(read_records(path)) == lines
    write(path, {"a": 9})
    found = [record.numbers["a"] for record in read_records(path)]
    # A record that was whole but for its newline is whole again.
    assert found[-1] == 9.0
    assert found[:-1] in ([1.0, 2.0][:lines], [1.0, 2.0][: lines + 1])


def test_a_follower_reads_each_record_once_and_waits_for_half_a_line(tmp_path: Path) -> None:
    path = tmp_path / "learn.jsonl"
    follower = Follower(path)
    assert follower.read() == []
    line = b'{"step": 1, "seconds": 2.5, "a": 0.5}\n'
    with path.open("ab", buffering=0) as file:
        file.write(line + line[:20])
        assert follower.read() == [MetricsRecord(1, 2.5, {"a": 0.5})]
        assert follower.read() == []
        file.write(line[20:])
        assert follower.read() == [MetricsRecord(1, 2.5, {"a": 0.5})]
        assert follower.read() == []


def test_a_file_that_became_shorter_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "learn.jsonl"
    write(path, {"a": 1}, {"a": 2})
    follower = Follower(path)
    assert len(follower.read()) == 2
    path.unlink()
    write(path, {"a": 3})
    assert [record.numbers for record in follower.read()] == [{"a": 3.0}]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[1, 2]",
        b"{}",
        b'{"step": 1}',
        b'{"step": "1", "seconds": 2}',
        b'{"step": NaN, "seconds": 2}',
        b'{"step": 1, "seconds": Infinity}',
        b'{"step": 1' + b"0" * 400 + b', "seconds": 2}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_line_that_is_no_record_is_stepped_over(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.jsonl"
    good = b'{"step": 1, "seconds": 2, "a": 3, "note": "text", "b": true, "c": NaN}'
    path.write_bytes(line + b"\n" + good + b"\n")
    assert read_records(path) == [MetricsRecord(1, 2.0, {"a": 3.0})]


def test_the_last_record_is_found_at_the_end_of_a_large_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, *({"a": float(number), "padding": 1e9} for number in range(5000)))
    assert path.stat().st_size > 200_000
    assert last_record(path) == MetricsRecord(4999, 0.0, {"a": 4999.0, "padding": 1e9})


def test_half_a_line_and_other_lines_are_no_last_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, {"a": 1.0})
    with path.open("ab") as file:
        file.write(b'[1, 2]\n\n{"step": 3, "seco')
    assert last_record(path) == MetricsRecord(0, 0.0, {"a": 1.0})
    path.write_bytes(b"nothing\n")
    assert last_record(path) is None
    assert last_record(tmp_path / "nowhere.jsonl") is None
