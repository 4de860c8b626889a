"""The command line of `distrl`: find the command, then import it.

The list of commands is this file's own, not tyro's: tyro would have to import every command to
list it, and `distrl --help` answers in a twentieth of a second because nothing heavy is imported. A
broken extra breaks only the commands that use it.

A command is a module with a function `main(argv) -> int` that returns the exit code, and with
either a dataclass `Arguments` or a table `COMMANDS` of sub-commands (see `arguments.py`). To add
one, write `distrl/cli/<name>.py` and list it in COMMANDS here.

`distrl --tyro-write-completion bash FILE` writes a completion script for bash (or zsh, fish) that
knows every command, sub-command and option; `--tyro-print-completion bash` prints it.

Exit codes: 0 done, 1 done with a bad result, 2 the user asked for something that does not
exist, does not fit, is damaged or is refused by the system (no room, no permission), 130
interrupted, 141 the reader of our output has gone.
"""

from __future__ import annotations

import importlib
import os
import select
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TextIO

from distrl.errors import DistrlError, unknown_name, user_message

COMMANDS: Mapping[str, tuple[str, str]] = {
    "train": ("distrl.cli.train", "train a policy, before and after which it is evaluated"),
    "eval": ("distrl.cli.eval", "evaluate a policy on a task suite"),
    "play": ("distrl.cli.play", "play tasks in a browser page, by hand or with a policy"),
    "phone": ("distrl.cli.phone", "look at the embedded phone, or play a task by hand"),
    "demo": ("distrl.cli.demo", "record how a person does tasks, for policies to learn from"),
    "devices": ("distrl.cli.devices", "list, watch and probe phones over adb, keep some out"),
    "adbd": ("distrl.cli.adbd", "serve the embedded phone to the real adb"),
    "serve": ("distrl.cli.serve", "serve phones and tasks to other frameworks"),
    "suites": ("distrl.cli.suites", "list the task suites and check their splits for leaks"),
    "judge": ("distrl.cli.judge", "compare judges with known outcomes, and try to deceive them"),
    "emulators": ("distrl.cli.emulators", "prepare an AVD that runs start clones of"),
    "export": ("distrl.cli.export", "take policies to devices, and episodes to other tools"),
    "results": ("distrl.cli.results", "make the figures of docs/results.md, and the page"),
    "pretrained": ("distrl.cli.pretrained", "make or list the policies that ship with the package"),
    "film": ("distrl.cli.film", "make a moving picture of what a run's policy did"),
    "runs": ("distrl.cli.runs", "list runs with their success, the newest first"),
    "watch": ("distrl.cli.watch", "look at runs in a browser, live or finished"),
    "cluster": ("distrl.cli.cluster", "start, look at and end a Ray cluster to train on"),
    "bench": ("distrl.cli.bench", "measure speed, memory and robustness on this machine"),
    "doctor": ("distrl.cli.doctor", "say what is installed, what is missing and how to get it"),
}
"""Name of each command: its module, and one line of help."""

_HELP = ("-h", "--help", "help")
_COMPLETION = ("--tyro-print-completion", "--tyro-write-completion")
_SHELLS = ("bash", "fish", "tcsh", "zsh")
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    What the user can do something about (`errors.user_message`: wrong settings, damaged files, a
    full disk) goes to stderr without a traceback. Any other exception is a bug of ours and travels
    on.
    """
    _open_closed_streams()
    try:
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit as stop:
            code = _code_of(stop)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("distrl: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # A pipe to a device may break too, and that must not pass in silence.
        if not _reader_has_gone():
            raise
        return EXIT_BROKEN_PIPE
    except (DistrlError, OSError) as error:
        message = user_message(error)
        if message is None:
            raise
        print(f"distrl: {message}", file=sys.stderr)
        return EXIT_USAGE
    return code


def _open_closed_streams() -> None:
    """Let output go nowhere where the caller closed it (`>&-`), for which Python has None.

    The null device takes the free descriptor too; else the next file that is opened would get it,
    and what a child process prints would be written into that file.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _run(argv: Sequence[str]) -> int:
    """Answer --help and --version, or hand the rest of the line to the named command."""
    first = argv[0] if argv else ""
    if first == "--version":
        print(f"distrl {_version()}")
        return 0
    if first in _HELP:
        _print_commands(sys.stdout)
        return 0
    if not first:
        _print_commands(sys.stderr)
        return EXIT_USAGE
    if first.replace("_", "-") in _COMPLETION:
        _complete(argv)
    if first.startswith("-"):
        raise unknown_name("option", first, ("--help", "--version", *_COMPLETION))
    if first not in COMMANDS:
        raise unknown_name("distrl command", first, COMMANDS)
    code: int = _module(first).main(argv[1:])
    return code


def _print_commands(file: TextIO) -> None:
    width = max(map(len, COMMANDS))
    print(
        "usage: distrl COMMAND [OPTIONS]",
        "",
        "Reinforcement learning for agents that operate phones and browsers.",
        "",
        "commands:",
        *(f"  {name:<{width}}  {line}" for name, (_, line) in COMMANDS.items()),
        "",
        "`distrl COMMAND --help` shows the options of a command,",
        "`distrl --tyro-write-completion bash FILE` writes a completion script (bash, zsh, fish).",
        sep="\n",
        file=file,
    )


def _complete(argv: Sequence[str]) -> NoReturn:
    """Let tyro make its completion script of all commands, which are imported for that."""
    option, shell = argv[0], argv[1] if len(argv) > 1 else ""
    if shell not in _SHELLS:
        raise unknown_name(f"shell of {option}", shell, _SHELLS)
    from distrl.cli.arguments import call_tyro, subcommand_type

    def kind_of(module: ModuleType) -> Any:
        return subcommand_type(module.COMMANDS) if "COMMANDS" in vars(module) else module.Arguments

    everything = {name: (kind_of(_module(name)), main) for name in COMMANDS}
    call_tyro(subcommand_type(everything), argv, prog="distrl", about=None)
    raise SystemExit(EXIT_USAGE)


def _module(command: str) -> ModuleType:
    return importlib.import_module(COMMANDS[command][0])


def _version() -> str:
    # Imported here: reading metadata takes longer than the rest of `--help`.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("distrl")
    except PackageNotFoundError:
        return "(not installed)"


def _reader_has_gone() -> bool:
    """Whether stdout is the broken pipe; if so, the interpreter will not flush it at exit."""
    try:
        descriptor = sys.stdout.fileno()
    except OSError:
        return False
    # Asked of the system, since a failed write to an unbuffered stdout leaves nothing to flush.
    poll = select.poll()
    poll.register(descriptor, 0)
    gone = any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    return gone


def _code_of(stop: SystemExit) -> int:
    """Exit code of a parser that ends the program by itself."""
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    print(stop.code, file=sys.stderr)
    return 1
