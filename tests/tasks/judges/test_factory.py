from __future__ import annotations

import threading
from importlib.util import find_spec

import pytest
from tests.tasks.judges.episodes import make_episode, play_task

from distrl.clock import VirtualClock
from distrl.errors import ConfigError
from distrl.services import ChatClient, EndpointSettings
from distrl.services.scripted_server import ScriptedServer
from distrl.tasks.judges.factory import JudgeContext, OneAtATime, make_judge
from distrl.tasks.judges.gullible_model import gullible
from distrl.types import Episode, Verdict


def no_client() -> ChatClient:
    raise AssertionError("nobody asked for a model")


def test_the_state_judge_replays_on_the_phones_that_it_is_told_of() -> None:
    judge = make_judge("state", JudgeContext(client=no_client))
    assert judge.name == "state"
    assert judge.judge(play_task("scripted")).success is True


@pytest.mark.skipif(find_spec("rapidocr") is None, reason="needs rapidocr")
def test_the_ocr_judge_reads() -> None:
    judge = make_judge("ocr", JudgeContext(client=no_client))
    assert judge.judge(make_episode(("Notes", "Buy bread"))).success is False


def test_a_vote_asks_each_of_its_judges() -> None:
    with ScriptedServer(gullible) as server:
        settings = EndpointSettings(base_url=server.base_url, model="m")
        client = ChatClient(settings, clock=VirtualClock())
        judge = make_judge("vote:state,vlm", JudgeContext(client=lambda: client))
        verdict = judge.judge(play_task("scripted"))
    assert verdict.reason == "state: success, vlm: failure"
    assert len(server.requests) == 1


def test_a_name_of_nobody_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'state'"):
        make_judge("stat", JudgeContext(client=no_client))


def test_a_judge_for_one_thread_is_asked_by_one_thread_at_a_time() -> None:
    class Counts:
        name = "counts"
        inside = most = 0

        def judge(self, episode: Episode) -> Verdict:
            self.inside += 1
            self.most = max(self.most, self.inside)
            both_are_there.wait(0.2)
            self.inside -= 1
            return Verdict(judge=self.name, success=True)

    both_are_there = threading.Event()
    counts = Counts()
    judge = OneAtATime(counts)
    threads = [threading.Thread(target=judge.judge, args=(make_episode(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert judge.name == "counts"
    assert counts.most == 1
