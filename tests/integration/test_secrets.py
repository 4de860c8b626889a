"""A secret in every secret slot, and a look for it everywhere: it is nowhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.services.scripted_server import Fault, Request, ScriptedServer

SLOTS = {
    "OPENAI_API_KEY": "sk-0penai-5ecret-51423",
    "DISTRL_TEST_KEY": "key-0f-my-0wn-98412",
    "WANDB_API_KEY": "wandb5ecret00000000000000000000000000077",
    "HF_TOKEN": "hf_5ecret0fAHub7731",
    "RAY_AUTH_TOKEN": "5ecret-0f-a-cluster-5520",
    "DISTRL_WATCH_TOKEN": "5ecret-0f-a-page-4419",
    "DISTRL_WEBHOOK": "5ecret-0f-a-hook-8823",
}
"""Where the package, and what it hands numbers to, looks for secrets."""
ENVIRONMENT = {**SLOTS, "DISTRL_WEBHOOK": f"http://127.0.0.1:9/{SLOTS['DISTRL_WEBHOOK']}"}
"""The same as they are set: nobody listens to the webhook, which is an error to be told."""
DEADLINE = 600.0
POLL = 0.1


class Ran:
    """A command of ours, with all that could be seen of it from outside."""

    def __init__(self, *words: str, cwd: Path) -> None:
        command = [sys.executable, "-m", "distrl", *words]
        environment = {**os.environ, **ENVIRONMENT}
        with (cwd / "printed").open("wb") as printed:
            process = subprocess.Popen(
                command, cwd=cwd, env=environment, stdout=printed, stderr=printed
            )
            self.arguments: set[bytes] = set()
            waited = 0.0
            while process.poll() is None and waited < DEADLINE:
                self.arguments |= set(_command_lines())
                try:
                    process.wait(POLL)
                except subprocess.TimeoutExpired:
                    waited += POLL
            process.kill()
            self.code = process.wait()
        self.printed = (cwd / "printed").read_bytes()


def _command_lines() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            continue  # it has ended meanwhile


def found_in(data: bytes) -> list[str]:
    return [slot for slot, secret in SLOTS.items() if secret.encode() in data]


def assert_nowhere(ran: Ran, folder: Path) -> None:
    assert found_in(ran.printed) == []
    assert any(b"distrl" in line for line in ran.arguments)
    assert found_in(b"\n".join(ran.arguments)) == []
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert {str(path): found_in(path.read_bytes()) for path in files} == {
        str(path): [] for path in files
    }


def repeat_the_key(request: Request) -> str:
    """The worst server: it brings the key into whatever it answers."""
    return f'tap(1) {request.key}\ntype({request.key})\ntype("{request.key}")'


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(repeat_the_key) as running:
        yield running


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_a_run_its_report_and_the_audit_of_its_judges_hold_no_secret(
    tmp_path: Path, server: ScriptedServer
) -> None:
    ran = Ran(
        *("train", "--recipe", "debug", "--run-dir", "run", "max_episodes=10", "minutes=0.2"),
        *("learner.min_episodes=4", "evaluate.tasks=2", "monitor.tensorboard=true"),
        "monitor.alerts.disk_below_gb=1000000",
        *("judge.name=vlm", f"judge.endpoint={server.base_url}", "judge.model=m"),
        "judge.key_env=DISTRL_TEST_KEY",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.printed.decode()[-2000:]
    assert {request.key for request in server.requests} == {SLOTS["DISTRL_TEST_KEY"]}
    assert (tmp_path / "run" / "report.html").is_file()
    assert b"the webhook for alerts does not work" in ran.printed
    assert_nowhere(ran, tmp_path)

    server.misbehave(Fault.REFUSED)
    audited = Ran(
        *("judge", "audit", "run", "--judge", "vlm", "--endpoint", server.base_url),
        *("--model", "m", "--episodes", "6", "--costs", "run/costs.jsonl"),
        *("--cache", "run/verdicts.jsonl", "--json"),
        cwd=tmp_path,
    )
    assert audited.code in (0, 1), audited.printed.decode()[-2000:]
    assert_nowhere(audited, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
@pytest.mark.parametrize("fault", [None, Fault.REFUSED])
def test_a_prompted_agent_shows_no_secret_whatever_the_server_does(
    fault: Fault | None, tmp_path: Path, server: ScriptedServer
) -> None:
    if fault is not None:
        server.misbehave(fault)
    ran = Ran(
        *("eval", "--policy", "api", "--endpoint", server.base_url, "--model", "m"),
        *("--tasks", "1", "--key-env", "DISTRL_TEST_KEY", "--costs", "costs.jsonl"),
        cwd=tmp_path,
    )
    assert ran.code == (0 if fault is None else 2), ran.printed.decode()[-2000:]
    assert {request.key for request in server.requests} == {SLOTS["DISTRL_TEST_KEY"]}
    assert_nowhere(ran, tmp_path)
