r"""A small part of `sh`: enough for what people send to a phone, and nothing of the host.

    list      pipeline (; | && | || | newline) pipeline ...
    pipeline  command | command ...
    command   words, with > >> < 2> and 2>&1; cd, pwd and exit are the shell's own
    words     bare, 'single', "double" and back\slash quoting, and $?

Whatever else a shell would do with a line, such as $(...), `...`, $NAME or &, is refused with an
error and not run: a line that means something else to a real shell must not pass here.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

_OPERATORS = ("2>&1", "2>", "&&", "||", ">>", ";", "|", ">", "<", "\n")
_REDIRECTIONS = ("2>&1", "2>", ">>", ">", "<")
_REFUSED = {"&": "jobs", "(": "subshells", ")": "subshells", "`": "substitution"}
_BLANK = " \t"


class ShellSyntaxError(Exception):
    """The line is not one that this shell runs."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line. Pieces that are None stand for $?."""

    pieces: tuple[str | None, ...]

    def expand(self, last: int) -> str:
        """The word, with the exit code of the last command."""
        return "".join(str(last) if piece is None else piece for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Command:
    """One program, its arguments and where its output goes."""

    words: tuple[Word, ...] = ()
    redirections: tuple[tuple[str, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands that read what the one before wrote, and when it is run."""

    when: str
    """`;` always, `&&` after a success, `||` after a failure."""
    commands: tuple[Command, ...]


@dataclass(slots=True)
class Result:
    """What a command did."""

    stdout: bytes = b""
    stderr: bytes = b""
    code: int = 0


Read: TypeAlias = Callable[[], bytes]
"""All that is there to be read, up to its end, which is waited for; after that, nothing."""


@dataclass(slots=True)
class Session:
    """What a shell keeps from one line to the next."""

    read: Read = bytes
    """What is sent to it; nothing is waited for until a program wants to read."""
    folder: str = "/"
    code: int = 0
    """How the last command ended, which is what $? says."""
    over: bool = False
    """Whether `exit` has ended it."""
    depth: int = 0
    """How many shells it runs inside of."""

    def path(self, name: str) -> str:
        """A path as it is seen from the folder."""
        return posixpath.join(self.folder, name)

    def inner(self) -> Session:
        """The session of a shell that is started in this one: what it changes is its own."""
        return Session(read=self.read, folder=self.folder, depth=self.depth + 1)


Program: TypeAlias = Callable[[list[str], Session], Result]
"""Takes all words of the command, the first one too, and a copy of the session to look at."""


@dataclass(slots=True)
class Files:
    """Where redirections read and write, and where `cd` may go."""

    read: Callable[[str], bytes | None]
    write: Callable[[str, bytes], bool]
    is_folder: Callable[[str], bool]


class UsageError(Exception):
    """A program was called in a way that it does not know; the message goes to stderr."""

    def __init__(self, message: str, code: int = 1) -> None:
        """Say what is wrong, and the exit code that tells it."""
        super().__init__(message)
        self.code = code


def said(text: str) -> Result:
    """A program that prints something; bytes that were no text come out as they went in."""
    return Result(text.encode("utf-8", "surrogateescape"))


def failed(text: str, code: int = 1) -> Result:
    """A program that complains."""
    return Result(b"", text.encode("utf-8", "surrogateescape"), code)


@dataclass(slots=True)
class _Reader:
    text: str
    place: int = 0
    pieces: list[str | None] | None = field(default=None)

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def take(self) -> str:
        character = self.peek()
        self.place += 1
        return character

    def add(self, piece: str | None) -> None:
        if self.pieces is None:
            self.pieces = []
        self.pieces.append(piece)


# A client sends the same few lines with every look.
@lru_cache(maxsize=256)
def parse(line: str) -> tuple[Pipeline, ...]:
    """The pipelines of a line; ShellSyntaxError when it is not one that can be run here."""
    pipelines: list[Pipeline] = []
    when, commands, command = ";", [], Command()
    for found in [*tokens(line), ";"]:
        if isinstance(found, Word):
            command = _with_word(command, found)
        elif found in _REDIRECTIONS:
            _require(not _waits_for_file(command), found)
            command = Command(command.words, (*command.redirections, (found, Word(()))))
        else:
            found = ";" if found == "\n" else found
            _require(not _waits_for_file(command), found)
            if command.words or command.redirections:
                commands.append(command)
            elif commands or found in ("|", "&&", "||"):
                raise ShellSyntaxError(f"unexpected '{found}'")
            command = Command()
            if found != "|" and commands:
                pipelines.append(Pipeline(when, tuple(commands)))
                when, commands = found, []
    if when in ("&&", "||"):
        raise ShellSyntaxError("unexpected end of the line")
    return tuple(pipelines)


def run(line: str, program: Program, files: Files, session: Session | None = None) -> Result:
    """Run a line. A line that cannot be run is answered as a shell does, with code 2."""
    session = Session() if session is None else session
    done = Result()
    try:
        pipelines = parse(line)
    except ShellSyntaxError as error:
        pipelines, done, session.code = (), failed(f"sh: syntax error: {error}\n"), 2
    for pipeline in pipelines:
        if (pipeline.when == "&&" and session.code) or (pipeline.when == "||" and not session.code):
            continue
        result = _run_pipeline(pipeline, program, files, session)
        session.code = result.code
        done = Result(done.stdout + result.stdout, done.stderr + result.stderr)
        if session.over:
            break
    done.code = session.code
    return done


def tokens(line: str) -> Iterator[Word | str]:
    """Words and operators of a line."""
    reader = _Reader(line)
    while character := reader.peek():
        operator = _operator(reader)
        if character in _BLANK or operator:
            if reader.pieces is not None:
                yield Word(tuple(reader.pieces))
                reader.pieces = None
            reader.place += len(operator) or 1
            if operator:
                yield operator
        elif character == "#" and reader.pieces is None:
            end = line.find("\n", reader.place)
            reader.place = len(line) if end < 0 else end
        else:
            _read_piece(reader)
    if reader.pieces is not None:
        yield Word(tuple(reader.pieces))


def _operator(reader: _Reader) -> str:
    for operator in _OPERATORS:
        if reader.text.startswith(operator, reader.place):
            # A digit in front of > belongs to it only at the beginning of a word.
            if operator.startswith("2") and reader.pieces is not None:
                continue
            return operator
    return ""


def _read_piece(reader: _Reader) -> None:
    character = reader.take()
    if character == "'":
        reader.add(_until(reader, "'"))
    elif character == '"':
        _read_double(reader)
    elif character == "\\":
        following = reader.take()
        reader.add("" if following == "\n" else following or "\\")
    elif character == "$":
        _read_dollar(reader)
    elif character in _REFUSED:
        raise ShellSyntaxError(f"{_REFUSED[character]} are not supported: '{character}'")
    else:
        reader.add(character)


def _read_double(reader: _Reader) -> None:
    reader.add("")
    while (character := reader.take()) != '"':
        if not character:
            raise ShellSyntaxError('no closing "')
        if character == "\\" and reader.peek() in ("$", "`", '"', "\\", "\n"):
            following = reader.take()
            reader.add("" if following == "\n" else following)
        elif character == "$":
            _read_dollar(reader)
        elif character == "`":
            raise ShellSyntaxError("substitution is not supported: '`'")
        else:
            reader.add(character)


def _read_dollar(reader: _Reader) -> None:
    following = reader.peek()
    if following == "?":
        reader.take()
        reader.add(None)
    elif following in ("(", "{", "'", '"') or following.isalnum() or following in tuple("_@*#$!-"):
        raise ShellSyntaxError(f"expansion is not supported: '${following}'")
    else:
        reader.add("$")


def _until(reader: _Reader, quote: str) -> str:
    end = reader.text.find(quote, reader.place)
    if end < 0:
        raise ShellSyntaxError(f"no closing {quote}")
    found = reader.text[reader.place : end]
    reader.place = end + 1
    return found


def _waits_for_file(command: Command) -> bool:
    return (
        bool(command.redirections)
        and command.redirections[-1]
        != (
            "2>&1",
            Word(()),
        )
        and not command.redirections[-1][1].pieces
    )


def _with_word(command: Command, word: Word) -> Command:
    if _waits_for_file(command):
        operator, _ = command.redirections[-1]
        return Command(command.words, (*command.redirections[:-1], (operator, word)))
    return Command((*command.words, word), command.redirections)


def _require(fits: bool, token: str) -> None:
    if not fits:
        raise ShellSyntaxError(f"unexpected '{token}'")


def _run_pipeline(pipeline: Pipeline, program: Program, files: Files, session: Session) -> Result:
    if len(pipeline.commands) == 1:
        return _run_command(pipeline.commands[0], program, files, session)
    done, errors, flowing = Result(), b"", session.read
    for command in pipeline.commands:
        # Each part of a pipe is a shell of its own: what it changes ends with it.
        done = _run_command(command, program, files, replace(session, read=flowing))
        errors, flowing = errors + done.stderr, _once(done.stdout)
    return Result(done.stdout, errors, done.code)


def _run_command(command: Command, program: Program, files: Files, session: Session) -> Result:
    last, read = session.code, session.read
    redirections = [(o, session.path(word.expand(last))) for o, word in command.redirections]
    for operator, path in redirections:
        if operator == "<":
            found = b"" if path == "/dev/null" else files.read(path)
            if found is None:
                return failed(f"sh: {path}: No such file or directory\n")
            read = _once(found)
    # Expanded now, not when parsed: $? is the code of the command before this one.
    words = [word.expand(last) for word in command.words]
    if not words:
        result = Result()
    elif words[0] in _OWN:
        result = _OWN[words[0]](words[1:], session, files)
    else:
        result = program(words, replace(session, read=read))
    return _redirected(result, redirections, files)


def _once(content: bytes) -> Read:
    left = [content]
    return lambda: left.pop() if left else b""


def _exit(words: list[str], session: Session, _: Files) -> Result:
    session.over = True
    code = words[0] if words else str(session.code)
    if not code.isdecimal():
        return failed(f"sh: exit: {code}: bad number\n")
    return Result(code=int(code) & 0xFF)


def _cd(words: list[str], session: Session, files: Files) -> Result:
    folder = posixpath.normpath(session.path(words[0] if words else "/"))
    if not files.is_folder(folder):
        return failed(f"sh: cd: {folder}: No such file or directory\n", 2)
    session.folder = folder
    return Result()


def _pwd(_: list[str], session: Session, __: Files) -> Result:
    return said(f"{session.folder}\n")


_OWN: dict[str, Callable[[list[str], Session, Files], Result]] = {
    "cd": _cd,
    "exit": _exit,
    "pwd": _pwd,
}
"""Commands that are the shell itself, and change it."""
BUILT_IN = frozenset(_OWN)


def _redirected(result: Result, redirections: list[tuple[str, str]], files: Files) -> Result:
    """Send both streams where the redirections say, each of which changes what the last one set."""
    places = {"out": "", "err": "\0"}  # nowhere else: no file is called either
    for operator, path in redirections:
        if operator == "2>&1":
            places["err"] = places["out"]
        elif operator != "<":
            places["err" if operator == "2>" else "out"] = path
            # Created even if nothing is written, and in order: `> a > b` empties a and fills b.
            kept = (files.read(path) or b"") if operator == ">>" else b""
            if path != "/dev/null" and not files.write(path, kept):
                return failed(f"sh: {path}: cannot be written\n")
    done = Result(code=result.code)
    for name, stream in (("out", result.stdout), ("err", result.stderr)):
        place = places[name]
        if not place:
            done.stdout += stream
        elif place == "\0":
            done.stderr += stream
        elif place != "/dev/null" and not files.write(place, (files.read(place) or b"") + stream):
            return failed(f"sh: {place}: No space left on device\n")
    return done
