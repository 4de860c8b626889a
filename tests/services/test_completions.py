from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from distrl.clock import VirtualClock
from distrl.errors import ServiceError
from distrl.services import EndpointSettings
from distrl.services.completions import Completion, CompletionClient
from distrl.services.retries import RetrySettings
from distrl.services.scripted_server import Fault, Request, ScriptedServer


class Counting:
    """Writes the numbers after the prompt's last one."""

    def write(self, asked: Mapping[str, Any], adapter: Path) -> Sequence[tuple[int, float]]:
        """Three of them, ever less likely."""
        del adapter
        return [(asked["prompt"][-1] + k, -0.5 * k) for k in (1, 2, 3)]


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    (tmp_path / "adapter_config.json").write_text("{}", "utf-8")
    return tmp_path


@pytest.fixture
def server(adapter: Path) -> Iterator[ScriptedServer]:
    with ScriptedServer(writer=Counting()) as running:
        running.adapters["a-v1"] = adapter
        yield running


def make_client(server: ScriptedServer, **changes: Any) -> CompletionClient:
    settings = EndpointSettings(
        **{
            "base_url": server.base_url,
            "model": "a",
            "key_env": "TEST_COMPLETIONS_KEY",
            "attempt_seconds": 20.0,
            **changes,
        }
    )
    return CompletionClient(settings, clock=VirtualClock(), draw=lambda: 0.5)


def write(client: CompletionClient, seed: int = 7) -> Completion:
    return client.generate("a-v1", (3, 4), end=2, seed=seed)


def test_tokens_go_in_and_come_out_with_their_probabilities(server: ScriptedServer) -> None:
    written = write(make_client(server, max_tokens=9, temperature=0.7))
    assert written == Completion((5, 6, 7), (-0.5, -1.0, -1.5))
    (request,) = server.requests
    assert request.path == "/v1/completions"
    body = request.body
    assert (body["model"], body["prompt"], body["stop_token_ids"]) == ("a-v1", [3, 4], [2])
    assert (body["max_tokens"], body["temperature"], body["seed"]) == (9, 0.7, 7)


def test_nothing_that_a_server_would_draw_differently_is_left_to_it(
    server: ScriptedServer,
) -> None:
    write(make_client(server))
    body = server.requests[0].body
    neutral = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    assert neutral.items() <= body.items()
    assert (body["presence_penalty"], body["frequency_penalty"]) == (0.0, 0.0)
    assert body["ignore_eos"] is True


def test_a_seed_is_no_larger_than_servers_take(server: ScriptedServer) -> None:
    write(make_client(server), seed=(2**70) + 5)
    assert server.requests[0].body["seed"] == 5


@pytest.mark.parametrize(
    "fault", [Fault.BUSY, Fault.BROKEN, Fault.GARBAGE, Fault.TRUNCATED, Fault.EMPTY]
)
def test_what_may_go_better_is_tried_again(server: ScriptedServer, fault: Fault) -> None:
    server.misbehave(fault)
    assert write(make_client(server)).tokens == (5, 6, 7)
    assert len(server.requests) == 2


def test_a_refusal_is_not_tried_again(server: ScriptedServer) -> None:
    server.misbehave(Fault.REFUSED)
    with pytest.raises(ServiceError, match="after 1 attempt: HTTP 401"):
        write(make_client(server))


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.DRIP])
def test_no_answer_is_waited_for_without_end(server: ScriptedServer, fault: Fault) -> None:
    server.misbehave(fault)
    with pytest.raises(ServiceError, match="no answer that can be used after 1 attempt"):
        write(make_client(server, attempt_seconds=0.2, retries=RetrySettings(attempts=1)))


def test_retries_end_when_the_time_is_up(server: ScriptedServer) -> None:
    server.misbehave(*[Fault.BUSY] * 50)
    client = make_client(server, total_seconds=7.0, retries=RetrySettings(attempts=50))
    with pytest.raises(ServiceError, match="HTTP 429"):
        write(client)
    assert len(server.requests) == 4  # told to wait for two seconds each time


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, "no log-probabilities"),
        ({"tokens": [], "token_logprobs": []}, "no log-probabilities"),
        ({"tokens": ["token_id:1"], "token_logprobs": [None]}, "without a log-probability"),
        ({"tokens": ["token_id:1"], "token_logprobs": []}, "without a log-probability"),
        ({"tokens": [" tap"], "token_logprobs": [-0.5]}, "by their text"),
        ({"tokens": ["7"], "token_logprobs": [-0.5]}, "by their text"),
        ({"tokens": "token_id:1", "token_logprobs": [-0.5]}, "no completion"),
    ],
)
def test_an_answer_that_does_not_say_all_is_none(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, found: object, told: str
) -> None:
    def answer(_: Request) -> tuple[int, bytes]:
        return 200, json.dumps({"choices": [{"text": "x", "logprobs": found}]}).encode()

    monkeypatch.setattr(server, "answer", answer)
    with pytest.raises(ServiceError, match=told):
        write(make_client(server))


def test_adapters_are_loaded_and_unloaded_by_name(server: ScriptedServer, adapter: Path) -> None:
    client = make_client(server)
    client.load_adapter("a-v2", adapter)
    assert server.adapters == {"a-v1": adapter, "a-v2": adapter}
    assert server.requests[0].path == "/v1/load_lora_adapter"
    assert server.requests[0].body == {"lora_name": "a-v2", "lora_path": str(adapter)}
    client.unload_adapter("a-v1")
    assert server.adapters == {"a-v2": adapter}
    with pytest.raises(ServiceError, match="does not exist"):
        write(client)


def test_an_adapter_that_is_loaded_already_is_loaded(server: ScriptedServer, adapter: Path) -> None:
    make_client(server).load_adapter("a-v1", adapter)
    assert len(server.requests) == 1


def test_an_adapter_that_is_not_there_is_refused(server: ScriptedServer) -> None:
    with pytest.raises(ServiceError, match="there is no adapter in /nowhere"):
        make_client(server).load_adapter("a-v2", Path("/nowhere"))
    with pytest.raises(ServiceError, match="no such adapter"):
        make_client(server).unload_adapter("a-v2")


def test_a_server_that_loads_no_adapters_is_told_how_to(adapter: Path) -> None:
    with (
        ScriptedServer() as plain,
        pytest.raises(ServiceError, match="VLLM_ALLOW_RUNTIME_LORA_UPDATING=True"),
    ):
        make_client(plain).load_adapter("a-v1", adapter)


def test_a_key_that_the_server_repeats_is_hidden(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_COMPLETIONS_KEY", "sk-do-not-tell-4712")
    server.misbehave(Fault.REFUSED)
    with pytest.raises(ServiceError, match=r"the key \[secret\] is wrong"):
        write(make_client(server))
    assert server.requests[0].key == "sk-do-not-tell-4712"
