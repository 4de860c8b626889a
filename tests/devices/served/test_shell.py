from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.served import shell
from distrl.devices.served.shell import Files, Result, ShellSyntaxError, Word


def _run(line: str, held: dict[str, bytes] | None = None) -> Result:
    """Run with three programs: say (its arguments), fail (with a code), cat."""
    held = {} if held is None else held

    def program(words: list[str], stdin: bytes) -> Result:
        match words:
            case ["say", *rest]:
                return Result("|".join(rest).encode() + b"\n")
            case ["fail", code]:
                return Result(b"", b"failed\n", int(code))
            case _:
                return Result(stdin)

    def write(path: str, content: bytes) -> bool:
        if path == "/full":
            return False
        held[path] = content
        return True

    return shell.run(line, program, Files(held.get, write))


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
@settings(max_examples=300, deadline=None)
def test_quoted_words_come_out_as_they_went_in(words: list[str]) -> None:
    found = list(shell.tokens(" ".join(shlex.quote(word) for word in words)))
    assert [token.expand(0) for token in found if isinstance(token, Word)] == words


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say a b", "a|b\n"),
        ('say \'a  b\'"c\\"d" e\\ f', 'a  bc"d|e f\n'),
        ("say a; say b", "a\nb\n"),
        ("say a && say b", "a\nb\n"),
        ("fail 1 && say b", ""),
        ("fail 1 || say b", "b\n"),
        ("say a || say b", "a\n"),
        ("fail 3; say $?", "3\n"),
        ('fail 3; say "code:$?"', "code:3\n"),
        ("say a | cat | cat", "a\n"),
        ("say a # and no more", "a\n"),
        ("say a#b $ 5$", "a#b|$|5$\n"),
        ("say a\nsay b", "a\nb\n"),
        ("fail 1 2>&1", "failed\n"),
        ("say a 2>/dev/null", "a\n"),
        ("", ""),
    ],
)
def test_lines_mean_what_they_mean_to_sh(line: str, said: str) -> None:
    assert _run(line).stdout.decode() == said


@pytest.mark.parametrize(
    "line",
    ["say $(reboot)", "say `reboot`", "say $HOME", "say ${x}", "say a & say b", "(say a)",
     'say "$(x)"', 'say "`x`"', "say 'a", 'say "a', "| say a", "say a &&", "say a | | say b",
     "say >"],
)  # fmt: skip
def test_what_it_does_not_do_is_refused_and_not_run(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        shell.parse(line)
    done = _run(line)
    assert (done.stdout, done.code) == (b"", 2)
    assert b"syntax error" in done.stderr


def test_output_goes_where_it_is_sent() -> None:
    held: dict[str, bytes] = {}
    assert _run("say a > /f; say b >> /f; fail 1 2> /e", held).stdout == b""
    assert held == {"/f": b"a\nb\n", "/e": b"failed\n"}
    assert _run("cat < /f", held).stdout == b"a\nb\n"
    _run("fail 1 > /both 2>&1", held)
    assert held["/both"] == b"failed\n"


def test_files_that_cannot_be_used_are_named() -> None:
    assert _run("cat < /missing").code == 1
    assert b"/full" in _run("say a > /full").stderr
