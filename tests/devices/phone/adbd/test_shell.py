from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.phone.adbd import shell
from distrl.devices.phone.adbd.files import Storage
from distrl.devices.phone.adbd.shell import Files, Result, Session, ShellSyntaxError, Word
from distrl.devices.phone.adbd.tools import TOOLS


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


# Lines that a real shell runs, too


BARE = "abcXYZ019%+,-./:=@^_"
ANY = BARE + " \t'\"$`;&|<>()*?[]{}!#~é你\U0001f600"


def written(rng: Random, text: str) -> str:
    """A text as a word, each character quoted in one of the ways that the shell knows."""
    found = ""
    for character in text:
        ways = [f"\\{character}" if character not in "\t" else "'\t'"]
        if character != "'":
            ways.append(f"'{character}'")
        ways.append(f'"\\{character}"' if character in '"$`' else f'"{character}"')
        if character in BARE and found:
            ways += [character] * 3
        found += rng.choice(ways)
    return found or rng.choice(("''", '""'))


def some_word(rng: Random) -> str:
    text = "".join(rng.choice(ANY) for _ in range(rng.randint(0, 6)))
    # `echo` takes -n for itself, here as there; the rest is about words.
    return written(rng, text.lstrip("-")) + rng.choice(("", "", "", "$?", '"$?"'))


def some_command(rng: Random, *, piped: bool) -> str:
    words = " ".join(some_word(rng) for _ in range(rng.randint(0, 3)))
    choices = [
        f"echo {words}",
        f"echo -n {words}",
        "true",
        "false",
        f"echo {words} > f",
        f"echo {words} >> f",
        "cat f",
        "cat < f",
        "test -e g",
        "[ -s f ]",
        f"test {some_word(rng)} = {some_word(rng)}",
        f"[ {rng.randint(0, 3)} -lt {rng.randint(0, 3)} ]",
        "echo $? 2> /dev/null",
        "cat none 2> /dev/null",
        "echo a; echo b | cat >> g",
    ]
    filters = [
        "cat",
        "head -n 1",
        "tail -n 1",
        "wc -l",
        "grep -c a",
        "grep -v a",
        "cat -",
        "grep -q e",
    ]
    return rng.choice([*filters, *choices[:4]] if piped else choices)


def some_line(rng: Random) -> str:
    """A line of several pipelines; each is whole, so that no two meanings are possible."""
    line = some_command(rng, piped=False)
    for _ in range(rng.randint(0, 4)):
        if rng.random() < 0.4 and ";" not in line.split("\n")[-1]:
            line += f" | {some_command(rng, piped=True)}"
        else:
            connector = rng.choice(("; ", " && ", " || ", "\n", " ;"))
            line += connector + some_command(rng, piped=False)
    return line + rng.choice(("", "", "", "; exit 7", " || exit 300", "\nexit", " # exit 9"))


def run_here(line: str) -> tuple[bytes, int]:
    storage = Storage()
    storage.write("/data/f", b"start\n")

    def program(words: list[str], session: Session) -> Result:
        return TOOLS[words[0]](storage, words[1:], session)

    files = Files(storage.read, storage.write, lambda path: storage.inside(path) is not None)
    done = shell.run(line, program, files, Session(folder="/data"))
    return done.stdout, done.code


def test_lines_do_what_they_do_in_a_real_shell(tmp_path: Path) -> None:
    real = shutil.which("sh")
    assert real is not None
    rng = Random(7)
    lines = [some_line(rng) for _ in range(400)]
    script = ""
    for number, line in enumerate(lines):
        folder = f"{tmp_path}/{number}"
        script += (
            f"(mkdir {folder}; cd {folder}; echo start > f\ntrue\n{line}\n)\nprintf '\\0%s\\0' $?\n"
        )
    done = subprocess.run([real, "-c", script], capture_output=True, timeout=60)
    parts = done.stdout.split(b"\0")
    theirs = list(zip(parts[::2], map(int, parts[1::2]), strict=False))
    assert len(theirs) == len(lines)
    for line, expected in zip(lines, theirs, strict=True):
        assert run_here(line) == expected, line


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("say a\\\nb", ["a" + "b"]),
        ('say "a\\\nb"', ["ab"]),
        ("say 'a\\\nb'", ["a\\\nb"]),
        ('say "a\\b"', ["a\\b"]),
        ("say ''", [""]),
        ("say '' \"\" ''\"\"", ["", "", ""]),
        ("say a''b", ["ab"]),
        ("say\ta\t b", ["a", "b"]),
        ("say \\", ["\\"]),
        ("say '#' \\# a#", ["#", "#", "a#"]),
        ("say $", ["$"]),
        ("say $%", ["$%"]),
    ],
)
def test_the_table_of_words(line: str, words: list[str]) -> None:
    (pipeline,) = shell.parse(line)
    (command,) = pipeline.commands
    assert [word.expand(0) for word in command.words][1:] == words


@pytest.mark.parametrize(
    "line",
    ["say $$", "say $!", "say $#", "say $@", "say $*", "say $-", "say $0", "say $_", "say $'a'",
     "say \"${a}\"", "say a &", "say a && ", "&& say a", "say a ||| say b", "say a | ; say b",
     "say > > f", "say >| f", "say << EOF", "say 2>", "say < ", "say `", "(", ")", "say a) ",
     "say 'it''s", 'say "it\\"'],
)  # fmt: skip
def test_lines_that_mean_something_else_elsewhere_are_refused(line: str) -> None:
    done = _run(line)
    assert (done.stdout, done.code) == (b"", 2)
    assert done.stderr.startswith(b"sh: syntax error: ")


@pytest.mark.parametrize(
    ("line", "stdout", "held"),
    [
        ("fail 1 2>&1 > /f", b"failed\n", {"/f": b""}),
        ("fail 1 > /f 2>&1", b"", {"/f": b"failed\n"}),
        ("say a > /f > /g", b"", {"/f": b"", "/g": b"a\n"}),
        ("say a >> /f; say b >> /f", b"", {"/f": b"a\nb\n"}),
        ("> /f", b"", {"/f": b""}),
        ("say a > /f | cat", b"", {"/f": b"a\n"}),
        ("say a2>/f", b"", {"/f": b"a2\n"}),
        ("say a 2>/f", b"a\n", {"/f": b""}),
        ("fail 1 2>> /f", b"", None),
    ],
)
def test_the_table_of_redirections(line: str, stdout: bytes, held: dict[str, bytes] | None) -> None:
    files: dict[str, bytes] = {}
    done = _run(line, files)
    if held is None:
        assert done.code == 2  # to append errors is not among what it does
    else:
        assert (done.stdout, files) == (stdout, held)


def test_code_of_a_pipeline_is_that_of_its_last_command() -> None:
    assert _run("fail 3 | say a").code == 0
    assert _run("say a | fail 3").code == 3
    done = _run("fail 3 | fail 4")
    assert (done.code, done.stderr) == (4, b"failed\nfailed\n")


def test_what_was_run_before_an_error_is_not_run_again() -> None:
    """A line is understood as a whole before any of it is run."""
    held: dict[str, bytes] = {}
    assert _run("say a > /f; say (", held).code == 2
    assert held == {}


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_line_is_run_or_refused_and_never_crashes(line: str) -> None:
    done = _run(line)
    try:
        shell.parse(line)
    except ShellSyntaxError:
        assert (done.stdout, done.code) == (b"", 2)
