"""A reader follows the page about devices: every command of it, in order, as it is written.

Programs stand in for Android's tools, for Docker, for the emulator and for what needs root. They
accept what the real ones accept, as far as the page uses them, and refuse anything else. Served
phones stand in for real ones and for containers. Trainings are made short.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.devices.adb_tools import adb_programs, eventually, needs_adbutils
from tests.devices.stand_in import write_stand_in

from distrl.config.load import load_run_config
from distrl.devices.android.emulator import console_ports

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "devices.md").read_text("utf-8")
DEADLINE = 600.0
PROSE = re.sub(r"^ *```.*?^ *```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
YAML = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
PYTHON = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
QUICK = (
    "max_episodes=2 minutes=null init=scratch policy.width=16 policy.heads=2 policy.layers=1 "
    "evaluate.before=false evaluate.tasks=1 learner.min_episodes=1"
)
"""Settings that make a training one of seconds."""
OURS = "'collect.android.safety.apps=[\"org.distrl.phone.*\"]'"
PROGRAMS = ["adb", "avdmanager", "cp", "distrl", "docker", "pip", "sdkmanager", "sudo"]


def listed(text: str) -> list[str]:
    """The lines that a reader copies, without what is said of them."""
    joined = re.sub(r" *\\\n +", " ", text)
    lines = re.findall(r"^(?: {4}| {6})(\S.*)$", joined, re.MULTILINE)
    return [line.split("  #")[0].strip() for line in lines if not line.startswith("#")]


def section(title: str) -> str:
    return PROSE.split(f"### {title}\n", 1)[1].split("\n##", 1)[0]


IMAGE = [line for line in listed(PROSE) if re.match(r"(FROM|RUN|ENV|COPY) ", line)]
"""Lines of the Dockerfile."""
EXPORTS = [line for line in listed(PROSE) if line.startswith("export ")]
COMMANDS = [line for line in listed(PROSE) if line not in {*IMAGE, *EXPORTS}]


def test_every_line_of_the_page_is_a_command_that_this_test_can_follow() -> None:
    starts = {re.sub(r"^(yes|echo no) \| ", "", line).split()[0] for line in COMMANDS}
    assert starts == set(PROGRAMS)
    assert len(EXPORTS) == 2
    assert len(IMAGE) == 7


def test_ten_commands_or_fewer_lead_from_nothing_to_a_run() -> None:
    way = listed(section("From nothing to a run"))
    assert len(way) <= 10
    assert way[0].startswith("pip install")
    assert way[-1] == "distrl train --recipe avd"


def test_goals_of_the_page_are_those_of_the_example() -> None:
    (goals,) = (block for block in YAML if "check:" in block)
    example = (ROOT / "examples" / "goals.yaml").read_text()
    assert example.partition("\n")[2] == goals


def test_settings_of_the_page_load(tmp_path: Path) -> None:
    settings = [block for block in YAML if "collect:" in block]
    assert len(settings) == 2
    for block in settings:
        (tmp_path / "settings.yaml").write_text(block)
        android = load_run_config(tmp_path / "settings.yaml").collect.android
        assert android.serials or android.emulators.count


def test_apps_of_the_recipe_have_the_home_screens_that_the_page_s_image_may_have() -> None:
    apps = yaml.safe_load((ROOT / "recipes" / "avd.yaml").read_text())["collect"]["android"]
    assert "com.android.launcher3" in apps["safety"]["apps"]


_PIP = """import re, sys, tomllib
words = sys.argv[1:]
assert words[:2] == ["install", "-e"], words
extra = re.fullmatch(r"\\.\\[(.+)\\]", words[2])[1]
assert extra in tomllib.load(open({root!r} + "/pyproject.toml", "rb"))["project"][
    "optional-dependencies"]
"""
_SDKMANAGER = """import os, re, sys
home = os.environ["ANDROID_HOME"]
os.makedirs(home, exist_ok=True)
if sys.argv[1:] == ["--licenses"]:
    assert sys.stdin.readline() == "y\\n"
    open(home + "/accepted", "w").close()
else:
    assert os.path.exists(home + "/accepted"), "the licenses are not accepted"
    known = r"emulator|platform-tools|system-images;android-\\d+;(default|google_apis);x86_64"
    for package in sys.argv[1:]:
        assert re.fullmatch(known, package), package
        open(home + "/installed", "a").write(package + "\\n")
"""
_AVDMANAGER = """import argparse, os, pathlib, sys
assert sys.argv[1:3] == ["create", "avd"], sys.argv
parser = argparse.ArgumentParser()
for option in "nkd":
    parser.add_argument("-" + option)
