from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.envs.fakes import make_observation

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.takeover import HUMAN, Takeover
from distrl.types import Action, Choice, Situation

DEADLINE = 60.0
SITUATION = Situation(goal="Save it", observation=make_observation(), history=(), steps_left=3)


def express(situation: Situation, action: Action) -> tuple[tuple[int, ...], bytes]:
    return (len(action.text), 0, 0), situation.goal.encode()


def make(patience: float = DEADLINE) -> Takeover:
    return Takeover(express, lambda: 7, patience=patience)


@contextmanager
def deciding(takeover: Takeover) -> Iterator[list[Choice | None]]:
    """Asks for a choice in another thread; what comes of it is there at the end."""
    answers: list[Choice | None] = []
    thread = threading.Thread(target=lambda: answers.append(takeover.choose("phone-0", SITUATION)))
    thread.start()
    waits = RealClock().wait_until(lambda: takeover.states() == {"phone-0": True}, timeout=DEADLINE)
    assert waits
    yield answers
    thread.join(DEADLINE)
    assert not thread.is_alive()


def test_a_device_that_nobody_took_is_the_policys() -> None:
    takeover = make()
    takeover.take("phone-1")
    assert takeover.choose("phone-0", SITUATION) is None
    assert not takeover.act("phone-0", actions.wait())


def test_a_persons_step_is_stored_as_such_and_in_the_policys_terms() -> None:
    takeover = make()
    takeover.take("phone-0")
    with deciding(takeover) as answers:
        assert takeover.act("phone-0", actions.type_text("Ada"))
    assert answers == [
        Choice(
            action=actions.type_text("Ada"),
            decision=(3, 0, 0),
            log_prob=None,
            version=7,
            digest=HUMAN,
            inputs=b"Save it",
        )
    ]
    assert takeover.states() == {"phone-0": False}


def test_actions_are_carried_out_in_order() -> None:
    takeover = make()
    takeover.take("phone-0")
    for action in (actions.wait(), actions.complete()):
        takeover.act("phone-0", action)
    done = [takeover.choose("phone-0", SITUATION) for _ in range(2)]
    assert [c.action if c else None for c in done] == [actions.wait(), actions.complete()]


def test_a_device_that_is_given_back_goes_on_at_once() -> None:
    takeover = make()
    takeover.take("phone-0")
    with deciding(takeover) as answers:
        takeover.give("phone-0")
    assert answers == [None]


def test_a_person_who_left_does_not_hold_the_device() -> None:
    takeover = make(patience=0.01)
    takeover.take("phone-0")
    assert takeover.choose("phone-0", SITUATION) is None
    assert takeover.states() == {}


def test_closing_ends_every_wait_and_takes_nothing_more() -> None:
    takeover = make()
    takeover.take("phone-0")
    with deciding(takeover) as answers:
        takeover.close()
    assert answers == [None]
    takeover.take("phone-0")
    assert takeover.choose("phone-0", SITUATION) is None


def test_only_so_many_actions_wait_for_a_slow_device() -> None:
    takeover = Takeover(express, lambda: 7, most_pending=2)
    takeover.take("phone-0")
    taken = [takeover.act("phone-0", actions.wait()) for _ in range(3)]
    assert taken == [True, True, False]
    assert takeover.pending("phone-0") == 2
    assert takeover.pending("phone-1") == 0
    assert takeover.choose("phone-0", SITUATION) is not None
    assert takeover.act("phone-0", actions.wait())
