from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.collect.judging.test_verdicts import checked
from tests.collect.test_collector import Phone, Shelf, answering, make_parts

from distrl.clock import RealClock
from distrl.collect.collector import Acknowledged, Wait, collect
from distrl.collect.driver import drive
from distrl.collect.judging.judging_hook import Judging
from distrl.config.judges import JudgeConfig
from distrl.errors import StoreError
from distrl.types import Episode, Outcome, Verdict

DEADLINE = 60.0


class Says:
    """A judge that says the same of all."""

    name = "says"

    def __init__(self, success: bool | None) -> None:
        self._success = success
        self.asked: list[str] = []

    def judge(self, episode: Episode) -> Verdict:
        self.asked.append(episode.id)
        return Verdict(judge=self.name, success=self._success)


class Sleeps(Says):
    """A judge that says nothing until it is woken."""

    def __init__(self, success: bool | None = True) -> None:
        super().__init__(success)
        self.woken = threading.Event()

    def judge(self, episode: Episode) -> Verdict:
        self.asked.append(episode.id)
        self.woken.wait(DEADLINE)
        return Verdict(judge=self.name, success=self._success)


class Breaks(Says):
    """A judge that does not keep its promise."""

    def judge(self, episode: Episode) -> Verdict:
        raise ZeroDivisionError(episode.id)


@contextmanager
def judging(judge: Says, store: Shelf, **settings: Any) -> Iterator[Judging]:
    """Set going, and stopped at the end."""
    made = Judging(judge, store, JudgeConfig(name="state", **settings))
    with running(made):
        yield made


@contextmanager
def running(made: Judging) -> Iterator[None]:
    stopping = threading.Event()
    thread = threading.Thread(target=made.run, args=(stopping,))
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(DEADLINE)
        assert not thread.is_alive()


def an_episode(number: int = 0, outcome: Outcome = Outcome.FALSE_COMPLETE) -> Episode:
    return replace(checked(outcome), id=f"e{number}")


def wait_for(future: Future[None] | None) -> None:
    assert future is not None
    future.result(DEADLINE)


def test_an_episode_is_stored_with_the_judges_verdict_and_told_of_once() -> None:
    store, told = Shelf(), list[Episode]()
    judge = Says(True)
    made = Judging(judge, store, JudgeConfig(), acknowledged=told.append)
    with running(made):
        wait_for(made.hand_over(an_episode()))
    assert store.episodes == told
    assert [(v.judge, v.success) for v in told[0].verdicts] == [("state", False), ("says", True)]
    assert told[0].outcome is Outcome.FALSE_COMPLETE


def test_the_verdict_is_the_outcome_where_the_judge_rewards() -> None:
    store = Shelf()
    with judging(Says(True), store, rewards=True) as made:
        wait_for(made.hand_over(an_episode()))
    assert store.episodes[0].succeeded
    assert store.episodes[0].steps[-1].reward == 1.0


def test_the_last_touch_comes_after_the_verdict() -> None:
    store, seen = Shelf(), list[Outcome]()

    def finish(episode: Episode) -> Episode:
        seen.append(episode.outcome)
        return replace(episode, device="finished")

    made = Judging(Says(True), store, JudgeConfig(name="state", rewards=True), finish=finish)
    with running(made):
        wait_for(made.hand_over(an_episode()))
    assert seen == [Outcome.SUCCEEDED]
    assert store.episodes[0].device == "finished"


@pytest.mark.parametrize("judge", [Says(None), Breaks(None)])
def test_a_void_verdict_or_a_judge_that_breaks_leaves_nothing_to_learn_from(judge: Says) -> None:
    store = Shelf()
    with judging(judge, store, rewards=True) as made:
        wait_for(made.hand_over(an_episode(0, Outcome.SUCCEEDED)))
        assert made.gauges()["judge/void"] == 1
    assert not store.episodes[0].outcome.trainable
    assert store.episodes[0].verdicts[-1].success is None


def test_what_a_fault_ended_is_left_to_the_collector() -> None:
    judge = Says(True)
    with judging(judge, Shelf(), rewards=True) as made:
        assert made.hand_over(an_episode(0, Outcome.DEVICE_LOST)) is None
    assert judge.asked == []


def test_a_share_of_the_episodes_is_shown_the_same_at_every_time() -> None:
    shown = []
    for _ in range(2):
        store = Shelf()
        with judging(Says(True), store, share=0.3, concurrency=200) as made:
            taken = [made.hand_over(an_episode(number)) for number in range(400)]
            for future in taken:
                if future is not None:
                    future.result(DEADLINE)
        shown.append([future is not None for future in taken])
    assert shown[0] == shown[1]
    assert sum(shown[0]) / 400 == pytest.approx(0.3, abs=0.07)


