"""Child processes: started, supervised and ended by their handle, never by a name.

A child gets one end of a pipe and exchanges JSON messages through it. When the parent dies, in
whatever way, the child reads end-of-file and exits too. Its output goes to a file.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from distrl.errors import ConfigError, PipelineError, ResourceError, user_message

_POLL_SECONDS = 0.2
"""How long `run` waits for a message before it looks whether to stop."""
_DEATH_SECONDS = 10.0
"""A killed process is gone in milliseconds, unless it hangs in a driver or on a disk."""
_LAST_LINES = 30
"""Enough of a log for a traceback."""
_PACKAGE_ROOT = Path(__file__).resolve().parents[3]

Message = dict[str, Any]


class OwnProcess:
    """A Python process that this one started and may end.

    It has a session of its own, so that Ctrl-C in this terminal does not reach it: the parent ends
    it in order.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        log: Path,
        keep_open: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> None:
        """Start Python with these arguments; its output is appended to `log`.

        `environment` is added to this process's own. `before` is put in front of the command, for
        a program that executes the rest of its arguments, such as `ip netns exec`.
        """
        self._log = log
        # The child runs the code of this process, whatever else is installed.
        paths = [str(_PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        with log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603 - our own package
                [*before, sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=keep_open,
                start_new_session=True,
                env={
                    **os.environ,
                    **(environment or {}),
                    "PYTHONPATH": os.pathsep.join(paths),
                },
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def wait(self, timeout: float) -> int | None:
        """Its exit code, negative for a signal; None when it has not ended within `timeout`."""
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def terminate(self) -> None:
        """Send it SIGTERM."""
        self._process.terminate()

    def kill(self) -> None:
        """Send it SIGKILL and wait for its end; a second call does nothing."""
        if self.running:
            self._process.kill()
            self._process.wait(_DEATH_SECONDS)

    def exit_report(self) -> str:
        """How it ended, for people, with the last lines of its log."""
        code = self.wait(_DEATH_SECONDS)
        if code is None:
            return "hung up"
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        lines = self._log.read_text("utf-8", errors="replace").splitlines()[-_LAST_LINES:]
        said = "".join(f"\n    {line}" for line in lines)
        return f"{how}; the end of {self._log}:{said}"


class Child:
    """Runs a module of this package in a child process, and exchanges messages with it."""

    def __init__(self, name: str, module: str, arguments: Sequence[str], *, log: Path) -> None:
        """Start it."""
        self.name, self._log = name, log
        self._line, theirs = Pipe()
        self._stopping = False
        self._process = OwnProcess(
            ["-m", module, *arguments, str(theirs.fileno())],
            log=log,
            keep_open=[theirs.fileno()],
        )
        theirs.close()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def send(self, message: Message) -> None:
        """Send a message. A child that is dead is no error here; `receive` raises for it."""
        with suppress(OSError):
            self._line.send_bytes(json.dumps(message).encode())

    def receive(self, *, timeout: float) -> Message | None:
        """Its next message; None when none comes within `timeout`.

        Raises PipelineError when it has failed, or ended without having been asked to,
        ResourceError when that was because the system refused it a file, and ConfigError when it
        was because of what the user asked for.
        """
        try:
            if not self._line.poll(timeout):
                return None
            message: Message = json.loads(self._line.recv_bytes())
        except (EOFError, OSError):
            if self._stopping:
                return None
            raise PipelineError(f"the {self.name} {self._process.exit_report()}") from None
        if "misconfigured" in message:
            raise ConfigError(f"the {self.name}: {message['misconfigured']}")
        if "refused" in message:
            raise ResourceError(f"the {self.name}: {message['refused']}")
        if "failed" in message:
            raise PipelineError(f"the {self.name} failed:\n{message['failed']}")
        return message

    def run(self, on_message: Callable[[Message], None], stopping: threading.Event) -> None:
        """Pass its messages to `on_message` until it is time to stop."""
        while not stopping.is_set():
            message = self.receive(timeout=_POLL_SECONDS)
            if message is not None:
                on_message(message)

    def stop(self, message: Message, *, timeout: float) -> None:
        """Send a message that asks it to end, and wait for that.

        Raises PipelineError when it does not end in time, after killing it, or ends with an error.
        """
        self._stopping = True
        self.send(message)
        code = self._process.wait(timeout)
        if code is None:
            self.kill()
            raise PipelineError(
                f"the {self.name} did not stop within {timeout:g} s and was killed; "
                f"its last words are in {self._log}"
            )
        if code:
            raise PipelineError(f"the {self.name} {self._process.exit_report()}")

    def kill(self) -> None:
        """Kill it; a second call does nothing."""
        self._stopping = True
        self._process.kill()
        self._line.close()


class Parent:
    """The child's end of the pipe."""

    def __init__(self, descriptor: int) -> None:
        """Listen in a thread of its own, which exits this process when the parent is gone."""
        self._line = Connection(descriptor)
        self._lock = threading.Lock()
        self.messages: list[Message] = []
        self.stopping = threading.Event()
        threading.Thread(target=self._listen, name="parent", daemon=True).start()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message. Any thread may call."""
        with self._lock:
            self._line.send_bytes(json.dumps(dict(message)).encode())

    def run(self, work: Callable[[], None]) -> int:
        """Do the work of this process; returns its exit code, and sends the parent any error."""
        try:
            work()
        except ConfigError as error:  # what only building could find out, such as a bad plug-in
            self.tell({"misconfigured": str(error)})
            return 1
        except OSError as error:
            refused = user_message(error)
            if refused is None:
                self.tell({"failed": traceback.format_exc()})
            else:
                self.tell({"refused": refused})
            return 1
        except BaseException:  # noqa: BLE001 - told to the parent
            # Also for SystemExit and KeyboardInterrupt: the parent waits for a message, whatever
            # ended the work.
            self.tell({"failed": traceback.format_exc()})
            return 1
        return 0

    def _listen(self) -> None:
        try:
            while True:
                message = json.loads(self._line.recv_bytes())
                if "stop" in message:
                    self.stopping.set()
                self.messages.append(message)
        except (EOFError, OSError):
            # Whoever started us is gone, and may come back on the same folder. All that counts
            # is on the disk already, as it would be if we had been killed too.
            os._exit(1)


def end_process(code: int) -> NoReturn:
    """Exit a child process whose work is done and durable, without tearing the interpreter down.

    Threads of native libraries (gloo, autograd) outlive the work. One that asks for the interpreter
    lock while Python finalises is ended by a forced unwind through C++ frames, which aborts the
    process: now and then a learner that had saved everything would end as if it had crashed.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
