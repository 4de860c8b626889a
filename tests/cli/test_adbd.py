from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from distrl.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--phones", "0"], "--phones must be at least 1"),
        (["--port", "70000"], "--port must be a whole number, from 0 to 65535, got 70000"),
        (["--port", "65530", "--phones", "9"], "the last of 9 phones would have the port 65538"),
        (["--host", "192.0.2.1"], "--keys"),
        (["--port", "0", "--keys", "/nowhere"], "cannot read the keys"),
        (["--port", "0", "--scale", "99"], "the scale must be from 1 to 8"),
        (["--port", "0", "--layout", "99"], "--layout"),
        (["--port", "0", "--task", "general/val/x"], "unknown task"),
        (["--prt", "1"], "did you mean '--port'"),
    ],
)
def test_what_does_not_fit_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["adbd", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_phones_are_served_until_a_signal(tmp_path: Path) -> None:
    started = subprocess.Popen(
        [sys.executable, "-m", "distrl", "adbd", "--port", "0", "--phones", "2",
         "--task", "general/val/0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ,
    )  # fmt: skip
    try:
        assert started.stdout is not None
        for _ in range(2):
            host, _, port = started.stdout.readline().strip().partition(":")
            with socket.create_connection((host, int(port)), timeout=10):
                assert host == "127.0.0.1"
        started.send_signal(signal.SIGTERM)
        assert started.wait(timeout=20) == 0
    finally:
        started.kill()
        started.communicate(timeout=10)
