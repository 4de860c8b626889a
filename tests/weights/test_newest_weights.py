from __future__ import annotations

import threading

from tests.weights.fakes import FakeChannel

from distrl.clock import RealClock
from distrl.weights.newest_weights import NewestWeights


def test_weights_that_are_gone_before_they_are_fetched_are_left_out() -> None:
    channel = FakeChannel()
    newest = NewestWeights(channel)
    channel.named = 3
    assert not newest.look()
    channel.publish({}, 4)
    assert newest.look()
    assert not newest.look()
    taken = newest.take()
    assert taken is not None
    assert (taken.version, taken.notes) == (4, {"of": "4"})
    assert newest.take() is None


def test_a_thread_looks_for_weights_by_itself() -> None:
    channel, stopping = FakeChannel(), threading.Event()
    newest = NewestWeights(channel, poll=0.001)
    looking = threading.Thread(target=newest.run, args=(stopping,))
    looking.start()
    channel.publish({}, 1)
    assert RealClock().wait_until(lambda: newest.take() is not None, timeout=60)
    stopping.set()
    looking.join(60)


def test_each_version_is_fetched_once_with_its_notes() -> None:
    channel = FakeChannel()
    newest = NewestWeights(channel)
    for version in (1, 2):
        channel.publish({}, version)
        for _ in range(3):
            newest.look()
        taken = newest.take()
        assert taken is not None
        assert (taken.digest, taken.notes) == (f"digest-{version}", {"of": str(version)})
    assert channel.fetches == {1: 1, 2: 1}
