from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from distrl.cli.signals import interruption_told, signals_noted, terminated_like_interrupted


@pytest.mark.timeout(20)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_before_anybody_waits_is_not_lost(number: signal.Signals) -> None:
    with signals_noted() as until_one_came:
        os.kill(os.getpid(), number)
        until_one_came()


@pytest.mark.timeout(20)
def test_nobody_goes_on_before_a_signal_has_come() -> None:
    began = time.monotonic()
    with signals_noted() as until_one_came:
        later = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM))
        later.start()
        until_one_came()
        assert time.monotonic() - began >= 0.5
        later.join(10)


def test_signals_do_what_they_did_again_afterwards() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with signals_noted():
        assert signal.getsignal(signal.SIGINT) is not before[0]
        assert signal.getsignal(signal.SIGTERM) is not before[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_sigterm_interrupts_like_ctrl_c_and_only_inside() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminated_like_interrupted():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)  # the handler runs at the next instruction, if not before
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_is_told_before_anything_is_ended(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(number)
    told_first = False
    with pytest.raises(KeyboardInterrupt), interruption_told("stopping"):
        try:
            os.kill(os.getpid(), number)
            time.sleep(5)  # the handler runs at the next instruction, if not before
        finally:
            told_first = "stopping" in capfd.readouterr().err
    assert told_first
    assert signal.getsignal(number) is before
