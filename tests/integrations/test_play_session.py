from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.envs.fakes import FakeDevice, FakeReferee

from distrl import actions
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError, TaskError
from distrl.integrations.play_session import PlaySession, TaskBook
from distrl.interfaces import WrappedEnv
from distrl.types import Outcome


@pytest.fixture(scope="module")
def book() -> TaskBook:
    return TaskBook("starter")


@pytest.fixture
def session(book: TaskBook) -> Iterator[PlaySession]:
    made = PlaySession(book)
    yield made
    made.close()


def test_a_seed_always_draws_the_same_task(book: TaskBook) -> None:
    assert book.drawn(7) == book.drawn(7)
    assert len({book.drawn(seed).id for seed in range(20)}) > 5
    assert book.drawn(1, "val").split == "val"


def test_only_tasks_of_the_suite_can_be_named(book: TaskBook) -> None:
    assert book.named("starter/val/3").id == "starter/val/3"
    for name in ("general/val/0", "/etc/passwd.yaml/train/0", "starter/val/99", ""):
        with pytest.raises(ConfigError, match="unknown task"):
            book.named(name)


def test_a_split_that_there_is_not_is_refused(book: TaskBook) -> None:
    with pytest.raises(ConfigError, match="did you mean 'train'"):
        book.drawn(0, "trian")
    with pytest.raises(ConfigError, match="has no tasks"):
        book.drawn(0, "unseen")
    with pytest.raises(ConfigError, match="has no tasks"):
        TaskBook("starter", "unseen")


def test_an_episode_ends_with_outcome_and_verdict(session: PlaySession, book: TaskBook) -> None:
    turn = session.reset(book.named("starter/val/0"))
    assert (turn.done, turn.steps_left) == (False, turn.task.step_limit)
    turn = session.step(actions.complete())
    assert turn.done
    assert turn.outcome is Outcome.FALSE_COMPLETE
    assert turn.verdict is not None and turn.verdict.success is False
    with pytest.raises(TaskError, match="has ended"):
        session.step(actions.wait())


def test_text_that_is_no_action_costs_a_step(session: PlaySession, book: TaskBook) -> None:
    before = session.reset(book.drawn(0))
    turn = session.write("dance()")
    assert turn.steps_left == before.steps_left - 1
    assert "'dance()' is no action" in turn.refused
    assert session.write("wait()").refused == ""


def test_nothing_can_be_done_before_the_first_reset(session: PlaySession) -> None:
    for call in (session.save, lambda: session.step(actions.wait())):
        with pytest.raises(TaskError, match="reset first"):
            call()


def test_a_saved_turn_is_gone_on_with_by_several_sessions(
    session: PlaySession, book: TaskBook
) -> None:
    session.reset(book.named("starter/val/1"))
    session.write("swipe(up)")
    saved = session.save()
    ahead = session.write("press(home)")
    other = PlaySession(book)
    again = other.resume(saved)
    assert again.steps_left == saved.turn.steps_left == ahead.steps_left + 1
    assert again.seen.elements == saved.turn.seen.elements
    assert other.write("press(home)").seen.elements == ahead.seen.elements
    # Neither has moved the other.
    assert session.turn is ahead
    assert session.resume(saved).seen.elements == saved.turn.seen.elements


def test_a_resumed_episode_is_judged_by_the_start_of_its_own_task(book: TaskBook) -> None:
    one, other = PlaySession(book), PlaySession(book)
    one.reset(book.named("starter/val/2"))
    other.reset(book.named("starter/val/3"))
    turn = other.resume(one.save())
    assert turn.task.id == "starter/val/2"
    assert other.step(actions.complete()).side_effects == ()


def test_what_cannot_be_saved_says_so(book: TaskBook, monkeypatch: pytest.MonkeyPatch) -> None:
    session = PlaySession(book)
    session.reset(book.drawn(0))
    monkeypatch.setattr(session, "_env", DeviceEnv(FakeDevice(), FakeReferee()))
    with pytest.raises(TaskError, match="cannot be taken out and put back"):
        session.save()
    monkeypatch.setattr(session, "_env", WrappedEnv(session._env))
    with pytest.raises(TaskError, match="cannot be taken out and put back"):
        session.save()
