from __future__ import annotations

import threading

import pytest

from distrl.devices.worker_thread import WorkerThread
from distrl.errors import DeviceLost, TaskError


def test_all_work_is_done_by_the_same_thread_in_turn() -> None:
    worker = WorkerThread("worker")
    by = {worker.call(threading.get_ident, doing="asking", timeout=5) for _ in range(3)}
    assert len(by) == 1
    assert threading.get_ident() not in by
    worker.end(5)
    assert not worker._thread.is_alive()


def test_work_that_takes_too_long_is_given_up() -> None:
    worker, held = WorkerThread("worker"), threading.Event()
    with pytest.raises(DeviceLost, match=r"waiting: no answer within 0\.05 s"):
        worker.call(lambda: held.wait(5), doing="waiting", timeout=0.05)
    held.set()
    assert worker.call(lambda: 3, doing="counting", timeout=5) == 3
    worker.end(5)


def test_what_fails_says_what_was_done_and_why() -> None:
    worker = WorkerThread("worker")

    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(DeviceLost, match="looking: gone"):
        worker.call(lambda: fail(RuntimeError("gone\nand more")), doing="looking", timeout=5)
    with pytest.raises(DeviceLost, match="looking: late"):
        worker.call(lambda: fail(TimeoutError("late")), doing="looking", timeout=5)
    with pytest.raises(TaskError, match=r"^its own$"):
        worker.call(lambda: fail(TaskError("its own")), doing="looking", timeout=5)
    worker.end(5)