made = parser.parse_args(sys.argv[3:])
installed = open(os.environ["ANDROID_HOME"] + "/installed").read().split()
assert made.k in installed, made.k
if not made.d:  # it asks whether to make a hardware profile
    assert sys.stdin.readline() == "no\\n"
folder = pathlib.Path.home() / ".android" / "avd"
folder.mkdir(parents=True, exist_ok=True)
(folder / (made.n + ".ini")).write_text("path=somewhere")
"""
_SUDO = """import sys
known = (["apt-get", "install"], ["usermod", "-aG", "kvm"])
assert any(sys.argv[1:len(words) + 1] == words for words in known), sys.argv
"""
_DOCKER = """import argparse, re, sys
parser = argparse.ArgumentParser()
parser.add_argument("verb", choices=["run"])
parser.add_argument("-d", action="store_true")
parser.add_argument("--privileged", action="store_true")
parser.add_argument("--device", choices=["/dev/kvm"])
parser.add_argument("--shm-size")
parser.add_argument("-p", type=re.compile(r"127\\.0\\.0\\.1:\\d+:5555").fullmatch)
parser.add_argument("image")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()
assert given.privileged or given.device, "Android needs binder or KVM"
assert not given.d or given.p, "a phone without a port"
"""


def write_programs(folder: Path, emulators: Path) -> None:
    """Everything that the page calls, found before anything of the same name."""
    folder.mkdir()
    emulator = write_stand_in(emulators)
    scripts = {"pip": _PIP.format(root=str(ROOT)), "sdkmanager": _SDKMANAGER, "sudo": _SUDO}
    scripts |= {"avdmanager": _AVDMANAGER, "docker": _DOCKER}
    for name, body in scripts.items():
        (folder / name).write_text(f"#!{sys.executable}\n{body}")
    (folder / "distrl").write_text(f'#!/bin/sh\nexec {sys.executable} -m distrl "$@"\n')
    (folder / "adb").symlink_to(adb_programs()[-1])
    # Only what avdmanager has made can be started.
    has = 'test -e "$HOME/.android/avd/$2.ini" || { echo "no AVD $2"; exit 1; }'
    (folder / "emulator").write_text(f'#!/bin/sh\n{has}\nexec {emulator} "$@"\n')
    for path in folder.iterdir():
        if not path.is_symlink():
            path.chmod(0o755)


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody has."""
    for first in range(20_000, 30_000, 10):
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first
    raise AssertionError("no ports are free")


