from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from tests.contracts.judge import HOSTILE, JudgeContract
from tests.tasks.judges.episodes import draw_screen, make_episode, show

from distrl import actions
from distrl.clock import VirtualClock
from distrl.interfaces import Judge
from distrl.services import ChatClient, CostTracker, EndpointSettings, Message, Prices
from distrl.services.retries import RetrySettings
from distrl.services.scripted_server import Fault, Request, ScriptedServer
from distrl.tasks.judges import VlmJudge
from distrl.tasks.judges.cache import VerdictCache
from distrl.tasks.judges.evidence import Case
from distrl.tasks.judges.gullible_model import gullible
from distrl.tasks.judges.vlm import prompt_of
from distrl.types import Outcome


def answer(messages: Sequence[Message], *, success: bool) -> str:
    """What a model says that does as it was told."""
    found = re.search(r'"case": "(\w+)"', messages[0].text)
    assert found
    return json.dumps({"case": found[1], "success": success, "reason": "I looked"})


def believes_screens(messages: Sequence[Message]) -> str:
    body = {"model": "m", "messages": [{"content": message.text} for message in messages]}
    return gullible(Request(body, None))


def fails(messages: Sequence[Message]) -> str:
    raise RuntimeError("out of memory")


class TestVlmJudge(JudgeContract):
    def make_judge(self) -> Judge:
        return VlmJudge(believes_screens)

    def make_broken_judge(self) -> Judge:
        return VlmJudge(fails)


@pytest.mark.parametrize("success", [True, False])
def test_a_verdict_of_the_model_is_taken_over(success: bool) -> None:
    verdict = VlmJudge(lambda messages: answer(messages, success=success)).judge(make_episode())
    assert (verdict.success, verdict.reason) == (success, "I looked")


def test_the_model_sees_goal_screens_words_and_the_last_two_actions() -> None:
    asked: list[Message] = []

    def look(messages: Sequence[Message]) -> str:
        asked.extend(messages)
        return ""

    done = (actions.swipe(0.5, 0.7, 0.5, 0.3), actions.type_text("Oat milk"), actions.complete())
    VlmJudge(look).judge(make_episode(done=done))
    system, user = asked
    assert "Goal: Write a note called Oat milk" in user.text
    assert "Call the plumber" in user.text
    assert 'type("Oat milk")' in user.text
    assert "complete()" in user.text
    assert "swipe(" not in user.text
    assert len(user.pictures) == 2
    assert all(picture.startswith(b"\x89PNG") for picture in user.pictures)
    assert not system.pictures


@pytest.mark.parametrize("words", HOSTILE)
def test_words_of_the_device_and_of_the_agent_stand_inside_the_fence(
    words: tuple[str, ...],
) -> None:
    typed = actions.type_text("\n".join(words))
    _, user = prompt_of(Case("Do it", (typed, actions.complete()), (show(words),)), "c0de" * 4)
    before, rest = user.text.split(f"<<<{'c0de' * 4}\n")
    inside, after = rest.split(f"\n{'c0de' * 4}>>>")
    for word in words:
        assert word.splitlines()[0] in inside
        assert word not in before + after


def test_each_question_has_a_code_of_its_own() -> None:
    codes: list[str] = []

    def look(messages: Sequence[Message]) -> str:
        codes.extend(re.findall(r'"case": "(\w{16})"', messages[0].text))
        return ""

    judge = VlmJudge(look)
    judge.judge(make_episode())
    judge.judge(make_episode())
    assert len(set(codes)) == 2


def test_the_same_evidence_is_asked_about_once_and_other_evidence_again(tmp_path: Path) -> None:
    turns = count()

    def model(messages: Sequence[Message]) -> str:
        next(turns)
        return answer(messages, success=True)

    path = tmp_path / "verdicts.jsonl"
    judge = VlmJudge(model, cache=VerdictCache(path))
    first = judge.judge(make_episode())
    assert judge.judge(make_episode()) == first
    assert VlmJudge(model, cache=VerdictCache(path)).judge(make_episode()) == first
    assert next(turns) == 1
    judge.judge(make_episode(("Notes", "Something else")))
    VlmJudge(model, edition="another", cache=VerdictCache(path)).judge(make_episode())
    assert next(turns) == 4


def test_a_void_verdict_is_asked_about_again() -> None:
    answers = iter(["garbage", ""])
    judge = VlmJudge(lambda messages: next(answers))
    assert judge.judge(make_episode()).success is None
    assert judge.judge(make_episode()).success is None
    assert list(answers) == []


def test_an_agent_that_never_declared_an_end_costs_nothing() -> None:
    done = (actions.tap(0.5, 0.2), actions.wait())
    verdict = VlmJudge(fails).judge(make_episode(done=done, outcome=Outcome.STEP_LIMIT))
    assert verdict.success is False


class TestAtAnEndpoint:
    def test_costs_are_booked_and_pictures_arrive(self) -> None:
        def script(request: Request) -> str:
            return answer([Message("system", request.text)], success=True)

        with ScriptedServer(script) as server:
            settings = EndpointSettings(
                base_url=server.base_url, model="m", prices=Prices(prompt=1.0, completion=1.0)
            )
            cost_tracker = CostTracker(cap=1.0)
            client = ChatClient(settings, clock=VirtualClock(), cost_tracker=cost_tracker)
            assert VlmJudge.at(client).judge(make_episode()).success is True
            (request,) = server.requests
        assert len(request.pictures) == 2
        assert cost_tracker.spent > 0

    @pytest.mark.parametrize("fault", list(Fault))
    def test_whatever_the_server_does_wrong_is_void(self, fault: Fault) -> None:
        with ScriptedServer(lambda request: "fine") as server:
            server.misbehave(fault, fault)
            settings = EndpointSettings(
                base_url=server.base_url,
                model="m",
                attempt_seconds=0.3,
                retries=RetrySettings(attempts=2),
            )
            client = ChatClient(settings, clock=VirtualClock())
            verdict = VlmJudge.at(client).judge(make_episode())
        assert verdict.success is None
        assert verdict.reason

    def test_a_spent_budget_is_void(self) -> None:
        with ScriptedServer(lambda request: "fine") as server:
            settings = EndpointSettings(
                base_url=server.base_url, model="m", prices=Prices(prompt=1e6)
            )
            client = ChatClient(settings, clock=VirtualClock(), cost_tracker=CostTracker(cap=0.01))
            verdict = VlmJudge.at(client).judge(make_episode())
            assert server.requests == []
        assert verdict.success is None
        assert "cap" in verdict.reason


def test_screens_that_do_not_differ_are_shown_once() -> None:
    episode = make_episode(("Notes",))
    shown: list[int] = []

    def look(messages: Sequence[Message]) -> str:
        shown.append(len(messages[1].pictures))
        return ""

    VlmJudge(look).judge(episode)
    assert shown == [1]
    assert draw_screen(("Notes",)).shape == (400, 180, 3)
