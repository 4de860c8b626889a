from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from distrl.clock import RealClock, VirtualClock
from distrl.errors import BudgetSpent, ConfigError, ServiceError
from distrl.interfaces import Clock
from distrl.services import ChatClient, CostTracker, EndpointSettings, Message, Prices
from distrl.services.retries import RetrySettings
from distrl.services.scripted_server import Fault, Request, ScriptedServer
from distrl.services.secret import Secret

KEY = "sk-do-not-tell-4711"
ASKED = (Message("system", "Be brief."), Message("user", "Which way?", pictures=(b"\x89PNG...",)))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: "left") as running:
        yield running


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_CHAT_KEY", KEY)


def make_client(
    server: ScriptedServer,
    *,
    clock: Clock | None = None,
    cost_tracker: CostTracker | None = None,
    **changes: Any,
) -> ChatClient:
    settings = EndpointSettings(
        **{
            "base_url": server.base_url,
            "model": "tiny-vlm",
            "key_env": "TEST_CHAT_KEY",
            "attempt_seconds": 20.0,
            **changes,
        }
    )
    return ChatClient(
        settings, clock=clock or VirtualClock(), cost_tracker=cost_tracker, draw=lambda: 0.5
    )


def test_text_pictures_settings_and_key_reach_the_server(server: ScriptedServer) -> None:
    answer = make_client(server, max_tokens=9, temperature=0.7).complete(ASKED)
    assert answer.text == "left"
    assert (answer.model, answer.attempts) == ("tiny-vlm", 1)
    (request,) = server.requests
    assert request.text == "Be brief.\nWhich way?"
    assert request.pictures == (b"\x89PNG...",)
    assert request.key == KEY
    assert (request.body["max_tokens"], request.body["temperature"]) == (9, 0.7)


def test_without_a_key_in_the_environment_none_is_sent(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEST_CHAT_KEY")
    make_client(server).complete(ASKED)
    assert server.requests[0].key is None


def test_log_probs_are_summed_over_the_tokens_where_they_are_asked_for(
    server: ScriptedServer,
) -> None:
    client = make_client(server)
    assert client.complete(ASKED, log_probs=True).log_prob == pytest.approx(-0.5 * len("left"))
    assert client.complete(ASKED).log_prob is None


@pytest.mark.parametrize(
    "fault", [Fault.BUSY, Fault.BROKEN, Fault.GARBAGE, Fault.TRUNCATED, Fault.EMPTY]
)
def test_what_may_go_better_is_asked_again(server: ScriptedServer, fault: Fault) -> None:
    clock = VirtualClock()
    server.misbehave(fault, fault)
    answer = make_client(server, clock=clock).complete(ASKED)
    assert (answer.text, answer.attempts) == ("left", 3)
    # Half of 0.5 s and of 1 s; or twice the two seconds that the server asked for.
    assert clock.now() == pytest.approx(4.0 if fault is Fault.BUSY else 0.75)


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.DRIP])
def test_a_server_that_does_not_finish_costs_one_attempt(
    server: ScriptedServer, fault: Fault
) -> None:
    server.misbehave(fault)
    real = RealClock()
    answer = make_client(server, attempt_seconds=0.5).complete(ASKED)
    assert (answer.text, answer.attempts) == ("left", 2)
    assert 0.5 <= real.now() < 15.0


def test_a_server_that_never_answers_is_given_up(server: ScriptedServer) -> None:
    server.misbehave(*[Fault.BROKEN] * 9)
    with pytest.raises(ServiceError, match="after 3 attempts: HTTP 500: something broke"):
        make_client(server, retries=RetrySettings(attempts=3)).complete(ASKED)
    assert len(server.requests) == 3


def test_no_call_outlasts_its_deadline(server: ScriptedServer) -> None:
    clock = VirtualClock()
    server.misbehave(*[Fault.BUSY] * 20)
    with pytest.raises(ServiceError, match="HTTP 429"):
        make_client(
            server, clock=clock, total_seconds=5.0, retries=RetrySettings(attempts=20)
        ).complete(ASKED)
    assert clock.now() <= 5.0


