from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import replace

import pytest
from tests.contracts.store import make_episode, make_task

from distrl.clock import RealClock
from distrl.collect.jobs import Job
from distrl.errors import PipelineError, StoreError
from distrl.replay.store.packing import PACKED, check_packed
from distrl.run.ray_engine.outbox import JobQueue, Outbox
from distrl.types import Outcome

DEADLINE = 20.0


def job(name: str) -> Job:
    return Job(task=make_task(), episode_id=name, seed=1)


def ids(blobs: tuple[bytes, ...]) -> list[str]:
    return [PACKED.decode(blob).summary.id for blob in blobs]


def test_jobs_are_played_in_order_and_a_repeated_one_once() -> None:
    queue = JobQueue(room=3)
    assert queue.wanted == 3
    queue.add([job("a"), job("b")])
    queue.add([job("b"), job("c")])
    assert queue.wanted == 0
    played = [queue.next() for _ in range(3)]
    assert [one.episode_id for one in played if one] == ["a", "b", "c"]
    queue.add([job("a")])
    assert queue.wanted == 3


def test_who_waits_for_a_job_is_let_go_when_the_queue_closes() -> None:
    queue = JobQueue(room=1)
    got: Future[Job | None] = Future()
    waiting = threading.Thread(target=lambda: got.set_result(queue.next()), daemon=True)
    waiting.start()
    queue.close()
    assert got.result(DEADLINE) is None


def test_episodes_are_handed_over_again_until_they_are_durable() -> None:
    outbox = Outbox(most=8)
    done = [outbox.add_later(make_episode(f"e{n}", steps=2)) for n in range(3)]
    assert RealClock().wait_until(lambda: len(outbox.ready(0, timeout=0.0)) == 3, timeout=DEADLINE)
    assert ids(outbox.ready(0, timeout=1.0)) == ["e0", "e1", "e2"]
    assert ids(outbox.ready(1, timeout=1.0)) == ["e1", "e2"]
    outbox.settle(2)
    assert [one.done() for one in done] == [True, True, False]
    assert ids(outbox.ready(2, timeout=1.0)) == ["e2"]
    outbox.settle(2)
    outbox.settle(3)
    assert done[2].result(DEADLINE) is None
    assert outbox.ready(3, timeout=0.0) == ()
    outbox.close()


def test_what_is_handed_over_is_the_episode() -> None:
    outbox = Outbox(most=1)
    episode = make_episode("e", steps=3)
    outbox.add_later(episode)
    (blob,) = outbox.ready(0, timeout=DEADLINE)
    arrived = check_packed(PACKED.decode(blob))
    assert (arrived.id, arrived.task, arrived.outcome) == ("e", episode.task, episode.outcome)
    assert [step.choice for step in arrived.steps] == [step.choice for step in episode.steps]
    outbox.close()


def test_pictures_that_the_store_has_are_not_sent_again() -> None:
    outbox = Outbox(most=4)
    outbox.add_later(make_episode("first", steps=3))
    (first,) = outbox.ready(0, timeout=DEADLINE)
    outbox.settle(1)
    outbox.add_later(make_episode("second", steps=3))
    (second,) = outbox.ready(1, timeout=DEADLINE)
    assert PACKED.decode(first).pictures
    assert not PACKED.decode(second).pictures
    assert check_packed(PACKED.decode(second)).id == "second"
    outbox.close()


def test_a_full_outbox_holds_its_collectors_back_until_there_is_room() -> None:
    outbox = Outbox(most=2)
    for name in ("a", "b"):
        outbox.add_later(make_episode(name))
    added = threading.Event()

    def add() -> None:
        outbox.add_later(make_episode("c"))
        added.set()

    waiting = threading.Thread(target=add, daemon=True)
    waiting.start()
    assert RealClock().wait_until(
        lambda: outbox.gauges()["cluster/collectors_waiting"] == 1, timeout=DEADLINE
    )
    assert outbox.gauges()["cluster/unacknowledged"] == 2
    assert not added.is_set()
    outbox.settle(1)
    assert added.wait(DEADLINE)
    assert outbox.gauges()["cluster/collectors_waiting"] == 0
    assert outbox.gauges()["cluster/waited_seconds"] > 0.0
    outbox.close()


def test_closing_lets_everybody_go() -> None:
    outbox = Outbox(most=1)
    durable = outbox.add_later(make_episode("a"))
    refused: Future[None] = Future()

    def add() -> None:
        try:
            outbox.add_later(make_episode("b"))
        except PipelineError as error:
            refused.set_exception(error)

    threading.Thread(target=add, daemon=True).start()
    assert RealClock().wait_until(
        lambda: outbox.gauges()["cluster/collectors_waiting"] == 1, timeout=DEADLINE
    )
    outbox.close()
    for future in (durable, refused):
        with pytest.raises(PipelineError, match="the host stops"):
            future.result(DEADLINE)


def test_an_episode_that_cannot_be_packed_is_an_error_and_not_a_gap() -> None:
    outbox = Outbox(most=4)
    outbox.add_later(replace(make_episode("broken"), started=float("nan")))
    with pytest.raises(StoreError, match="broken"):
        outbox.ready(0, timeout=DEADLINE)
    with pytest.raises(StoreError, match="finite"):
        outbox.check()
    outbox.close()


def test_a_line_that_contradicts_its_episode_is_refused() -> None:
    outbox = Outbox(most=1)
    outbox.add_later(replace(make_episode("e"), outcome=Outcome.FAILED))
    (blob,) = outbox.ready(0, timeout=DEADLINE)
    packed = PACKED.decode(blob)
    forged = replace(packed, summary=replace(packed.summary, outcome=Outcome.SUCCEEDED))
    with pytest.raises(StoreError, match="not what the line about it says"):
        check_packed(forged)
    outbox.close()
