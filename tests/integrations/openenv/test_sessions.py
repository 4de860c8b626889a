from __future__ import annotations

import pytest

from distrl.integrations.openenv.protocol import Code, MessageError
from distrl.integrations.openenv.sessions import MOST_SNAPSHOTS, Sessions
from distrl.integrations.play_session import PlaySession, TaskBook

BOOK = TaskBook("starter")


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def make(limit: int = 2, idle_seconds: float = 10.0) -> tuple[Sessions, Time]:
    time = Time()
    made = Sessions(
        lambda name: PlaySession(BOOK, name=name), limit=limit, idle_seconds=idle_seconds, now=time
    )
    return made, time


def test_no_more_sessions_are_opened_than_there_may_be() -> None:
    sessions, _ = make(limit=2)
    first, _ = sessions.open(), sessions.open()
    with pytest.raises(MessageError, match="all 2 sessions are in use") as refused:
        sessions.open()
    assert refused.value.code is Code.CAPACITY_REACHED
    sessions.close(first)
    sessions.close(first)
    assert sessions.open().id != first.id
    assert sessions.count == 2


def test_idle_sessions_are_closed_unless_a_connection_or_a_message_holds_them() -> None:
    sessions, time = make(limit=4)
    _, used, attached, busy = (sessions.open() for _ in range(4))
    sessions.attach(attached.id)
    busy.busy = True
    time.now = 9.0
    sessions.find(used.id)
    time.now = 11.0
    assert sessions.close_idle() == 1
    busy.busy = False
    time.now = 20.0
    assert sessions.close_idle() == 2
    assert sessions.count == 1


@pytest.mark.parametrize("name", ["", "never", 7, None, ["x"]])
def test_a_session_that_there_is_not_is_refused(name: object) -> None:
    with pytest.raises(MessageError, match="unknown session_id"):
        make()[0].find(name)


def test_a_session_belongs_to_one_connection() -> None:
    sessions, _ = make()
    held = sessions.open()
    sessions.attach(held.id)
    with pytest.raises(MessageError, match="another connection"):
        sessions.attach(held.id)


def test_snapshots_end_with_their_session_and_the_oldest_are_forgotten() -> None:
    sessions, _ = make()
    held = sessions.open()
    held.play.reset(BOOK.drawn(0))
    saved = held.play.save()
    names = [sessions.keep(held, saved) for _ in range(MOST_SNAPSHOTS + 1)]
    with pytest.raises(MessageError, match="unknown snapshot"):
        sessions.snapshot(names[0])
    assert sessions.snapshot(names[-1]) is saved
    sessions.close(held)
    with pytest.raises(MessageError, match="unknown snapshot"):
        sessions.snapshot(names[-1])


def test_all_sessions_can_be_ended() -> None:
    sessions, _ = make()
    sessions.open()
    sessions.close_all()
    assert sessions.count == 0
