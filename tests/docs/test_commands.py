"""Every command of the documentation: it exists, its options do, and it works as it is written."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest

from distrl.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md"), *DOCS.glob("reference/*.md")]
)
FIRST = "distrl train --recipe debug --run-dir runs/first"
"""The run that the other commands look at."""
DEADLINE = 900.0
_FENCED = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`(distrl [a-z][^`]*)`")
_STARTS = ("distrl ", "python ", "make ")


def clean(line: str) -> str:
    return line.strip().removeprefix(".venv/bin/").split("  #")[0].strip()


def joined(text: str) -> str:
    """Lines that go on after a backslash, in one."""
    return re.sub(r" *\\\n +", " ", text)


def fenced(page: Path) -> list[str]:
    """Lines that a reader is to copy as they are."""
    blocks = _FENCED.findall(joined(page.read_text("utf-8")))
    lines = [clean(line) for block in blocks for line in block.splitlines()]
    return [command for command in lines if command.startswith(_STARTS)]


def listed(page: Path) -> list[str]:
    """Lines that tell what there is: some take an hour, or a phone, or a model of the reader's."""
    lines = joined(page.read_text("utf-8")).splitlines()
    named = [clean(line) for line in lines if line.startswith("    ")]
    return [command for command in named if command.startswith(_STARTS)]


COPIED = sorted({command for page in PAGES for command in fenced(page)})
ALL = sorted({*COPIED, *(command for page in PAGES for command in listed(page))})
MENTIONED = sorted(
    {found.replace("\n", " ") for p in PAGES for found in _INLINE.findall(p.read_text("utf-8"))}
)
_OTHERS = ("browsergym:", "mobilegym:")
"""Suites of packages that are not installed here; their tests play these lines where they are."""
RUN = [
    c
    for c in COPIED
    if not c.startswith(("make ", "python examples/")) and not any(name in c for name in _OTHERS)
]


def test_the_documentation_has_commands() -> None:
    assert FIRST in RUN
    assert len(RUN) > 10


@cache
def help_of(*words: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main([*words, "--help"]) == 0
    return said.getvalue()


@pytest.mark.parametrize("command", [*filter(lambda c: c.startswith("distrl "), ALL), *MENTIONED])
def test_a_command_and_its_options_exist(command: str) -> None:
    words = shlex.split(command)[1:]
    within = [] if words[0].startswith("--") else [words[0]]
    assert set(within) <= set(COMMANDS)
    has_sub_commands = bool(within) and hasattr(import_module(COMMANDS[words[0]][0]), "COMMANDS")
    if len(words) > 1 and has_sub_commands and words[1].islower():
        within.append(words[1])
    for option in (word.split("=")[0] for word in words if word.startswith("--")):
        assert option in help_of(*within), f"{option} of {command}"


@pytest.mark.parametrize("command", [c for c in ALL if c.startswith("make ")])
def test_a_target_of_make_exists(command: str) -> None:
    (target,) = command.split()[1:]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_every_page_is_in_the_navigation_and_the_other_way_round() -> None:
    named = set(re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert named == {str(p.relative_to(DOCS)) for p in PAGES if DOCS in p.parents}


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{target} in {page.name}"


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    program, *rest = shlex.split(command)
    before = ["-m", "distrl"] if program == "distrl" else []
    return subprocess.Popen(
        [sys.executable, *before, *rest],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reader")
    first = start(FIRST, made)
    said, _ = first.communicate(timeout=DEADLINE)
    assert first.returncode == 0, said
    return made


@pytest.mark.slow
@pytest.mark.parametrize("command", [c for c in RUN if c != FIRST])
def test_a_command_works_as_it_is_written(command: str, folder: Path) -> None:
    process = start(command, folder)
    served = command.startswith(("distrl watch", "distrl play", "distrl serve"))
    if served and "--screenshots" not in command:
        answers_until_it_is_interrupted(process)
        return
    said, _ = process.communicate("quit\n", timeout=DEADLINE)
    # A game that is left counts as lost.
    assert process.returncode == (1 if " play " in command else 0), said


def answers_until_it_is_interrupted(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert address is not None, line
    with urlopen(f"{address[0]}/health", timeout=60) as answer:  # noqa: S310 - our own server
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0
