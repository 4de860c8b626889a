"""An Android device in memory, as far as AndroidWorld's code looks at one.

It has files, settings, databases, apps and a clock. What it is asked for and does not know ends
with an error, as on a phone; `unknown` keeps such lines.
"""

from __future__ import annotations

import io
import posixpath
import re
import shlex
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

from PIL import Image

from distrl.devices.android.adb import CommandResult
from distrl.errors import DeviceError

_LINKS = (("/sdcard", "/storage/emulated/0"),)
_TEST = re.compile(
    r'\s*if \[ (-\w) "(.*)" \]; then\s+echo "(.*)"\s+else\s+echo "(.*)"\s+fi\s*', re.S
)
_STAMP = "%m%d%H%M%y.%S"


class FakeAndroid:
    """The phone, as adb sees it."""

    def __init__(self, serial: str = "emulator-5586", *, root: bool = True) -> None:
        self.serial, self.root = serial, root
        self.files: dict[str, bytes] = {}
        self.folders = {"/", "/storage", "/storage/emulated", "/storage/emulated/0", "/data"}
        self.settings: dict[tuple[str, str], str] = {}
        self.now = datetime(2023, 10, 15, 15, 34)
        self.top = "com.launcher/.Home"
        self.screen = screen_with()
        self.contacts: list[tuple[str, str]] = []
        self.messages: list[tuple[str, str, str]] = []
        """Box, number and text, the newest first."""
        self.clipboard = ""
        self.keys: list[str] = []
        self.lines: list[str] = []
        self.unknown: list[str] = []
        self.on_start: Callable[[str], None] = lambda package: None
        """What an app does when it is started."""
        self.faults: dict[str, Exception] = {}
        """What goes wrong when a line with such words in it is run."""

    # What adb does

    def run(self, words: Sequence[str], *, deadline: float = 10.0) -> CommandResult:
        line = words[2] if list(words[:2]) == ["sh", "-c"] else shlex.join(words)
        self.lines.append(line)
        for part, fault in self.faults.items():
            if part in line:
                raise fault
        out, code = self._line(line)
        return CommandResult(out, b"", code)

    def pull(self, path: str, *, deadline: float = 10.0) -> bytes:
        if self.real(path) not in self.files:
            raise DeviceError(f"pull of {path}: no such file")
        return self.files[self.real(path)]

    def push(self, content: bytes, path: str, *, deadline: float = 10.0) -> None:
        self.write(path, content)

    def screencap(self, *, deadline: float = 10.0) -> bytes:
        return _one_pixel()

    def key(self, code: str, *, deadline: float = 10.0) -> None:
        self.keys.append(code)
        if code == "KEYCODE_HOME":
            self.top = "com.launcher/.Home"

    # Files

    def real(self, path: str) -> str:
        whole = posixpath.normpath(path)
        for link, target in _LINKS:
            if whole == link or whole.startswith(link + "/"):
                whole = target + whole[len(link) :]
        return whole

    def write(self, path: str, content: bytes) -> None:
        self.make(posixpath.dirname(self.real(path)))
        self.files[self.real(path)] = content

    def make(self, folder: str) -> None:
        while folder not in self.folders:
            self.folders.add(folder)
            folder = posixpath.dirname(folder)

    def inside(self, folder: str) -> list[str]:
        """Everything below a folder."""
        start = self.real(folder).rstrip("/") + "/"
        return sorted(path for path in (*self.files, *self.folders) if path.startswith(start))

    def children(self, folder: str) -> list[str]:
        start = self.real(folder).rstrip("/") + "/"
        return [path for path in self.inside(folder) if "/" not in path[len(start) :]]

    def remove(self, path: str) -> None:
        for one in (self.real(path), *self.inside(path)):
            self.files.pop(one, None)
            self.folders.discard(one)

    def empty(self, folder: str) -> None:
        """Remove everything in a folder."""
        for child in self.children(folder):
            self.remove(child)

    def sql(self, path: str, statement: str) -> list[tuple[object, ...]]:
        """Run SQL in a database of the phone."""
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder, "database")
            here.write_bytes(self.files.get(self.real(path), b""))
            base = sqlite3.connect(here)
            try:
                rows = base.execute(statement).fetchall()
                base.commit()
            finally:
                base.close()
            self.write(path, here.read_bytes())
        return rows

    def console(self, port: int, command: str, deadline: float) -> str:
        """What the console of an emulator does: here, it lets an SMS arrive."""
        kind, verb, number, body = command.split(" ", 3)
        if (kind, verb) != ("sms", "send"):
            return f"KO: unknown command {kind}"
        self.messages.insert(0, ("inbox", number, body))
        return "OK"

    # The shell

    def _line(self, line: str) -> tuple[bytes, int]:
        if tested := _TEST.fullmatch(line):
            kind, path, there, absent = tested.groups()
            found = self.real(path)
            known = {"-f": found in self.files, "-d": found in self.folders}
            holds = known.get(kind, known["-f"] or known["-d"])
            return f"{there if holds else absent}\n".encode(), 0
        out, code = b"", 0
        for stage in _stages(line):
            out, code = self._stage(stage, out)
        return out, code

    def _stage(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        target = None
        if len(words) > 2 and words[-2] == ">":
            words, target = words[:-2], words[-1]
        program = getattr(self, f"_do_{words[0].replace('-', '_')}", None) if words else None
        if program is None:
            self.unknown.append(shlex.join(words))
            return f"{words[:1]}: inaccessible or not found\n".encode(), 127
        try:
            out, code = program(words[1:], given)
        except (FileNotFoundError, sqlite3.Error, ValueError, IndexError) as error:
            return f"{words[0]}: {error}\n".encode(), 1
        if target is not None:
            self.write(target, out)
            return b"", code
        return out, code

    def _do_whoami(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        return b"root\n" if self.root else b"shell\n", 0

    def _do_date(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        if words and not words[0].startswith("+"):
            self.now = datetime.strptime(words[0], _STAMP)
        style = words[0][1:] if words and words[0].startswith("+") else "%a %b %d %H:%M:%S UTC %Y"
        return f"{self.now.strftime(style)}\n".encode(), 0

    def _do_settings(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        verb, space, key = words[:3]
        if verb == "put":
            self.settings[space, key] = words[3]
        if verb == "delete":
            self.settings.pop((space, key), None)
        return (f"{self.settings.get((space, key), 'null')}\n" if verb == "get" else "").encode(), 0

    def _do_svc(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        service, verb = words
        self.settings["global", f"{service}_on"] = "1" if verb == "enable" else "0"
        return b"", 0

    def _nothing(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        return b"", 0

    _do_service = _do_restorecon = _do_chmod = _do_input = _do_wm = _do_sleep = _nothing
    _do_chown = _do_cmd = _nothing

    def _do_pm(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        if words[0] == "clear":
            self.remove(f"/data/data/{words[1]}")
            if "contacts" in words[1]:
                self.contacts.clear()
            return b"Success\n", 0
        return b"", 0

    def _do_am(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        if words[0] == "start":
            if "-n" in words:
                self.top = words[words.index("-n") + 1]
                self.on_start(self.top.partition("/")[0])
            if "android.intent.action.SENDTO" in words:
                self.top = "com.simplemobiletools.smsmessenger/.Thread"
            if "android.intent.action.INSERT" in words and "name" in words:
                self.contacts.append((words[words.index("name") + 1], words[-1]))
            return b"Status: ok\n", 0
        if words[0] == "stack":
            package, _, activity = self.top.partition("/")
            whole = package + activity if activity.startswith(".") else activity
            shown = f"visible=true topActivity=ComponentInfo{{{package}/{whole}}}"
            return f"  taskId=1: {self.top} {shown}".encode(), 0
        if words[:3] == ["broadcast", "-a", "clipper.set"]:
            self.clipboard = words[-1]
        if words[:2] == ["broadcast", "-a"]:
            return f'Broadcast completed: result=-1, data="{self.clipboard}"\n'.encode(), 0
        return b"", 0

    def _do_content(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        where = words[words.index("--uri") + 1]
        if words[0] == "delete":
            self.messages.clear()
            return b"", 0
        if "contacts" in where:
            rows = [f"display_name={name}, number={phone}" for name, phone in self.contacts]
        else:
            stamp = 1000 * round(self.now.replace(tzinfo=UTC).timestamp())
            rows = [
                f"_id={number}, address={address}, date={stamp}, body={body}"
                for number, (box, address, body) in enumerate(self.messages)
                if where.endswith(("sms", box))
            ]
        told = "\n".join(f"Row: {number} {row}" for number, row in enumerate(rows))
        return (told or "No result found.").encode() + b"\n", 0

    def _do_dumpsys(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        told = {
            "input": "logicalFrame=[0, 0, 1080, 2400], physicalFrame=[0, 0, 1080, 2400]",
            "window": "mCurrentRotation=ROTATION_0",
            "activity": f"mResumedActivity: {self.top}",
        }
        return told.get(words[0] if words else "", "").encode() + b"\n", 0

    def _do_uiautomator(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        self.write(words[1], self.screen.encode())
        return b"UI hierarchy dumped\n", 0

    def _do_sqlite3(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        rows = self.sql(words[0], words[1])
        return "".join("|".join(map(str, row)) + "\n" for row in rows).encode(), 0

    def _do_echo(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        return (" ".join(words) + "\n").encode(), 0

    def _do_grep(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        wanted = re.compile(words[-1])
        found = [line for line in given.decode().splitlines() if wanted.search(line)]
        return "".join(line + "\n" for line in found).encode(), 0 if found else 1

    def _do_cat(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        return b"".join(self._read(path) for path in words), 0

    def _read(self, path: str) -> bytes:
        if self.real(path) not in self.files:
            raise FileNotFoundError(f"{path}: No such file or directory")
        return self.files[self.real(path)]

    def _do_mkdir(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        for path in (word for word in words if not word.startswith("-")):
            self.make(self.real(path))
        return b"", 0

    def _do_touch(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        path = words[-1]
        self.write(path, self.files.get(self.real(path), b""))
        return b"", 0

    def _do_rm(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        for path in (word for word in words if not word.startswith("-")):
            if path.endswith("/*"):
                self.empty(path[:-2])
            else:
                self.remove(path)
        return b"", 0

    def _do_cp(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        source, target = [word for word in words if not word.startswith("-")]
        if source.endswith("/."):
            start = self.real(source[:-2])
            for path in self.inside(start):
                if path in self.files:
                    self.write(self.real(target) + path[len(start) :], self.files[path])
        else:
            self.write(target, self._read(source))
        return b"", 0

    def _do_mv(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        source, target = words[-2:]
        self.write(target, self._read(source))
        self.remove(source)
        return b"", 0

    def _do_find(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        return "\n".join((words[0], *self._shown(words[0]))).encode() + b"\n", 0

    def _shown(self, folder: str) -> list[str]:
        """As they are below the name that was asked for."""
        start = self.real(folder)
        return [folder.rstrip("/") + path[len(start) :] for path in self.inside(folder)]

    def _do_ls(self, words: list[str], given: bytes) -> tuple[bytes, int]:
        (folder,) = [word for word in words if not word.startswith("-")]
        if self.real(folder) not in self.folders:
            raise FileNotFoundError(f"{folder}: No such file or directory")
        long = any(word.startswith("-l") for word in words)
        stamp = self.now.strftime("%Y-%m-%d %H:%M:%S.000000000 +0000")
        rows = []
        for path in self.children(folder):
            name, kind = posixpath.basename(path), "-" if path in self.files else "d"
            size = len(self.files.get(path, b""))
            rows.append(f"{kind}rw-rw---- 1 u0 media {size} {stamp} {name}" if long else name)
        return "".join(row + "\n" for row in rows).encode(), 0


def _stages(line: str) -> list[list[str]]:
    """The programs of a line, each with its words; what is quoted is one word."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>;&")
    lexer.whitespace_split, lexer.commenters = True, ""
    stages: list[list[str]] = [[]]
    for word in lexer:
        if word in ("|", ";", "&&"):
            stages.append([])
        else:
            stages[-1].append(word)
    return stages


def screen_with(*texts: str) -> str:
    """What uiautomator dumps of a screen with these texts."""
    nodes = "".join(
        f'<node text="{text}" class="android.widget.Button" package="app" content-desc="" '
        f'clickable="true" enabled="true" bounds="[0,{place}][100,{place + 9}]" />'
        for place, text in enumerate(texts)
    )
    return f"<?xml version='1.0' ?><hierarchy rotation='0'>{nodes}</hierarchy>"


def _one_pixel() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (1, 1)).save(out, "PNG")
    return out.getvalue()


class FakeDevice:
    """What a referee takes for a phone of the fleet."""

    def __init__(self, phone: FakeAndroid) -> None:
        self.id, self.phone = phone.serial, phone
        self.config = SimpleNamespace(deadline=10.0)
        self.resets: list[int] = []
        self.on_reset: Callable[[], None] = lambda: None

    def reset(self, seed: int) -> None:
        self.resets.append(seed)
        self.on_reset()

    def become_root(self, seconds: float) -> None:
        if not self.phone.root:
            raise DeviceError(f"{self.id} gives adb no root: adbd cannot run as root")