@pytest.mark.parametrize(("fault", "code"), [(Fault.REFUSED, 401), (Fault.MOVED, 307)])
def test_what_will_not_get_better_is_not_asked_again(
    server: ScriptedServer, fault: Fault, code: int
) -> None:
    server.misbehave(fault)
    with pytest.raises(ServiceError, match=f"after 1 attempt: HTTP {code}"):
        make_client(server).complete(ASKED)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_a_service_error(server: ScriptedServer) -> None:
    server.close()
    with pytest.raises(ServiceError, match="no answer: ConnectionRefusedError"):
        make_client(server).complete(ASKED)


def test_requests_keep_to_the_rate(server: ScriptedServer) -> None:
    clock = VirtualClock()
    client = make_client(server, clock=clock, per_minute=30.0)
    for _ in range(4):
        client.complete(ASKED)
    assert clock.now() == pytest.approx(6.0)


def test_many_threads_may_ask_at_once(server: ScriptedServer) -> None:
    client = make_client(server, clock=RealClock(), concurrency=2)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.complete(ASKED).text, range(16)))
    assert answers == ["left"] * 16


PRICES = Prices(prompt=100.0, completion=1000.0)


def test_costs_are_booked_by_what_the_server_counts(server: ScriptedServer) -> None:
    cost_tracker = CostTracker()
    answer = make_client(server, prices=PRICES, cost_tracker=cost_tracker).complete(ASKED)
    assert answer.cost == pytest.approx((10 * 100 + 4 * 1000) / 1e6)
    assert cost_tracker.spent == pytest.approx(answer.cost)


def test_the_cap_is_never_passed_and_nothing_more_is_asked(server: ScriptedServer) -> None:
    cost_tracker = CostTracker(cap=0.7)
    client = make_client(server, prices=PRICES, cost_tracker=cost_tracker, max_tokens=64)
    with pytest.raises(BudgetSpent, match=r"cap of 0\.7"):
        for _ in range(1000):
            client.complete(ASKED)
    assert 0 < cost_tracker.spent <= 0.7
    asked = len(server.requests)
    with pytest.raises(BudgetSpent):
        client.complete(ASKED)
    assert len(server.requests) == asked


def test_an_answer_that_does_not_say_what_it_cost_is_booked_at_the_most() -> None:
    with ScriptedServer(lambda request: "left", with_usage=False) as silent:
        cost_tracker = CostTracker()
        make_client(silent, prices=PRICES, cost_tracker=cost_tracker, max_tokens=64).complete(ASKED)
    assert cost_tracker.spent > PRICES.of(3000, 64)
    assert cost_tracker.gauges()["services/estimated"] == 1.0


def test_a_server_that_counts_less_than_nothing_gives_no_money_back() -> None:
    with ScriptedServer(lambda request: "left", prompt_tokens=-1_000_000) as server:
        cost_tracker = CostTracker()
        client = make_client(server, prices=PRICES, cost_tracker=cost_tracker, total_seconds=5.0)
        with pytest.raises(ServiceError, match="no chat completion"):
            client.complete(ASKED)
    assert cost_tracker.spent > 0


def test_what_the_server_refused_costs_nothing(server: ScriptedServer) -> None:
    server.misbehave(Fault.BROKEN, Fault.BUSY)
    cost_tracker = CostTracker()
    answer = make_client(server, prices=PRICES, cost_tracker=cost_tracker).complete(ASKED)
    assert cost_tracker.spent == pytest.approx(answer.cost)


def test_a_cap_without_prices_is_refused(server: ScriptedServer) -> None:
    with pytest.raises(ConfigError, match="needs the prices"):
        make_client(server, cost_tracker=CostTracker(cap=1.0))


@pytest.mark.parametrize(
    "changes",
    [
        {"base_url": "ftp://somewhere/v1"},
        {"base_url": "somewhere"},
        {"base_url": "http://[x"},
        {"model": ""},
        {"max_tokens": 0},
        {"total_seconds": -1.0},
        {"concurrency": 0},
    ],
)
def test_settings_that_cannot_work_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as told:
        EndpointSettings(**{"model": "m", **changes})
    assert "base_url" not in str(told.value)  # people name an endpoint


