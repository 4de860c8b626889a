from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from distrl.config.run import AlertsConfig
from distrl.errors import ConfigError
from distrl.monitor.alerts import ALERTS, AlertMonitor, Signs, check, raised

WELL = Signs(
    success={"general": 0.6},
    best={"general": 0.65},
    entropy=(0.5,) * 10,
    disputed=0.05,
    judge_apart=-0.1,
    lost=0,
    free_gb=100.0,
)


def names(signs: Signs, **rules: Any) -> list[str]:
    return [alert.name for alert in check(AlertsConfig(**rules), signs)]


def ill(**changes: Any) -> Signs:
    values = {name: getattr(WELL, name) for name in Signs.__slots__}
    return Signs(**{**values, **changes})


CASES = [
    (ill(success={"general": 0.4}), "success/general", "success_falls"),
    (ill(entropy=(0.01,) * 10), "entropy", "entropy_below"),
    (ill(disputed=0.5), "judges", "judges_disagree"),
    (ill(judge_apart=0.11), "judge_apart", "judge_apart"),
    (ill(judge_apart=-0.11), "judge_apart", "judge_apart"),
    (ill(lost=1), "devices", "devices_lost"),
    (ill(free_gb=0.2), "disk", "disk_below_gb"),
]


def test_a_healthy_run_raises_nothing() -> None:
    assert names(WELL) == []


@pytest.mark.parametrize(("signs", "name", "rule"), CASES)
def test_each_illness_is_told_by_its_own_rule_unless_it_is_off(
    signs: Signs, name: str, rule: str
) -> None:
    assert names(signs) == [name]
    assert names(signs, **{rule: None}) == []


def test_a_few_values_are_no_collapse_yet() -> None:
    assert names(ill(entropy=(0.0,) * 3)) == []


@pytest.mark.parametrize(
    ("success", "alarming"),
    [
        ({"general": 1.0}, False),
        ({"general": 0.9}, False),
        ({"general": 0.89}, True),
        ({"general": 1.0, "shopping": 0.4}, True),
        ({}, False),
    ],
)
def test_an_entropy_near_zero_alarms_only_while_there_is_something_left_to_find(
    success: dict[str, float], *, alarming: bool
) -> None:
    signs = ill(entropy=(0.0,) * 10, success=success, best=success)
    assert names(signs) == (["entropy"] if alarming else [])


def test_a_collapse_is_told_with_the_success_it_stopped_at(tmp_path: Path, told: list[str]) -> None:
    monitor = make(tmp_path, told)
    for update in range(10):
        monitor.record({"learn/entropy": 0.001}, step=update)
    assert told == []
    monitor.record({"collect/success/general": 0.5}, step=200)
    assert len(told) == 1
    assert "0.001 nats at a success of 0.50" in told[0]
    monitor.record({"collect/success/general": 0.97}, step=900)
    assert told[1].startswith("over: ")


@pytest.fixture
def told() -> list[str]:
    return []


def make(folder: Path, told: list[str], **rules: Any) -> AlertMonitor:
    return AlertMonitor(folder, AlertsConfig(disk_below_gb=None, **rules), tell=told.append)


def test_an_alert_is_told_once_when_it_begins_and_once_when_it_ends(
    tmp_path: Path, told: list[str]
) -> None:
    monitor = make(tmp_path, told)
    for lost in (0, 1, 1, 1):
        monitor.record({"fleet/retired": lost}, step=10)
    assert told == ["alert: Devices are lost. 1 are out of use."]
    assert [alert.name for alert in raised(tmp_path)] == ["devices"]
    monitor.record({"fleet/retired": 0}, step=11)
    assert len(told) == 2
    assert told[1].startswith("over: ")
    assert raised(tmp_path) == []


def test_a_judge_that_parts_from_the_state_is_told_with_the_points(
    tmp_path: Path, told: list[str]
) -> None:
    monitor = make(tmp_path, told)
    for points in (0.05, 0.31):
        monitor.record({"collect/judge_apart": points}, step=10)
    monitor.record({}, step=11)
    assert told == [
        "alert: The judge parts from the state checks. Its success rate is +31 points from theirs "
        "on the newest episodes."
    ]


def test_success_counts_against_its_best_once_there_are_enough_episodes(
    tmp_path: Path, told: list[str]
) -> None:
    monitor = make(tmp_path, told)
    for step, success in ((50, 0.9), (200, 0.5), (300, 0.6), (400, 0.44)):
        monitor.record({"collect/success/general": success}, step=step)
    assert told == ["alert: Success on general falls. It is 0.44 and was 0.60."]


def test_a_run_that_goes_on_does_not_tell_again(tmp_path: Path, told: list[str]) -> None:
    make(tmp_path, told).record({"fleet/retired": 1}, step=1)
    make(tmp_path, told).record({"fleet/retired": 1}, step=2)
    assert len(told) == 1


def test_lines_that_were_cut_are_stepped_over(tmp_path: Path) -> None:
    line = json.dumps({"on": True, "name": "disk", "title": "t", "text": "x"})
    (tmp_path / ALERTS).write_text(f"{line}\n[1]\nnull\n{line[:20]}")
    assert [alert.name for alert in raised(tmp_path)] == ["disk"]


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    got: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/", got
        listening.shutdown()
        thread.join(60)


def test_a_webhook_is_told_too(
    tmp_path: Path,
    told: list[str],
    server: tuple[str, list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, got = server
    monkeypatch.setenv("DISTRL_WEBHOOK", address)
    monitor = make(tmp_path, told)
    monitor.record({"fleet/retired": 2}, step=1)
    monitor.close()
    (message,) = got
    assert (message["run"], message["name"], message["on"]) == (tmp_path.name, "devices", True)


def test_a_webhook_that_does_not_answer_is_told_once_without_its_address(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTRL_WEBHOOK", "http://127.0.0.1:9/secret")
    monitor = make(tmp_path, told)
    for lost in (1, 0, 1):
        monitor.record({"fleet/retired": lost}, step=1)
    monitor.close()
    complaints = [text for text in told if "webhook" in text]
    assert len(complaints) == 1
    assert "secret" not in complaints[0]


def test_a_webhook_that_is_no_address_is_refused(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTRL_WEBHOOK", "file:///etc/passwd")
    with pytest.raises(ConfigError, match="http or https"):
        make(tmp_path, told)
