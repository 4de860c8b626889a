"""Actions that a server writes, which computes with peft what we compute ourselves."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.policies.lm.serving.writers import PeftWriter, even_llama
from tests.policies.lm.tiny import prompt_encoder, shake, situation

from distrl.clock import VirtualClock
from distrl.config.policies import LmConfig, ServedConfig
from distrl.errors import ConfigError, PipelineError, ServiceError
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.network import TextNetwork
from distrl.policies.lm.serving.served_policy import ServedPolicy
from distrl.services import EndpointSettings
from distrl.services.completions import CompletionClient
from distrl.services.retries import RetrySettings
from distrl.services.scripted_server import Fault, ScriptedServer
from distrl.types import Choice

ADAPTER = LmConfig(model="a-llama", rank=2, alpha=4.0)
KEY = "sk-do-not-tell-0815"


def free_model(temperature: float = 1.0) -> LmModel:
    """As the learner has it: adapted in all layers, free to write anything."""
    network = TextNetwork(even_llama().model, top=4, rank=2, alpha=4.0)
    model = LmModel(network, LmConfig(temperature=temperature, constrained=False))
    model.longest = 8
    shake(model)
    return model


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(writer=PeftWriter()) as running:
        yield running


class Served:
    """A served policy, with the learner that publishes to it."""

    def __init__(
        self, server: ScriptedServer, folder: Path, *, temperature: float = 1.0, **settings: Any
    ) -> None:
        self.learner = free_model(temperature)
        self.compared: list[Choice] = []
        client = CompletionClient(
            EndpointSettings(
                base_url=server.base_url,
                model="distrl",
                key_env="TEST_SERVED_KEY",
                max_tokens=8,
                temperature=temperature,
                **{"retries": RetrySettings(attempts=1), "concurrency": 1, **settings},
            ),
            clock=VirtualClock(),
        )
        self.policy = ServedPolicy(
            free_model(temperature),
            prompt_encoder(),
            client,
            config=ADAPTER.changed(served=ServedConfig(adapters=str(folder))),
            compare=self.compare,
        )

    def compare(self, choices: Sequence[Choice]) -> float:
        """Take note of what would be compared."""
        self.compared += choices
        return 0.125

    def publish(self, version: int) -> None:
        """Learn something, and hand it over."""
        shake(self.learner, seed=version)
        self.policy.load(self.learner.state_dict(), version, f"digest-{version}")

    def learned(self, choices: Sequence[Choice]) -> torch.Tensor:
        """What the learner makes of choices."""
        with torch.no_grad():
            return self.learner.evaluate(
                [unpack(choice.inputs) for choice in choices],
                [choice.decision or () for choice in choices],
            ).log_prob


@pytest.fixture
def served(server: ScriptedServer, tmp_path: Path) -> Served:
    return Served(server, tmp_path)


SITUATIONS = [situation(labels=tuple(f"Item {k}" for k in range(1 + n)), seed=n) for n in range(5)]


def asked(server: ScriptedServer) -> list[str]:
    """The last words of the routes, in order."""
    return [request.path.rsplit("/", 1)[-1] for request in server.requests]


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_every_version_is_served_and_the_learner_agrees_on_its_probabilities(
    server: ScriptedServer, tmp_path: Path, temperature: float
) -> None:
    served = Served(server, tmp_path, temperature=temperature)
    found = []
    for version in (1, 2):
        served.publish(version)
        choices = served.policy.act(SITUATIONS)
        told = torch.tensor([choice.log_prob for choice in choices])
        assert {(choice.version, choice.digest) for choice in choices} == {
            (version, f"digest-{version}")
        }
        torch.testing.assert_close(served.learned(choices), told, atol=1e-4, rtol=0)
        found.append(told)
    assert (found[0] - found[1]).abs().max() > 0.1


def test_actions_are_read_from_what_the_server_wrote(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.publish(1)
    prompt, inputs = prompt_encoder().encode(SITUATIONS[0])
    tap = next(option for option in inputs.options if "tap(1)" in prompt_encoder().decode(option))

    def write(*_: object) -> list[tuple[int, float]]:
        return [(token, -0.25) for token in tap]

    monkeypatch.setattr(PeftWriter, "write", write)
    (choice,) = served.policy.act(SITUATIONS[:1])
    assert choice.decision == tap
    assert choice.log_prob == pytest.approx(-0.25 * len(tap))
    assert choice.action.kind == "tap"
    assert prompt.elements


def test_the_server_is_asked_in_tokens_and_draws_from_all_of_them(
    served: Served, server: ScriptedServer
) -> None:
    served.publish(1)
    served.policy.act(SITUATIONS[2:3])
    body = server.requests[-1].body
    assert tuple(body["prompt"]) == prompt_encoder().encode(SITUATIONS[2])[1].tokens
    assert (body["temperature"], body["top_p"], body["top_k"]) == (1.0, 1.0, -1)
    assert (body["stop_token_ids"], body["max_tokens"]) == ([prompt_encoder().end_token], 8)
    assert body["seed"] == SITUATIONS[2].seed


def test_the_new_one_is_loaded_before_the_old_one_is_unloaded(
    served: Served, server: ScriptedServer, tmp_path: Path
) -> None:
    served.publish(1)
    (first,) = server.adapters
    served.publish(2)
    (second,) = server.adapters
    assert asked(server) == ["load_lora_adapter", "load_lora_adapter", "unload_lora_adapter"]
    assert (first[-3:], second[-3:]) == ("-v1", "-v2")
    assert [path.name for path in tmp_path.iterdir()] == [second]


def test_two_policies_never_share_a_name(server: ScriptedServer, tmp_path: Path) -> None:
    for _ in range(2):
        Served(server, tmp_path).publish(1)
    assert len(server.adapters) == 2


def test_a_version_that_the_server_refuses_leaves_the_one_before(
    served: Served, server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    served.publish(1)
    server.misbehave(Fault.REFUSED)
    served.publish(2)
    assert served.policy.version == 1
    assert served.policy.gauges()["served/refused"] == 1
    assert "did not take version 2, version 1 stays" in caplog.text
    assert {choice.version for choice in served.policy.act(SITUATIONS)} == {1}
    served.publish(3)
    assert {choice.version for choice in served.policy.act(SITUATIONS)} == {3}


def test_a_server_that_loads_no_adapters_is_a_clear_error(tmp_path: Path) -> None:
    with ScriptedServer() as plain:
        served = Served(plain, tmp_path)
        with pytest.raises(ConfigError, match="VLLM_ALLOW_RUNTIME_LORA_UPDATING=True"):
            served.publish(1)
        with pytest.raises(ConfigError, match=r"policy\.lm\.served.*--enable-lora"):
            served.policy.check_server()
    assert list(tmp_path.iterdir()) == []


def test_trying_it_out_leaves_nothing_behind(
    served: Served, server: ScriptedServer, tmp_path: Path
) -> None:
    served.policy.check_server()
    assert asked(server) == ["load_lora_adapter", "completions", "unload_lora_adapter"]
    assert server.adapters == {}
    assert list(tmp_path.iterdir()) == []


def test_an_outage_is_told_of_the_situation_that_it_hit(
    served: Served, server: ScriptedServer
) -> None:
    served.publish(1)
    server.misbehave(Fault.BROKEN)
    prepared = [served.policy.prepare(one) for one in SITUATIONS]
    decided = served.policy.decide(SITUATIONS, prepared)
    assert [isinstance(one, ServiceError) for one in decided] == [True, False, False, False, False]
    assert served.policy.gauges()["served/unanswered"] == 1
    server.misbehave(Fault.BROKEN)
    with pytest.raises(ServiceError, match="HTTP 500"):
        served.policy.act(SITUATIONS)


def test_tokens_that_the_model_does_not_have_are_no_answer(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.publish(1)
    monkeypatch.setattr(PeftWriter, "write", lambda *_: [(10**6, -0.25)])
    with pytest.raises(ServiceError, match="another model"):
        served.policy.act(SITUATIONS[:1])


def test_an_answer_is_never_compared_with_a_version_that_was_refused(
    served: Served, server: ScriptedServer
) -> None:
    served.publish(1)
    server.misbehave(Fault.REFUSED)
    served.publish(2)
    served.policy.act(SITUATIONS)
    assert served.compared == []


def test_a_server_that_was_started_again_gets_its_adapter_back(
    served: Served, server: ScriptedServer
) -> None:
    served.publish(1)
    server.adapters.clear()
    with pytest.raises(ServiceError, match="does not exist"):
        served.policy.act(SITUATIONS)
    assert {choice.version for choice in served.policy.act(SITUATIONS)} == {1}


def test_a_server_that_stays_silent_ends_the_run(served: Served, server: ScriptedServer) -> None:
    served.publish(1)
    server.close()
    for _ in range(2):
        with pytest.raises(ServiceError):
            served.policy.act(SITUATIONS[:1])
    with pytest.raises(PipelineError, match="answered nothing 3 times"):
        served.policy.act(SITUATIONS[:1])


def test_the_first_answers_of_every_version_are_compared(served: Served) -> None:
    for version in (1, 2):
        served.publish(version)
        for start in (0, 3):
            served.policy.act(SITUATIONS[start : start + 3])
    assert [choice.version for choice in served.compared] == [1] * 3 + [2] * 3
    assert served.policy.gauges()["served/largest"] == 0.125


def test_closing_takes_the_adapter_back(
    served: Served, server: ScriptedServer, tmp_path: Path
) -> None:
    served.publish(1)
    for _ in range(2):
        served.policy.close()
    assert server.adapters == {}
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_adapters_are_among_temporary_files(server: ScriptedServer) -> None:
    served = Served(server, Path("unused"))
    served.policy._config = ADAPTER
    served.publish(1)
    (folder,) = server.adapters.values()
    assert folder.is_absolute()
    assert folder.is_dir()
    served.policy.close()
    assert not folder.parent.exists()


def test_the_key_is_sent_and_shown_nowhere(
    server: ScriptedServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("TEST_SERVED_KEY", KEY)
    served = Served(server, tmp_path)
    served.publish(1)
    server.misbehave(Fault.REFUSED)
    served.publish(2)
    server.misbehave(Fault.REFUSED)
    with pytest.raises(ServiceError, match="the key") as told:
        served.policy.act(SITUATIONS[:1])
    choices = served.policy.act(SITUATIONS)
    assert {request.key for request in server.requests} == {KEY}
    assert KEY not in f"{told.value} {caplog.text} {choices}"
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*.*"))
