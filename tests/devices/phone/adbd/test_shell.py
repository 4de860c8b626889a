from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.phone.adbd import shell
from distrl.devices.phone.adbd.shell import Files, Result, Session, ShellSyntaxError, Word


def _run(line: str, held: dict[str, bytes] | None = None, session: Session | None = None) -> Result:
    """Run with four programs: say (its arguments), fail (with a code), inner (a line), cat."""
    held = {} if held is None else held

    def program(words: list[str], session: Session) -> Result:
        match words:
            case ["say", *rest]:
                return Result("|".join(rest).encode() + b"\n")
            case ["fail", code]:
                return Result(b"", b"failed\n", int(code))
            case ["inner", line]:
                return shell.run(line, program, files, session.inner())
            case _:
                return Result(session.read())

    def write(path: str, content: bytes) -> bool:
        if path == "/full" or len(content) > 100:
            return False
        held[path] = content
        return True

    files = Files(held.get, write, lambda path: path in ("/", "/in", "/in/side"))
    return shell.run(line, program, files, session)


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
        ("cat < /dev/null", ""),
        ("say a; exit; say b", "a\n"),
        ("exit 3 | cat; say b", "b\n"),
        ("inner 'exit 3'; say $?", "3\n"),
        ("say a | inner 'cat; cat'", "a\n"),
        ("pwd; cd in && pwd; cd side; cd ..; pwd; cd; pwd", "/\n/in\n/in\n/\n"),
        ("cd /in | cat; inner 'cd /in'; pwd", "/\n"),
        ("cd /none || say no", "no\n"),
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


@pytest.mark.parametrize(
    ("line", "code"),
    [("exit 3", 3), ("exit 3; say a", 3), ("exit 259", 3), ("fail 4; exit", 4), ("exit", 0),
     ("exit x", 1), ("exit 0 || fail 2", 0), ("fail 2 || exit 5", 5), ("cd /none", 2),
     ("inner 'fail 6'", 6)],
)  # fmt: skip
def test_lines_end_as_they_end_in_sh(line: str, code: int) -> None:
    assert _run(line).code == code


def test_session_goes_on_from_line_to_line() -> None:
    session = Session()
    assert _run("cd /in; fail 3", session=session).code == 3
    assert _run("say $?; pwd", session=session).stdout == b"3\n/in\n"
    assert not session.over
    assert _run("exit 7", session=session).code == 7
    assert session.over


def test_nothing_is_waited_for_that_nobody_reads() -> None:
    def never() -> bytes:
        raise AssertionError("nobody wants to read")

    held = {"/f": b"f"}
    for line in ("say a", "say a | cat", "cat < /f", "cd /in; exit 1"):
        _run(line, held, Session(never))
    given = [b"typed"]
    session = Session(lambda: given.pop() if given else b"")
    assert _run("say a; cat; cat", session=session).stdout == b"a\ntyped"


def test_folder_is_where_redirections_lead() -> None:
    held: dict[str, bytes] = {}
    _run("cd /in; say a > f; cat < f > /g", held)
    assert held == {"/in/f": b"a\n", "/g": b"a\n"}


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
    assert b"/caf\xe9" in _run("cat < /caf\udce9").stderr
    done = _run(f"say {'a' * 200} > /f")
    assert (done.code, done.stderr) == (1, b"sh: /f: No space left on device\n")
