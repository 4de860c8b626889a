from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.cli.main import main
from distrl.run.builders.android import free_port
from distrl.run.ray_cluster.access import TOKEN_VARIABLE, make_token

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
