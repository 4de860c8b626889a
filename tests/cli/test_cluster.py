from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from distrl.cli.main import main
from distrl.run.builders.adb_servers import free_port
from distrl.run.ray_cluster import node
from distrl.run.ray_cluster.access import TOKEN_VARIABLE, Access, make_token
from distrl.run.ray_cluster.inventory import ClusterState, Started, state_file
from distrl.run.ray_cluster.node import NodeState

pytest.importorskip("ray")

DEADLINE = 120.0


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        patch.delenv(TOKEN_VARIABLE, raising=False)
        yield


def elsewhere(tmp_path: Path, *more: str) -> Path:
    """A cluster of which no machine is this one."""
    path = tmp_path / "lab.yaml"
    lines = ["head: {address: 192.0.2.77}", "workers: [{address: 192.0.2.78}]", *more]
    path.write_text("\n".join(lines))
    return path


def test_up_says_what_to_run_on_each_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = elsewhere(tmp_path, f"token_file: {tmp_path / 'token'}")
    assert main(["cluster", "up", "--file", str(file)]) == 0
    said = capsys.readouterr().out
    token = f"a copy of {tmp_path / 'token'} (chmod 600)"
    assert f"On 192.0.2.77, with {file} and {token}:\n  distrl cluster up --file {file}\n" in said
    assert f"On 192.0.2.78, with {token}:\n  distrl cluster join --address 192.0.2.78" in said
    assert f"--token-file {tmp_path / 'token'}\n" in said
    assert f"address=192.0.2.77:6390 cluster.token_file={tmp_path / 'token'}\n" in said
    assert "Ray listens on all addresses of each machine" in said


def test_up_names_the_variable_when_the_token_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    assert main(["cluster", "up", "--file", str(elsewhere(tmp_path))]) == 0
    said = capsys.readouterr().out
    assert f"On 192.0.2.78, with the same {TOKEN_VARIABLE}:" in said
    assert f"Token: the variable {TOKEN_VARIABLE}" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("text", "told"),
    [("workers: 5", "a list of machines"), ("token_file: /proc", "the token is a file")],
)
def test_a_file_that_is_wrong_is_told_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(text)
    assert main(["cluster", "up", "--file", str(path)]) == 2
    assert told in capsys.readouterr().err


def test_up_speaks_json_with_a_command_for_each_other_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", "up", "--file", str(elsewhere(tmp_path)), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"name", "address", "token_file", "logs", "nodes", "pids", "rows"} <= set(told)
    assert (told["nodes"], told["pids"]) == (0, [])
    assert [one["address"] for one in told["elsewhere"]] == ["192.0.2.77", "192.0.2.78"]
    assert all(one["command"].startswith("distrl cluster ") for one in told["elsewhere"])


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClusterState:
    """A cluster `lab` with a node that lives and one that does not; no process runs for it."""
    token = tmp_path / "token"
    make_token(token)
    gone = Started(node="10.0.0.1", pid=2**22 + 1, born="long ago")
    state = ClusterState(
        name="lab",
        address="10.0.0.1:6390",
        token_file=str(token),
        folder=str(tmp_path / "logs"),
        started=(gone,),
    )
    path = state_file("lab")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(asdict(state)))
    nodes = [
        NodeState(
            id=str(number),
            address=f"10.0.0.{number}",
            alive=number == 1,
            device_hosts=2,
            learner_hosts=1,
            cpus=4,
            gpus=0,
        )
        for number in (1, 2)
    ]
    monkeypatch.setattr(node, "list_nodes", lambda access: nodes)
    # `Access.enter` sets variables of the process, which other tests must not see.
    monkeypatch.setattr(Access, "enter", lambda self: None)
    return state


def test_status_counts_what_is_alive(
    known: ClusterState, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", "status", "--name", "lab", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["nodes"], told["device_hosts"], told["learner_hosts"]) == (1, 2, 1)
    assert [row["alive"] for row in told["rows"]] == [True, False]
    assert main(["cluster", "status", "--name", "lab"]) == 0
    shown = capsys.readouterr().out
    assert "cluster lab at 10.0.0.1:6390" in shown
    assert f"Processes of ours: none. Logs: {known.folder}" in shown
    assert f"Token: {known.token_file}" in shown


def test_down_forgets_the_cluster(known: ClusterState, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", "down", "--name", "lab"]) == 0
    assert f"Ended {len(known.started)} nodes of the cluster 'lab'." in capsys.readouterr().out
    assert main(["cluster", "down", "--name", "lab"]) == 2
    assert "no cluster 'lab' was started here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["status"], "no cluster 'default' was started here: distrl cluster up"),
        (["join", "--head", "h:1", "--device-hosts", "-1"], "--device-hosts must be at least 0"),
        (["join", "--head", "h:1", "--learner-hosts", "-2"], "--learner-hosts must be at least 0"),
        (["join", "--head", "h:1", "--cpus", "-1"], "--cpus must be at least 0, got -1"),
        (["join", "--head", "h:1", "--gpus", "-1"], "--gpus must be at least 0, got -1"),
        (["join", "--head", "h:1", "--object-store-mb", "99"], "at least 100, got 99"),
        (["join", "--head", "nowhere"], "HOST:PORT"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", *argv]) == 2
    assert message in capsys.readouterr().err


def test_without_ray_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["cluster", "up"]) == 2
    assert "pip install 'distrl[cluster]'" in capsys.readouterr().err


def test_join_waits_for_a_head_that_is_not_there_and_says_so_once(tmp_path: Path) -> None:
    token = tmp_path / "token"
    make_token(token)
    head = f"127.0.0.1:{free_port()}"
    line = ["cluster", "join", "--head", head, "--token-file", str(token)]
    process = subprocess.Popen(
        [sys.executable, "-m", "distrl", *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert f"Waiting for the head: nobody answers at {head}" in first
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2.0)  # it looks again several times meanwhile
    finally:
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=DEADLINE)
    assert (rest, errors) == ("", "")
    assert process.returncode == 0
