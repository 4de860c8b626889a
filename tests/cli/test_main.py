import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from distrl.cli import main as cli
from distrl.errors import ConfigError

HEAVY = ("torch", "ray", "transformers", "playwright", "gymnasium", "numpy", "pydantic", "tyro")
"""What `distrl --help` has to do without."""


def run_distrl(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does."""
    command = [sys.executable, "-m", "distrl", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def heavy_modules_after(code: str, path: Path) -> list[str]:
    """Run `code` in a new interpreter where each heavy module exists; those it imported."""
    for name in HEAVY:
        (path / f"{name}.py").touch()
    report = f"import sys, json; print(json.dumps(sorted(set({HEAVY!r}) & set(sys.modules))))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(path)},
        check=True,
    )
    imported: list[str] = json.loads(done.stdout.splitlines()[-1])
    return imported


def use_command(monkeypatch: pytest.MonkeyPatch, failure: BaseException | int | None) -> None:
    """Let the only command, `act`, raise the failure or return the number."""

    def act(argv: list[str]) -> int:
        if isinstance(failure, BaseException):
            raise failure
        return failure or 0

    module = ModuleType("fake_command")
    module.__dict__["main"] = act
    monkeypatch.setitem(sys.modules, "fake_command", module)
    monkeypatch.setattr(cli, "COMMANDS", {"act": ("fake_command", "acts")})


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "from distrl.cli.main import main; assert main(['--help']) == 0"
    assert heavy_modules_after(code, tmp_path) == []


def test_the_check_for_heavy_imports_sees_them(tmp_path: Path) -> None:
    code = "from distrl.cli.main import main; import torch, tyro"
    assert heavy_modules_after(code, tmp_path) == ["torch", "tyro"]


def test_help_lists_every_command_on_stdout() -> None:
    done = run_distrl("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name, (_, help_line) in cli.COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert help_line in done.stdout


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_listed_command_exists_and_has_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(importlib.import_module(cli.COMMANDS[name][0]).main)
    assert cli.main([name, "--help"]) == 0
    assert f"distrl {name}" in capsys.readouterr().out


def test_an_unknown_command_ends_with_2_the_nearest_name_and_no_traceback() -> None:
    done = run_distrl("docter")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "'docter'" in done.stderr
    assert "did you mean 'doctor'?" in done.stderr
    assert "Traceback" not in done.stderr
    for name in cli.COMMANDS:
        assert name in done.stderr


def test_an_unknown_option_before_the_command_names_the_right_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["--versoin"]) == 2
    assert "did you mean '--version'?" in capsys.readouterr().err


def test_no_command_shows_the_list_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "doctor" in capsys.readouterr().err


def test_version_says_name_and_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    name, number = capsys.readouterr().out.split()
    assert name == "distrl"
    assert number[0].isdigit()


def test_the_exit_code_is_the_command_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    use_command(monkeypatch, 7)
    assert cli.main(["act"]) == 7


def test_a_config_error_is_one_line_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_command(monkeypatch, ConfigError("slots must be at least 1, got 0"))
    assert cli.main(["act"]) == 2
    assert capsys.readouterr().err == "distrl: slots must be at least 1, got 0\n"


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    use_command(monkeypatch, KeyboardInterrupt())
    assert cli.main(["act"]) == 130


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    use_command(monkeypatch, RuntimeError("a bug"))
    with pytest.raises(RuntimeError, match="a bug"):
        cli.main(["act"])


def test_a_broken_pipe_that_is_not_ours_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    use_command(monkeypatch, BrokenPipeError("the device has gone"))
    with pytest.raises(BrokenPipeError):
        cli.main(["act"])


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_error(
    monkeypatch: pytest.MonkeyPatch, unbuffered: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "distrl", "--help"]
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60
    )
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141