def test_a_collector_plays_on_while_the_judge_that_looks_on_sleeps() -> None:
    store, judge = Shelf(), Sleeps()
    with judging(judge, store, concurrency=1) as made:
        parts = make_parts([Phone("p")], 20, store, judging=made)
        waits: list[Wait] = []
        answer = answering(parts, waits)

        def wake_at_the_end(wait: Wait) -> object:
            if isinstance(wait, Acknowledged):
                judge.woken.set()
                wait.future.result(DEADLINE)
                waits.append(wait)
                return None
            return answer(wait)

        drive(collect(parts, lambda: False), wake_at_the_end)
    assert len(store.episodes) == 20
    first = next(n for n, wait in enumerate(waits) if isinstance(wait, Acknowledged))
    assert all(isinstance(wait, Acknowledged) for wait in waits[first:])
    judged = [episode for episode in store.episodes if len(episode.verdicts) > 1]
    assert [e.verdicts[-1].success for e in judged] == [True] * 4
    assert made.gauges()["judge/passed_by"] == 16


def test_who_rewards_makes_collectors_wait_for_room_and_forgets_nothing() -> None:
    store, judge = Shelf(), Sleeps()
    with judging(judge, store, rewards=True, concurrency=1) as made:
        handed: list[Future[None] | None] = []

        def hand_over_all() -> None:
            for number in range(8):
                handed.append(made.hand_over(an_episode(number)))

        thread = threading.Thread(target=hand_over_all)
        thread.start()
        assert RealClock().wait_until(lambda: len(handed) == 4, timeout=DEADLINE)
        assert made.gauges()["judge/waiting"] == 4
        assert thread.is_alive()
        judge.woken.set()
        thread.join(DEADLINE)
        for future in handed:
            wait_for(future)
    assert [episode.id for episode in store.episodes] == [f"e{n}" for n in range(8)]
    assert all(episode.succeeded for episode in store.episodes)


def test_a_verdict_that_does_not_come_in_time_is_void_and_not_heard_later() -> None:
    store, judge = Shelf(), Sleeps()
    with judging(judge, store, rewards=True, concurrency=1, seconds=0.1) as made:
        wait_for(made.hand_over(an_episode()))
        judge.woken.set()
    (stored,) = store.episodes
    assert stored.verdicts[-1].success is None
    assert "none within 0.1 s" in stored.fault


def test_a_judge_that_never_comes_to_it_does_not_hold_collectors_for_ever() -> None:
    store, judge = Shelf(), Sleeps()
    made = Judging(
        judge, store, JudgeConfig(name="state", rewards=True, concurrency=1, seconds=0.05)
    )
    for number in range(6):  # nobody runs it: there is no verdict and no deadline
        made.hand_over(an_episode(number))
    assert [episode.id for episode in store.episodes] == ["e4", "e5"]
    assert {episode.outcome for episode in store.episodes} == {Outcome.TASK_ERROR}
    made.close()
    assert len(store.episodes) == 6


def test_at_the_stop_everything_is_stored_whatever_the_judge_does() -> None:
    store, judge = Shelf(), Sleeps()
    with judging(judge, store, concurrency=2) as made:
        futures = [made.hand_over(an_episode(number)) for number in range(5)]
    for future in futures:
        wait_for(future)
    assert {e.verdicts[-1].reason for e in store.episodes} == {"the run stopped before it had one"}
    assert made.hand_over(an_episode(9)) is None
    judge.woken.set()


def test_what_the_store_refuses_is_raised_where_the_episode_came_from() -> None:
    class Full(Shelf):
        def add_later(self, episode: Episode) -> Future[None]:
            raise StoreError("the disk is full")

    with judging(Says(True), Full()) as made:
        future = made.hand_over(an_episode())
        with pytest.raises(StoreError, match="the disk is full"):
            wait_for(future)


def test_a_store_that_fails_later_is_raised_by_the_collector() -> None:
    class Failing(Shelf):
        def add_later(self, episode: Episode) -> Future[None]:
            future: Future[None] = Future()
            future.set_exception(StoreError("the disk is gone"))
            return future

    store = Failing()
    with judging(Says(True), store) as made:
        parts = make_parts([Phone("p")], 1, store, judging=made)
        answer = answering(parts)

        def wait(wait: Wait) -> object:
            if isinstance(wait, Acknowledged):
                wait.future.exception(DEADLINE)
                return None
            return answer(wait)

        with pytest.raises(StoreError, match="the disk is gone"):
            drive(collect(parts, lambda: False), wait)
