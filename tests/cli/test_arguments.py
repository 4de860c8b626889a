from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import pytest
import tyro

from distrl.cli.arguments import choose, parse
from distrl.errors import ConfigError


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


def test_choose_splits_the_name_from_the_rest() -> None:
    line = ["show", "--app", "clock"]
    assert choose(line, {"show": "shows"}, prog="distrl phone", about="") == ("show", line[1:])


def test_choose_answers_an_unknown_name_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"unknown distrl phone command 'shwo'.*'show'\?"):
        choose(["shwo"], {"show": "shows"}, prog="distrl phone", about="")
