import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import tyro

from distrl.cli.arguments import Commands, default_hint, parse, placeholder, run_subcommand
from distrl.cli.main import COMMANDS, main
from distrl.errors import ConfigError, unknown_name


class Speed(StrEnum):
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Try things."""

    words: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Whatever."""
    suite: Literal["general", "shopping"] = "general"
    """Which tasks."""
    speed: Speed = Speed.SLOW
    """How fast."""
    max_steps: int | None = None
    """At most this many."""
    json: bool = False
    """Print JSON."""


def read(*argv: str) -> Options:
    return parse(Options, argv, prog="distrl try")


def test_nothing_given_means_the_defaults() -> None:
    assert read() == Options()


def test_every_kind_of_option_is_read() -> None:
    given = read("a", "b", "--suite", "shopping", "--speed=fast", "--max-steps", "3", "--json")
    assert given == Options(
        words=("a", "b"), suite="shopping", speed=Speed.FAST, max_steps=3, json=True
    )


def test_words_may_stand_on_both_sides_of_options() -> None:
    given = read("a", "--max-steps", "3", "b", "--json", "c")
    assert given == Options(words=("a", "b", "c"), max_steps=3, json=True)


def test_underscores_and_dashes_are_the_same() -> None:
    assert read("--max_steps", "3").max_steps == 3


