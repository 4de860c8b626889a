"""What is launched here are small scripts that stand where a browser would."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from tests.devices.stand_in import gone

from distrl.devices.browser.launch import launch
from distrl.devices.browser.protocol import ProtocolError

ANSWERS = """
import json, os, sys
while data := os.read(3, 65536):
    for message in data.split(b"\\0")[:-1]:
        request = json.loads(message)
        if request["method"] == "Browser.close" and "--stubborn" not in sys.argv:
            sys.exit()
        told = {"argv": sys.argv, "tz": os.environ["TZ"], "tmp": os.environ["TMPDIR"]}
        os.write(4, json.dumps({"id": request["id"], "result": told}).encode() + b"\\0")
"""


def program(folder: Path, code: str) -> Path:
    path = folder / "browser"
    path.write_text(f"#!{sys.executable}\n{code}")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("flags", [(), ("--stubborn",)])
def test_browser_answers_on_its_pipes_and_leaves_nothing_behind(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    async def main() -> None:
        process = await launch(program(tmp_path, ANSWERS), flags)
        told = await asyncio.wait_for(process.connection.browser.send("Browser.getVersion"), 30.0)
        assert {"--headless", "--remote-debugging-pipe", "--no-sandbox", *flags} <= {*told["argv"]}
        assert f"--user-data-dir={process.folder / 'profile'}" in told["argv"]
        assert (told["tz"], told["tmp"]) == ("UTC", str(process.folder))
        await process.end(patience=0.5)
        assert gone(process.pid)
        assert not process.folder.exists()
        assert process.connection.ended.is_set() or flags

    asyncio.run(main())


def test_browser_that_ends_at_once_says_why(tmp_path: Path) -> None:
    async def main() -> None:
        code = "import sys; sys.exit('first\\nno display\\n')"
        process = await launch(program(tmp_path, code), ())
        with pytest.raises(ProtocolError, match="the browser has ended"):
            await asyncio.wait_for(process.connection.browser.send("Browser.getVersion"), 30.0)
        assert process.last_words() == "no display"
        await process.end(patience=30.0)
        assert not process.folder.exists()

    asyncio.run(main())


def open_files() -> int:
    return len([*Path("/dev/fd").iterdir()])


def test_program_that_is_not_there_leaves_nothing_open() -> None:
    async def main() -> None:
        before = open_files()
        with pytest.raises(FileNotFoundError):
            await launch(Path("/no/such/browser"), ())
        assert open_files() == before

    asyncio.run(main())
