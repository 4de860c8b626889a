from __future__ import annotations

import socket
import sys
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
    with pytest.raises(ConfigError, match="did not answer at http://127"):
        serving.serve([sys.executable, "-c", "pass"], url, tmp_path)
    assert url not in serving._running


def test_command_that_does_not_exist_is_told(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(ConfigError, match="cannot be started"):
        serving.serve([str(tmp_path / "none")], url, tmp_path)