class Reader:
    """Follows the page in a folder of its own, with ports of its own in place of the page's."""

    def __init__(self, folder: Path) -> None:
        self.port = free_ports(4)
        self.folder = folder / "clone"
        self.folder.mkdir()
        (self.folder / "examples").symlink_to(ROOT / "examples")
        bin_folder, emulators = folder / "bin", folder / "emulators"
        emulators.mkdir()
        write_programs(bin_folder, emulators)
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "ANDROID_ADB_SERVER_PORT": str(self.port + 3),
            "ANDROID_SERIAL": f"127.0.0.1:{self.port}",
            "ADB_MDNS": "0",
            "ADB_EMU": "0",
            "ADB_USB": "0",
            "STAND_IN_UNKNOWN": "1",
        }
        self._export(bin_folder)
        self.going_on: list[subprocess.Popen[str]] = []

    def _export(self, bin_folder: Path) -> None:
        """What the page exports, with our programs before all others."""
        line = "; ".join([*EXPORTS, 'echo "$ANDROID_HOME"; echo "$PATH"'])
        home, path = self.sh(line).splitlines()
        assert f"{home}/cmdline-tools/latest/bin" in path.split(":")
        self.environment |= {"ANDROID_HOME": home, "PATH": f"{bin_folder}:{path}"}

    def sh(self, line: str, *, given: str = "", codes: tuple[int, ...] = (0,)) -> str:
        """Run a line as a shell does; what it prints."""
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=self.folder,
            env=self.environment,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=DEADLINE,
            check=False,
        )
        assert done.returncode in codes, f"{line}\nended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def start(self, line: str, until: str) -> subprocess.Popen[str]:
        """Run a line that goes on, until it has said so."""
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {line}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.going_on.append(process)
        assert process.stdout is not None
        said = ""
        for printed in process.stdout:
            said += printed
            if re.search(until, printed):
                return process
        raise AssertionError(f"{line}\nended:\n{said}")

    def stop(self, process: subprocess.Popen[str]) -> None:
        """End one that goes on, as Ctrl-C does."""
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.going_on.remove(process)

    def close(self) -> None:
        for process in reversed(self.going_on[:]):
            process.kill()
            process.communicate(timeout=20)
        self.sh("adb kill-server", codes=(0, 1))

    def mine(self, command: str) -> str:
        """A command with this reader's phones and runs in place of the page's."""
        phone, other = (f"127.0.0.1:{self.port + n}" for n in (0, 2))
        tapes = sorted((self.folder / "tapes").glob("*.cassette"))
        for theirs, own in {
            r"127\.0\.0\.1:5555": phone,
            r"--port 5555": f"--port {self.port}",
            r"\bSERIAL\b|R58N123ABC(?!-)": phone,
            r"R58N456DEF": other,
            r"\btapes/\S+": str(tapes[0]) if tapes else "tapes/none",
            r"\bRUN\b": "runs/phones-1",
        }.items():
            command = re.sub(theirs, own, command)
        return command

    def follow(self, command: str) -> None:
        """Do what the page says, and see that it works."""
        own = command if command.startswith("docker") else self.mine(command)
        if command.startswith("distrl adbd"):
            self.start(own, f"127.0.0.1:{self.port + 1}")
        elif command == "distrl devices watch":
            self.stop(self.start(own, rf"127\.0\.0\.1:{self.port}  device"))
        elif command == "distrl train --recipe android":
            quick = QUICK.replace("max_episodes=2 minutes=null", "minutes=20")
            self.start(f"{own} {quick} {self.serials(self.port, self.port + 1)}", r"\d/\d training")
            self.start(f"distrl adbd --port {self.port + 2}", "127")
        elif command.startswith("distrl train"):
            self.sh(f"{own} {QUICK} {self.settings(command)}")
        elif command.startswith("distrl phone play"):
            self.sh(own, given="quit\n")
        elif "--policy runs/" in command:
            self.sh(own, codes=(0, 1))  # 1 where the policy departs from what was recorded
        elif command.startswith("distrl doctor --fleet"):
            assert "devices" in self.sh(own, codes=(0, 1))  # by what this machine has
        else:
            self.sh(own)

    def serials(self, *ports: int) -> str:
        named = ",".join(f'"127.0.0.1:{port}"' for port in ports)
        return f"'collect.android.serials=[{named}]' 'collect.android.safety.opt_in=[{named}]'"

    def settings(self, command: str) -> str:
        """What this reader's phones need beside the recipe."""
        if "--recipe avd" in command:
            (first,) = console_ports(1, 5620)
            return f"{OURS} collect.android.emulators.first_port={first}"
        if "--recipe android" in command:
            return self.serials(self.port)
        return f"{OURS} {self.serials(self.port, self.port + 1)}"


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    opened = Reader(tmp_path)
    phones, goals = (block for block in YAML if "serials:" in block or "check:" in block)
    (opened.folder / "phones.yaml").write_text(
        opened.mine(phones).replace("com.example.*", "org.distrl.phone.*")
    )
    (opened.folder / "goals.yaml").write_text(goals)
    try:
        yield opened
    finally:
        opened.close()


@needs_adbutils
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_command_of_the_page_works_as_it_is_written(reader: Reader) -> None:
    for command in COMMANDS:
        reader.follow(command)
        if command.startswith("distrl devices leave"):
            reader.stop(reader.going_on[1])  # the run that phones have joined and left
    assert (reader.folder / "screen.png").read_bytes().startswith(b"\x89PNG")


@needs_adbutils
@pytest.mark.slow
def test_programs_that_stand_in_refuse_what_the_real_ones_would(reader: Reader) -> None:
    for wrong in (
        "pip install -e '.[androit]'",
        "sdkmanager emulator",  # the licenses are not accepted yet
        "avdmanager create avd -n distrl -k none -d pixel_5",
        "emulator -avd none -port 5600",
        "docker run --device /dev/kvm -d image",
        "sudo rm -rf /",
    ):
        with pytest.raises(AssertionError, match="ended with"):
            reader.sh(wrong)


@needs_adbutils
@pytest.mark.slow
def test_python_of_the_page_runs_on_emulators(reader: Reader) -> None:
    for command in listed(section("From nothing to a run"))[2:5]:
        reader.follow(command)
    (block,) = PYTHON
    for theirs, own in {
        "count=4": f"count=1, first_port={console_ports(1, 5640)[0]}",
        "adb_port=5137": f"adb_port={free_ports(1)}",
    }.items():
        assert theirs in block
        block = block.replace(theirs, own)
    (reader.folder / "block.py").write_text(block)
    assert "org.distrl.phone.launcher" in reader.sh(f"{sys.executable} block.py")


@pytest.mark.slow
@needs_adbutils
def test_tools_of_the_dockerfile_are_called_as_they_take_it(reader: Reader) -> None:
    (line,) = (line for line in IMAGE if "sdkmanager" in line)
    reader.sh(line.removeprefix("RUN "))
    assert eventually(
        lambda: (Path(reader.environment["HOME"]) / ".android/avd/distrl.ini").exists()
    )
