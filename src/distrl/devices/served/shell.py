r"""A small part of `sh`: enough for what people send to a phone, and nothing of the host.

    list      pipeline (; | && | || | newline) pipeline ...
    pipeline  command | command ...
    command   words, with > >> < 2> and 2>&1
    words     bare, 'single', "double" and back\slash quoting, and $?

Whatever else a shell would do with a line, such as $(...), `...`, $NAME or &, is refused with an
error and not run: a line that means something else to a real shell must not pass here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

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


Program = Callable[[list[str], bytes], Result]
"""Takes all words of the command, the first one too, and what it reads."""


@dataclass(slots=True)
class Files:
    """Where redirections read and write."""

    read: Callable[[str], bytes | None]
    write: Callable[[str, bytes], bool]


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


def run(line: str, program: Program, files: Files, stdin: bytes = b"") -> Result:
    """Run a line. A line that cannot be run is answered as a shell does, with code 2."""
    try:
        pipelines = parse(line)
    except ShellSyntaxError as error:
        return Result(b"", f"sh: syntax error: {error}\n".encode(), 2)
    done = Result()
    for pipeline in pipelines:
        if (pipeline.when == "&&" and done.code) or (pipeline.when == "||" and not done.code):
            continue
        flowing, errors, code = stdin, b"", done.code
        for command in pipeline.commands:
            result = _run_command(command, program, files, flowing, code)
            flowing, errors, code = result.stdout, errors + result.stderr, result.code
        done = Result(done.stdout + flowing, done.stderr + errors, code)
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


def _run_command(
    command: Command, program: Program, files: Files, stdin: bytes, last: int
) -> Result:
    for operator, word in command.redirections:
        if operator == "<":
            path = word.expand(last)
            found = files.read(path)
            if found is None:
                return Result(b"", f"sh: {path}: No such file or directory\n".encode(), 1)
            stdin = found
    words = [word.expand(last) for word in command.words]
    result = program(words, stdin) if words else Result()
    return _redirected(result, [(o, word.expand(last)) for o, word in command.redirections], files)


def _redirected(result: Result, redirections: list[tuple[str, str]], files: Files) -> Result:
    """Send both streams where the redirections say, each of which changes what the last one set."""
    places = {"out": "", "err": "\0"}  # nowhere else: no file is called either
    for operator, path in redirections:
        if operator == "2>&1":
            places["err"] = places["out"]
        elif operator != "<":
            places["err" if operator == "2>" else "out"] = path
            kept = (files.read(path) or b"") if operator == ">>" else b""
            if path != "/dev/null" and not files.write(path, kept):
                return Result(b"", f"sh: {path}: cannot be written\n".encode(), 1)
    done = Result(code=result.code)
    for name, stream in (("out", result.stdout), ("err", result.stderr)):
        place = places[name]
        if not place:
            done.stdout += stream
        elif place == "\0":
            done.stderr += stream
        elif place != "/dev/null":
            files.write(place, (files.read(place) or b"") + stream)
    return done
