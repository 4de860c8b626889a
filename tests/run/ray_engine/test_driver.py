from __future__ import annotations

import signal
import threading

import pytest

pytest.importorskip("ray")

import ray

from distrl.run.ray_engine import driver
from distrl.run.ray_engine.driver import finishes_within, leave_cluster


def test_a_call_that_hangs_keeps_nobody() -> None:
    assert finishes_within(10.0, lambda: None)
    hanging = threading.Event()
    assert not finishes_within(0.05, hanging.wait)
    hanging.set()


def test_a_cluster_that_does_not_answer_is_left_in_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hanging = threading.Event()
    monkeypatch.setattr(ray, "shutdown", hanging.wait)
    monkeypatch.setattr(driver, "RAY_SECONDS", 0.05)
    leave_cluster()
    hanging.set()
    assert "does not answer" in caplog.text


def test_signal_handlers_that_ray_replaces_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with driver._signal_handlers_kept():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    assert signal.getsignal(signal.SIGTERM) is before