def _in_codes(server: ScriptedServer, asked: Request) -> bytes:
    """An answer with every character of its text as a code, which JSON allows."""
    answer = json.loads(ScriptedServer.answer(server, asked)[1])
    text = answer["choices"][0]["message"]["content"]
    answer["choices"][0]["message"]["content"] = "HERE"
    codes = "".join(f"\\u{ord(letter):04x}" for letter in text)
    return json.dumps(answer).replace("HERE", codes).encode()


class TestTheKeyIsNowhere:
    def test_not_in_errors_of_a_server_that_repeats_it(
        self, server: ScriptedServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.misbehave(Fault.REFUSED)
        with pytest.raises(ServiceError) as caught:
            make_client(server).complete(ASKED)
        assert "the key [secret] is wrong" in str(caught.value)
        assert KEY not in repr(caught.value)

    def test_not_in_answers_of_a_server_that_repeats_it(self) -> None:
        def echo(request: Request) -> str:
            return f"your key is {request.key}"

        with ScriptedServer(echo) as server:
            assert make_client(server).complete(ASKED).text == "your key is [secret]"

    @pytest.mark.parametrize("key", ["sk/with/strokes+4711", 'sk"quoted\\4711'])
    def test_not_in_answers_that_write_it_in_codes(
        self, key: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TEST_CHAT_KEY", key)
        with ScriptedServer(lambda request: f"your key is {request.key}") as server:
            monkeypatch.setattr(server, "answer", lambda asked: (200, _in_codes(server, asked)))
            assert make_client(server).complete(ASKED).text == "your key is [secret]"

    @pytest.mark.parametrize("escaped", ["{key}", "{codes}", "{strokes}"])
    def test_not_in_complaints_that_write_it_in_codes(self, escaped: str) -> None:
        key = "sk/4711"
        codes = "".join(f"\\u{ord(letter):04X}" for letter in key)
        told = escaped.format(key=key, codes=codes, strokes=key.replace("/", "\\/"))
        assert Secret(key).redact(f"the key {told} is wrong") == "the key [secret] is wrong"

    def test_not_in_the_log(self, server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
        server.misbehave(Fault.BROKEN, Fault.GARBAGE)
        with caplog.at_level(logging.DEBUG):
            make_client(server).complete(ASKED)
        assert "attempt 2 failed" in caplog.text
        assert KEY not in caplog.text

    def test_not_in_what_is_printed_or_pickled(self, server: ScriptedServer) -> None:
        client = make_client(server)
        assert KEY not in repr(client) + repr(client.settings) + repr(vars(client))
        with pytest.raises(TypeError, match="secret is not pickled"):
            pickle.dumps(client._key)

    def test_not_in_the_ledger(self, server: ScriptedServer, tmp_path: Path) -> None:
        cost_tracker = CostTracker(path=tmp_path / "costs.jsonl")
        make_client(server, cost_tracker=cost_tracker).complete(ASKED, purpose="a test")
        written = (tmp_path / "costs.jsonl").read_text()
        assert "a test" in written
        assert KEY not in written

    def test_not_in_the_complaint_about_a_key_given_as_a_name(self, server: ScriptedServer) -> None:
        with pytest.raises(ConfigError) as caught:
            make_client(server, key_env=KEY)
        assert KEY not in str(caught.value)

    def test_not_in_the_complaint_about_a_key_that_no_header_carries(
        self, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TEST_CHAT_KEY", f"{KEY}\n{KEY}")
        with pytest.raises(ConfigError) as caught:
            make_client(server)
        assert KEY not in str(caught.value)

    def test_not_in_the_complaint_about_an_address_with_a_password(self) -> None:
        with pytest.raises(ConfigError) as caught:
            EndpointSettings(base_url=f"https://me:{KEY}@example.com/v1", model="m")
        assert KEY not in str(caught.value)
