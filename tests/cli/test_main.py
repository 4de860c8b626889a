import ast
import errno
import importlib
import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest
import tyro

from distrl.cli import main as cli
from distrl.errors import ConfigError, PipelineError, ResourceError, StoreError, WeightsError

HEAVY = ("torch", "ray", "transformers", "playwright", "gymnasium", "numpy", "pydantic", "tyro")
"""What `distrl --help` has to do without."""
BASH = shutil.which("bash") or ""


def leaves() -> Iterator[tuple[list[str], type[Any]]]:
    """Every command that does something, as words of the line, with the class of its options."""
    for name, (where, _) in cli.COMMANDS.items():
        module = importlib.import_module(where)
        if "COMMANDS" not in vars(module):
            yield [name], module.Arguments
            continue
        for sub_command, (kind, _) in module.COMMANDS.items():
            yield [name, sub_command], kind


LEAVES = [pytest.param(line, kind, id=" ".join(line)) for line, kind in leaves()]
GROUPS = sorted({line[0] for line, _ in leaves() if len(line) > 1})


def options_of(kind: type[Any]) -> list[str]:
    """The options of a command; its positional arguments are not among them."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        f"--{field.name.rstrip('_').replace('_', '-')}"
        for field in fields(kind)
        if tyro.conf.Positional not in get_args(hints[field.name])
    ]


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


@pytest.mark.parametrize(("line", "kind"), LEAVES)
def test_the_help_of_a_command_ends_with_0_and_names_all_of_its_options(
    line: list[str], kind: type[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*line, "--help"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert f"usage: distrl {' '.join(line)} " in shown.out
    for option in options_of(kind):
        assert f" {option} " in shown.out


@pytest.mark.parametrize(("line", "kind"), LEAVES)
def test_every_option_is_described_in_a_sentence(line: list[str], kind: type[Any]) -> None:
    described: dict[str, str] = {}
    for cls in reversed(kind.__mro__[:-1]):
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, [*body.body[1:], ast.Pass()], strict=True):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                described[field.target.id] = (
                    ast.literal_eval(text.value) if isinstance(text, ast.Expr) else ""
                )
    assert set(described) == {field.name for field in fields(kind)}
    assert [name for name, text in described.items() if not text.endswith(".")] == []


@pytest.mark.parametrize(("line", "kind"), LEAVES)
def test_a_mistyped_option_ends_with_2_and_the_right_one(
    line: list[str], kind: type[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    right = max(options_of(kind), key=len, default="--help")
    assert cli.main([*line, f"{right}x"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert f"distrl {' '.join(line)} option '{right}x'" in shown.err
    assert f"did you mean {right!r}?" in shown.err


@pytest.mark.parametrize("line", [line for line, _ in leaves() if len(line) > 1], ids=" ".join)
def test_a_mistyped_sub_command_ends_with_2_and_the_right_one(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    group, right = line
    assert cli.main([group, f"{right}x"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert f"unknown distrl {group} command '{right}x'; did you mean '{right}'?" in shown.err


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_lists_its_sub_commands(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([group, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"usage: distrl {group} " in shown
    for line, _ in leaves():
        if line[0] == group:
            assert f" {line[1]} " in shown


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_without_a_sub_command_ends_with_2_and_names_them_on_stderr(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([group]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for line, _ in leaves():
        if line[0] == group:
            assert line[1] in shown.err


def test_no_command_imports_a_heavy_library_to_show_its_help() -> None:
    code = (
        "import sys, json; from distrl.cli.main import COMMANDS, main\n"
        "for name in COMMANDS: assert main([name, '--help']) == 0\n"
        "heavy = {'torch', 'ray', 'transformers', 'playwright', 'gymnasium', 'fastapi'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "\n"


def completions(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    code = (
        f'source {script}; COMP_WORDS=(distrl "$@"); COMP_CWORD=$#; _tyro_distrl; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [BASH, "-c", code, "bash", *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
    )
    return set(done.stdout.split())


@pytest.mark.skipif(not BASH, reason="needs bash")
def test_bash_completes_commands_sub_commands_and_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--tyro-print-completion", "bash"]) == 0
    script = tmp_path / "distrl.bash"
    script.write_text(capsys.readouterr().out)
    assert set(cli.COMMANDS) <= completions(script, "")
    assert completions(script, "cl") == {"cluster"}
    assert {"up", "status", "down", "join"} <= completions(script, "cluster", "")
    assert completions(script, "train", "--re") == {"--recipe", "--resume"}
    assert completions(script, "bench", "table", "--no") == {"--no-runs"}


def test_a_completion_script_is_written_for_zsh(tmp_path: Path) -> None:
    assert cli.main(["--tyro-write-completion", "zsh", str(tmp_path / "_distrl")]) == 0
    assert "#compdef distrl" in (tmp_path / "_distrl").read_text()


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


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
def test_a_closed_stdout_is_no_error(closed: str) -> None:
    line = f'"{sys.executable}" -m distrl --help {closed}'
    done = subprocess.run(
        [BASH, "-c", line], stderr=subprocess.PIPE, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "/here"), "/here: Permission denied"),
        (StoreError("runs/a: this is not an episode store"), "this is not an episode store"),
        (WeightsError("step-5 is damaged"), "step-5 is damaged"),
        (ResourceError("the learner: no room"), "the learner: no room"),
    ],
)
def test_what_the_system_refuses_and_what_is_damaged_is_told_without_a_traceback(
    error: Exception,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use_command(monkeypatch, error)
    assert cli.main(["act"]) == 2
    shown = capsys.readouterr().err
    assert told in shown
    assert shown.count("\n") == 1


@pytest.mark.parametrize(
    "error",
    [ConnectionResetError(errno.ECONNRESET, "reset"), TimeoutError("slow"), PipelineError("ended")],
)
def test_errors_of_sockets_and_of_our_own_loops_keep_their_traceback(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_command(monkeypatch, error)
    with pytest.raises(type(error)):
        cli.main(["act"])


def test_ctrl_c_before_there_is_a_command_shows_no_traceback() -> None:
    # The import of the command line interrupts itself, as a person would who is very quick.
    code = (
        "import os, signal, sys; from distrl.__main__ import run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored below nohup\n"
        "class Quick:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'distrl.cli.main': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Quick()); run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGINT
    assert done.stderr == ""


@pytest.mark.parametrize("line", [["--tyro-print-completion", "fsh"], ["--tyro-print-completion"]])
def test_a_shell_that_has_no_completion_is_told_with_the_nearest(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(line) == 2
    assert "(allowed: bash, fish, tcsh, zsh)" in capsys.readouterr().err
