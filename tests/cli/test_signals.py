from __future__ import annotations

import os
import signal
import threading

import pytest

from distrl.cli.signals import signals_held, terminated_like_interrupted


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_before_anybody_waits_is_not_lost(number: signal.Signals) -> None:
    with signals_held() as until_one_comes:
        signal.pthread_kill(threading.get_ident(), number)
        assert number in signal.sigpending()
        until_one_comes()
        assert number not in signal.sigpending()


def test_signals_are_let_through_again_afterwards() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with signals_held():
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) >= {signal.SIGINT, signal.SIGTERM}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_sigterm_interrupts_like_ctrl_c_and_only_inside() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), terminated_like_interrupted():
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigtimedwait((), 5)  # the handler runs at the next instruction, if not before
    assert signal.getsignal(signal.SIGTERM) is before
