from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.evaluation.evaluate import evaluate_policy, select_tasks
from distrl.errors import ServiceError
from distrl.interfaces import Policy
from distrl.policies.api import ApiPolicy
from distrl.policies.text_actions import INVALID
from distrl.services import ChatClient, EndpointSettings
from distrl.services.retries import RetrySettings
from distrl.services.scripted_server import Fault, Request, ScriptedServer
from distrl.types import Element, Kind, Observation, Picture, Situation


@contextmanager
def serving(script: Callable[[Request], str]) -> Iterator[tuple[ScriptedServer, ChatClient]]:
    with ScriptedServer(script) as server:
        settings = EndpointSettings(
            base_url=server.base_url, model="m", retries=RetrySettings(attempts=2)
        )
        yield server, ChatClient(settings, clock=VirtualClock())


def situation(goal: str = "Save it") -> Situation:
    elements = (Element("button", "Save", bounds=(0.0, 0.0, 0.2, 0.1)),)
    picture = Picture(np.zeros((8, 4, 3), np.uint8))
    return Situation(
        goal=goal,
        observation=Observation(picture, elements, keyboard=False, app="notes"),
        history=(),
        steps_left=3,
    )


def test_the_model_is_asked_and_its_action_taken() -> None:
    with serving(lambda request: "tap(1)") as (server, client):
        policy = ApiPolicy(client)
        assert isinstance(policy, Policy)
        (choice,) = policy.act([situation()])
    assert choice.action == actions.tap(0.1, 0.05)
    assert choice.log_prob is None
    assert "Goal: Save it" in server.requests[0].text
    assert '1 button "Save"' in server.requests[0].text
    assert server.requests[0].pictures == ()


def test_the_model_is_told_only_of_what_its_device_can_do() -> None:
    kinds = frozenset({Kind.TAP, Kind.COMPLETE})
    with serving(lambda request: "tap(1)") as (server, client):
        ApiPolicy(client, kinds=kinds).act([situation()])
        ApiPolicy(client).act([situation()])
    assert "swipe" not in server.requests[0].text
    assert "tap(N): touch" in server.requests[0].text
    assert "swipe" in server.requests[1].text


def test_screens_and_log_probs_where_they_are_wanted() -> None:
    with serving(lambda request: "wait()") as (server, client):
        (choice,) = ApiPolicy(client, pictures=True, log_probs=True).act([situation()])
    assert server.requests[0].pictures[0].startswith(b"\x89PNG")
    assert choice.log_prob == pytest.approx(-0.5 * len("wait()"))


def test_each_situation_gets_its_own_answer() -> None:
    def script(request: Request) -> str:
        return "complete()" if "Goal: 3" in request.text else "wait()"

    with serving(script) as (_, client):
        choices = ApiPolicy(client).act([situation(str(number)) for number in range(6)])
    assert [choice.action for choice in choices] == [
        actions.complete() if number == 3 else actions.wait() for number in range(6)
    ]


def test_what_cannot_be_read_is_an_invalid_action() -> None:
    with serving(lambda request: "Sure! I would tap the button.") as (_, client):
        (choice,) = ApiPolicy(client, log_probs=True).act([situation()])
    assert choice.action == INVALID
    assert choice.log_prob is None


def test_an_outage_is_no_step() -> None:
    with serving(lambda request: "wait()") as (server, client):
        server.misbehave(Fault.BROKEN, Fault.BROKEN)
        with pytest.raises(ServiceError, match="HTTP 500"):
            ApiPolicy(client).act([situation()])


def test_it_can_be_evaluated_also_when_it_talks_nonsense() -> None:
    answers = iter(["what?", "complete()"] * 8)
    with serving(lambda request: next(answers)) as (_, client):
        report = evaluate_policy(ApiPolicy(client), select_tasks("general", "val", tasks=2))
    assert report.overall.episodes == 2
    assert report.overall.faults == 0
