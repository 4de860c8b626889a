from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from distrl.devices.browser import serving
from distrl.errors import ConfigError


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_command_serves_until_it_is_stopped_and_is_started_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("hello")
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    serving.serve(command, url, tmp_path)
    process = serving._running[url]
    serving.serve(command, url, tmp_path)
    assert serving._running[url] is process
    assert serving.answers(url)
    serving.stop(url)
    serving.stop(url)
    assert process.poll() is not None
    assert not serving.answers(url)


def test_command_that_ends_at_once_is_told(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(ConfigError, match="ended with code 0 and did not answer at http://127"):
        serving.serve([sys.executable, "-c", "pass"], url, tmp_path)
    assert url not in serving._running


def test_command_that_does_not_exist_is_told(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(ConfigError, match="cannot be started"):
        serving.serve([str(tmp_path / "none")], url, tmp_path)


class Answer(BaseHTTPRequestHandler):
    """Answers with the status that the path names."""

    def do_GET(self) -> None:
        self.send_response(int(self.path[1:] or 200))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    made = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    thread.join(10)
    made.server_close()


@pytest.mark.parametrize("status", [200, 204, 301, 404, 500])
def test_whoever_answers_however_badly_is_there(server: str, status: int) -> None:
    assert serving.answers(f"{server}/{status}")


def test_nobody_answers_where_nobody_listens() -> None:
    assert not serving.answers(f"http://127.0.0.1:{free_port()}/")
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.close()
    assert not serving.answers("http://no.such.host.invalid/")


def test_silence_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_ASK_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not serving.answers(f"http://127.0.0.1:{silent.getsockname()[1]}/")


def test_what_answers_already_is_left_alone(server: str, tmp_path: Path) -> None:
    serving.serve([str(tmp_path / "none")], server, tmp_path)
    assert server not in serving._running
    serving.stop(server)
    assert serving.answers(server)


def test_command_that_does_not_answer_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_READY_SECONDS", 0.2)
    url = f"http://127.0.0.1:{free_port()}/"
    note = tmp_path / "pid"
    command = ["/bin/sh", "-c", f"echo $$ > {note}; exec sleep 600"]
    with pytest.raises(ConfigError, match=r"did not answer at .* within 0\.2 s"):
        serving.serve(command, url, tmp_path)
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_command_that_does_not_hear_the_first_signal_is_ended_by_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "_END_SECONDS", 0.2)
    script = "trap '' TERM; echo ready; while true; do sleep 0.05; done"
    process = subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    serving._running["http://deaf.test"] = process
    serving.stop("http://deaf.test")
    assert process.returncode == -signal.SIGKILL
    process.stdout.close()


def test_command_runs_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_READY_SECONDS", 5.0)
    url = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(ConfigError, match="did not answer"):
        serving.serve(["/bin/sh", "-c", "touch here"], url, tmp_path)
    assert (tmp_path / "here").exists()
