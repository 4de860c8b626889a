from __future__ import annotations

import os
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from distrl.clock import RealClock
from distrl.errors import ConfigError, PipelineError, ResourceError
from distrl.run.processes.child import Child, Message, OwnProcess

Start = Callable[[str], Child]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a child whose module is the given code; `parent` is its line to us."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    children: list[Child] = []

    def begin(code: str) -> Child:
        head = "import sys, time, os\nfrom distrl.run.processes.child import Parent\n"
        head += "parent = Parent(int(sys.argv[-1]))\n"
        (tmp_path / "made_up.py").write_text(head + textwrap.dedent(code))
        children.append(Child("helper", "made_up", ["one"], log=tmp_path / "log"))
        return children[-1]

    yield begin
    for child in children:
        child.kill()


def heard(child: Child) -> Message:
    message = child.receive(timeout=60)
    assert message is not None
    return message


def test_both_sides_hear_each_other(start: Start) -> None:
    child = start(
        """
        parent.tell({"arguments": sys.argv[1:-1]})
        parent.stopping.wait(60)
        parent.tell({"told": parent.messages})
        """
    )
    assert heard(child) == {"arguments": ["one"]}
    child.send({"stop": True, "why": "enough"})
    assert heard(child) == {"told": [{"stop": True, "why": "enough"}]}


def test_a_child_whose_work_is_done_runs_no_teardown_that_could_abort_it(
    start: Start, tmp_path: Path
) -> None:
    child = start(
        """
        import atexit
        from distrl.run.processes.child import end_process

        atexit.register(os.abort)
        parent.stopping.wait(60)
        print("last words", end="")
        end_process(0)
        """
    )
    child.stop({"stop": True}, timeout=60)
    assert (tmp_path / "log").read_text() == "last words"


def test_silence_is_not_an_error(start: Start) -> None:
    child = start("parent.stopping.wait(60)")
    assert child.receive(timeout=0.01) is None
    child.stop({"stop": True}, timeout=60)


def test_a_failure_arrives_with_its_words(start: Start) -> None:
    child = start('parent.tell({"failed": "ZeroDivisionError: oops"})')
    with pytest.raises(PipelineError, match="the helper failed:\nZeroDivisionError: oops"):
        heard(child)


def test_an_unexpected_end_is_told_with_the_last_words(start: Start) -> None:
    child = start('print("so long"); sys.exit(3)')
    with pytest.raises(PipelineError, match=r"ended with code 3(.|\n)*so long"):
        heard(child)


def test_a_kill_is_told_as_such(start: Start) -> None:
    child = start('parent.tell({"pid": os.getpid()}); parent.stopping.wait(60)')
    assert heard(child) == {"pid": child.pid}
    os.kill(child.pid, 9)
    with pytest.raises(PipelineError, match="was killed by signal 9"):
        heard(child)


def test_listening_ends_with_the_run_and_hears_everything_before(start: Start) -> None:
    child = start('parent.tell({"n": 1}); parent.tell({"n": 2}); parent.stopping.wait(60)')
    messages: list[Message] = []
    stopping = threading.Event()

    def on_message(message: Message) -> None:
        messages.append(message)
        if len(messages) == 2:
            stopping.set()

    child.run(on_message, stopping)
    assert messages == [{"n": 1}, {"n": 2}]
    child.stop({"stop": True}, timeout=60)


def test_one_that_does_not_stop_is_killed_and_that_is_an_error(start: Start) -> None:
    child = start("parent.tell({}); time.sleep(60)")
    heard(child)
    with pytest.raises(PipelineError, match=r"did not stop within 0\.2 s and was killed"):
        child.stop({"stop": True}, timeout=0.2)


def test_a_bad_end_after_the_stop_is_an_error_too(start: Start) -> None:
    child = start("parent.stopping.wait(60); sys.exit(4)")
    with pytest.raises(PipelineError, match="ended with code 4"):
        child.stop({"stop": True}, timeout=60)


def test_a_child_does_not_outlive_its_parent(tmp_path: Path, start: Start) -> None:
    child = start(
        """
        from pathlib import Path
        from distrl.run.processes.child import Child
        inner = Child("inner", "made_up_inner", [], log=Path(sys.argv[0]).with_name("inner.log"))
        parent.tell(inner.receive(timeout=60))
        parent.stopping.wait(60)
        """
    )
    (tmp_path / "made_up_inner.py").write_text(
        "import sys, os, time\nfrom distrl.run.processes.child import Parent\n"
        "parent = Parent(int(sys.argv[-1]))\nparent.tell({'pid': os.getpid()})\ntime.sleep(600)\n"
    )
    inner = heard(child)["pid"]
    os.kill(child.pid, 9)

    def is_gone() -> bool:
        with suppress(ProcessLookupError, FileNotFoundError):
            state = Path(f"/proc/{inner}/stat").read_text().rsplit(")", 1)[1].split()[0]
            return state == "Z"
        return True

    assert RealClock().wait_until(is_gone, timeout=60)


def test_an_own_process_is_ended_by_its_handle(tmp_path: Path) -> None:
    process = OwnProcess(["-c", "import time; time.sleep(600)"], log=tmp_path / "log")
    assert process.running
    assert process.wait(0.01) is None
    process.terminate()
    assert process.wait(60) == -15
    process.kill()
    assert not process.running


def test_an_own_process_can_import_this_package(tmp_path: Path) -> None:
    process = OwnProcess(["-c", "import distrl; print('here')"], log=tmp_path / "log")
    assert process.wait(60) == 0
    assert (tmp_path / "log").read_text() == "here\n"


def test_a_child_that_the_system_refuses_a_file_says_so_without_a_traceback(start: Start) -> None:
    child = start("""
        def work():
            raise OSError(28, "No space left on device", "checkpoints/step-5")
        sys.exit(parent.run(work))
    """)
    with pytest.raises(ResourceError) as caught:
        child.receive(timeout=60)
    assert str(caught.value) == "the helper: checkpoints/step-5: No space left on device"


def test_what_a_child_finds_wrong_with_the_settings_is_the_users_business(start: Start) -> None:
    child = start("""
        from distrl.errors import ConfigError
        def work():
            raise ConfigError("policy.name 'odd' cannot be used")
        sys.exit(parent.run(work))
    """)
    with pytest.raises(ConfigError) as caught:
        child.receive(timeout=60)
    assert str(caught.value) == "the helper: policy.name 'odd' cannot be used"