@pytest.mark.parametrize(
    ("argv", "received", "nearest", "allowed"),
    [
        (["--siute", "general"], "'--siute'", "'--suite'", "--max-steps"),
        (["--suite", "generl"], "'generl'", "'general'", "shopping"),
        (["--suite=shoping"], "'shoping'", "'shopping'", "general"),
        (["--speed", "fst"], "'fst'", "'fast'", "slow"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_and_all_allowed(
    argv: list[str], received: str, nearest: str, allowed: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        read(*argv)
    for expected in (received, f"did you mean {nearest}?", allowed):
        assert expected in str(raised.value)


@pytest.mark.parametrize("argv", [["--max-steps", "many"], ["--max-steps"], ["--suite"]])
def test_a_wrong_or_missing_value_ends_with_2_and_names_the_option(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        read(*argv)
    shown = capsys.readouterr()
    assert stop.value.code == 2
    assert shown.out == ""
    assert argv[0] in shown.err


def test_help_ends_with_0_and_shows_each_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        read("--help")
    shown = capsys.readouterr().out
    assert stop.value.code == 0
    for expected in ("Try things.", "--suite", "general,shopping", "At most this many."):
        assert expected in shown


@dataclass(frozen=True, kw_only=True)
class Show:
    """Draw the phone.

    All of its screens, or one.
    """

    app: str | None = None
    """Only this app."""
    layout: Literal["old", "new"] = "new"
    """Layout of all apps."""


@dataclass(frozen=True, kw_only=True)
class Play:
    """Play a task by hand."""

    task: Annotated[str, tyro.conf.Positional]
    """The task."""


def run(*argv: str, ran: list[object] | None = None) -> int:
    """Run `show`, which returns 7, or `play`, which returns 0; what they were given is in `ran`."""
    seen: list[object] = [] if ran is None else ran

    def runs(code: int) -> Callable[[object], int]:
        def command(arguments: object) -> int:
            seen.append(arguments)
            return code

        return command

    commands: Commands = {"show": (Show, runs(7)), "play": (Play, runs(0))}
    return run_subcommand(commands, argv, prog="distrl phone", about="Look at the phone.")


def test_the_named_sub_command_runs_with_its_options_and_its_exit_code_is_returned() -> None:
    ran: list[object] = []
    assert run("show", "--app", "clock", ran=ran) == 7
    assert run("play", "general/val/0", ran=ran) == 0
    assert ran == [Show(app="clock"), Play(task="general/val/0")]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["shwo"], r"unknown distrl phone command 'shwo'; did you mean 'show'\? \(allowed: pl"),
        (["--app", "clock"], "unknown distrl phone command '--app'"),
        (["show", "--ap", "x"], r"unknown distrl phone show option '--ap'; did you mean '--app'\?"),
        (["show", "--layout", "od"], r"distrl phone show --layout 'od'; did you mean 'old'\?"),
        (["play", "--task", "x"], "unknown distrl phone play option '--task'"),
    ],
)
def test_a_wrong_name_of_a_sub_command_or_in_it_is_answered_with_the_nearest(
    argv: list[str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        run(*argv)


def test_the_list_of_sub_commands_shows_the_first_paragraph_of_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        run("--help")
    shown = capsys.readouterr().out
    assert stop.value.code == 0
    for expected in ("distrl phone", "Look at the phone.", "Draw the phone.", "Play a task"):
        assert expected in shown
    assert "All of its screens" not in shown


def test_the_help_of_a_sub_command_shows_its_whole_docstring(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        run("show", "--help")
    shown = capsys.readouterr().out
    assert stop.value.code == 0
    for expected in ("distrl phone show", "Draw the phone.", "All of its screens", "Only this app"):
        assert expected in shown


@pytest.mark.parametrize("argv", [[], ["play"]])
def test_what_is_missing_is_told_on_stderr_with_2(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(*argv)
    shown = capsys.readouterr()
    assert (stop.value.code, shown.out) == (2, "")
    assert ("TASK" if argv else "show, play") in shown.err


@dataclass(frozen=True, kw_only=True)
class NoWords:
    """Options alone."""

    suite: str = "general"
    """Which tasks."""
    seeds: tuple[int, ...] | None = None
    """Any number."""
    json: bool = False
    """Print JSON."""


@pytest.mark.parametrize(
    "argv", [["pretrained"], ["--json", "pretrained"], ["--suite", "general", "pretrained"]]
)
def test_a_word_that_belongs_to_no_option_is_refused_with_the_options(argv: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"options only, got 'pretrained' .*--suite"):
        parse(NoWords, argv, prog="distrl try")


def test_values_of_options_are_no_such_words() -> None:
    line = ["--suite=general", "--json", "--seeds", "1", "-2"]
    assert parse(NoWords, line, prog="distrl try") == NoWords(seeds=(1, -2), json=True)


def test_dashes_make_no_option_the_nearest() -> None:
    assert "did you mean" not in str(unknown_name("option", "--rounds", ["--out", "--json"]))
    assert "did you mean '--out'" in str(unknown_name("option", "--ot", ["--out", "--json"]))


@pytest.mark.parametrize(
    ("name", "hint", "shown"),
    [
        ("suite", str | None, "TEXT"),
        ("tasks", int | None, "NUMBER"),
        ("rate", float, "NUMBER"),
        ("costs", Path | None, "FILE"),
        ("run_dir", str | None, "FOLDER"),
        ("seconds", float | None, "SECONDS"),
        ("judge", tuple[str, ...] | None, "TEXT ..."),
        ("speed", Speed, "{slow,fast}"),
        ("layout", Literal[1, 2] | None, "{1,2}"),
        ("json", bool, None),
        ("odd", int | str, None),
    ],
)
def test_help_names_a_value_in_words_of_people(name: str, hint: Any, shown: str | None) -> None:
    assert placeholder(name, hint) == shown


@pytest.mark.parametrize(
    ("default", "shown"),
    [("None", ""), ("''", ""), ("False", ""), ("", ""), ("8", "(default: 8)")],
)
def test_help_shows_a_default_only_where_there_is_one(default: str, shown: str) -> None:
    assert default_hint(default) == shown


def _help_lines() -> list[list[str]]:
    lines = []
    for name, (module, _) in COMMANDS.items():
        below: Commands = getattr(importlib.import_module(module), "COMMANDS", {})
        lines += [[name, command, "--help"] for command in below] or [[name, "--help"]]
    return lines


@pytest.mark.parametrize("argv", _help_lines(), ids=" ".join)
def test_the_help_of_no_command_shows_types_of_python(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert "--help" in shown
    assert not re.findall(r"\b(None|STR|INT|FLOAT|False)\b|\(default: *\)", shown)


def with_field(name: str) -> list[list[str]]:
    """Every command, as it is written, that has an option of this name."""
    found = []
    for command, (module, _) in COMMANDS.items():
        loaded = importlib.import_module(module)
        kinds = getattr(loaded, "COMMANDS", {"": (getattr(loaded, "Arguments", None), None)})
        for sub, (kind, _) in kinds.items():
            if name in {field.name for field in fields(kind)}:
                found.append([command, *([sub] if sub else [])])
    return found


@pytest.mark.parametrize("seed", ["-1", "12345678901234567890123"])
@pytest.mark.parametrize("command", with_field("seed"), ids=" ".join)
def test_every_command_with_a_seed_refuses_one_that_cannot_work(
    command: list[str], seed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--seed", seed]) == 2
    expected = f"--seed must be a whole number, from 0 to 9007199254740991, got {seed}"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("command", with_field("port"), ids=" ".join)
def test_every_command_with_a_port_refuses_one_that_there_is_not(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--port", "-5"]) == 2
    assert "--port must be a whole number, from 0 to 65535, got -5" in capsys.readouterr().err
