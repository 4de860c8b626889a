"""The tools of a served phone that know its storage alone: what scripts pipe text through."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from distrl.devices.phone.adbd.files import Entry, Storage
from distrl.devices.phone.adbd.shell import Result, Session, UsageError, said

T = TypeVar("T", bytes, list[bytes])

# A pattern that backtracks badly takes time with a power of the length: this keeps it bounded.
_MAX_GREP_CHARACTERS = 100_000
_BASIC_OPERATORS = re.compile(r"\\([|+?(){}])|([|+?(){}])")
"""What a pattern of `grep` without -E means by a backslash, and what it takes literally."""
_FILE_TESTS: dict[str, Callable[[Entry], bool]] = {
    "-e": lambda entry: True,  # noqa: ARG005 - that there is one is all that is asked
    "-f": lambda entry: not entry.is_folder,
    "-d": lambda entry: entry.is_folder,
    "-s": lambda entry: entry.size > 0,
    "-r": lambda entry: bool(entry.mode & 0o444),
    "-w": lambda entry: bool(entry.mode & 0o222),
    "-x": lambda entry: bool(entry.mode & 0o111),
}
_NUMBER_TESTS: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}


def split_options(words: list[str], valued: str = "") -> tuple[dict[str, str], list[str]]:
    """Options and what else there is: `-n 3`, `-n3`, `-3` as `-n 3`, and `-iv` as `-i -v`.

    Letters in `valued` take a value. `--` ends the options, and `-` is a name.
    """
    options: dict[str, str] = {}
    names: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            return options, names + left
        if not word.startswith("-") or word == "-":
            names.append(word)
        elif word[1:].isdecimal():
            options["n"] = word[1:]
        else:
            _note(word[1:], left, valued, options)
    return options, names


def _note(letters: str, left: list[str], valued: str, options: dict[str, str]) -> None:
    """Note the options of one word, and take the value of the last from the words after it."""
    for place, letter in enumerate(letters, start=1):
        options[letter] = ""
        if letter in valued:
            if place == len(letters) and not left:
                raise UsageError(f"-{letter} needs a value")
            options[letter] = letters[place:] or left.pop(0)
            return


def evaluate_test(words: list[str], look: Callable[[str], Entry | None]) -> bool:
    """What `test` says of its words; UsageError with code 2 where it has no opinion."""
    match words:
        case []:
            return False
        case [word]:
            return word != ""
        case ["!", *rest]:
            return not evaluate_test(rest, look)
        case ["-n" | "-z" as flag, word]:
            return (word != "") == (flag == "-n")
        case [flag, path] if flag in _FILE_TESTS:
            entry = look(path)
            return entry is not None and _FILE_TESTS[flag](entry)
        case [left, "=" | "==" | "!=" as sign, right]:
            return (left == right) == (sign != "!=")
        case [left, name, right] if name in _NUMBER_TESTS:
            return _NUMBER_TESTS[name](_number(left), _number(right))
    raise UsageError(f"this cannot be tested here: {' '.join(words)}", 2)


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise UsageError(f"{word}: bad number", 2) from None


def _test(storage: Storage, words: list[str], session: Session) -> Result:
    return Result(
        code=0 if evaluate_test(words, lambda name: storage.look(session.path(name))) else 1
    )


def _bracket(storage: Storage, words: list[str], session: Session) -> Result:
    if words[-1:] != ["]"]:
        raise UsageError("missing ]", 2)
    return _test(storage, words[:-1], session)


def _contents(storage: Storage, names: list[str], session: Session, tool: str) -> Result:
    """What the named files hold one after the other; without a name, what is piped in."""
    found, missing = b"", ""
    for name in names or ["-"]:
        content = session.read() if name == "-" else storage.read(session.path(name))
        if content is None:
            missing += f"{tool}: {name}: No such file or directory\n"
        else:
            found += content
    return Result(found, missing.encode("utf-8", "surrogateescape"), 1 if missing else 0)


def _cat(storage: Storage, words: list[str], session: Session) -> Result:
    return _contents(storage, words, session, "cat")


def _echo(_: Storage, words: list[str], __: Session) -> Result:
    newline = "" if words[:1] == ["-n"] else "\n"
    return said(" ".join(words[1:] if not newline else words) + newline)


def _grep(storage: Storage, words: list[str], session: Session) -> Result:
    options, rest = split_options(words, valued="e")
    patterns = [options.pop("e")] if "e" in options else [rest.pop(0)] if rest else []
    if not patterns or set(options) - set("EFivcq"):
        raise UsageError("usage: grep [-EFivcq] PATTERN [FILE...]", 2)
    pattern = re.escape(patterns[0]) if "F" in options else patterns[0]
    if "E" not in options and "F" not in options:
        pattern = _BASIC_OPERATORS.sub(_extended, pattern)
    try:
        wanted = re.compile(pattern, re.IGNORECASE if "i" in options else 0)
    except re.error as error:
        raise UsageError(f"bad pattern: {error}", 2) from None
    given = _contents(storage, rest, session, "grep")
    lines = given.stdout.decode("utf-8", "surrogateescape")[:_MAX_GREP_CHARACTERS].splitlines()
    found = [line for line in lines if (wanted.search(line) is not None) != ("v" in options)]
    text = f"{len(found)}\n" if "c" in options else "".join(f"{line}\n" for line in found)
    printed = said("" if "q" in options else text).stdout
    return Result(printed, given.stderr, 2 if given.code else 0 if found else 1)


def _extended(found: re.Match[str]) -> str:
    """An operator of a basic pattern as extended ones write it: the backslash is the other way."""
    escaped, bare = found.groups()
    return f"\\{bare}" if bare else escaped


def _head(storage: Storage, words: list[str], session: Session) -> Result:
    return _part(storage, words, session, "head")


def _tail(storage: Storage, words: list[str], session: Session) -> Result:
    return _part(storage, words, session, "tail")


def _part(storage: Storage, words: list[str], session: Session, tool: str) -> Result:
    """So many lines, or with -c bytes, from one end."""
    options, names = split_options(words, valued="nc")
    number = options.get("c", options.get("n", "10"))
    if set(options) - set("nc") or not number.isdecimal():
        raise UsageError(f"usage: {tool} [-n LINES | -c BYTES] [FILE...]")
    given, count = _contents(storage, names, session, tool), int(number)
    if "c" in options:
        return replace(given, stdout=_end(given.stdout, count, tool))
    lines = given.stdout.splitlines(keepends=True)
    return replace(given, stdout=b"".join(_end(lines, count, tool)))


def _end(pieces: T, count: int, tool: str) -> T:
    return pieces[:count] if tool == "head" else pieces[max(0, len(pieces) - count) :]


def _wc(storage: Storage, words: list[str], session: Session) -> Result:
    options, names = split_options(words)
    given = _contents(storage, names, session, "wc")
    content = given.stdout
    counts = {"l": content.count(b"\n"), "w": len(content.split()), "c": len(content)}
    if set(options) - set(counts):
        raise UsageError("usage: wc [-lwc] [FILE...]")
    chosen = [str(number) for letter, number in counts.items() if letter in options or not options]
    printed = said(" ".join([*chosen, *names[:1]]) + "\n").stdout
    return Result(printed, given.stderr, given.code)


def _ls(storage: Storage, words: list[str], session: Session) -> Result:
    listed, missing = "", ""
    for name in [word for word in words if not word.startswith("-")] or [session.folder]:
        path = session.path(name)
        inside, entry = storage.inside(path), storage.look(path)
        if inside is not None and "-d" not in words:
            listed += "".join(f"{found.name}\n" for found in inside)
        elif entry is not None:
            listed += f"{name}\n"
        else:
            missing += f"ls: {name}: No such file or directory\n"
    errors = missing.encode("utf-8", "surrogateescape")
    return Result(said(listed).stdout, errors, 1 if missing else 0)


def _rm(storage: Storage, words: list[str], session: Session) -> Result:
    options, names = split_options(words)
    deep = "r" in options or "R" in options
    missing = [name for name in names if not storage.remove(session.path(name), deep=deep)]
    if missing and "f" not in options:
        raise UsageError(f"{missing[0]}: No such file or directory")
    return Result()


def _mkdir(storage: Storage, words: list[str], session: Session) -> Result:
    for name in split_options(words, valued="m")[1]:
        storage.make_folder(session.path(name))
    return Result()


def _id(_: Storage, __: list[str], ___: Session) -> Result:
    return said("uid=2000(shell) gid=2000(shell) groups=2000(shell)\n")


Tool: TypeAlias = Callable[[Storage, list[str], Session], Result]
TOOLS: dict[str, Tool] = {
    "[": _bracket,
    "cat": _cat,
    "echo": _echo,
    "false": lambda _, __, ___: Result(code=1),
    "grep": _grep,
    "head": _head,
    "id": _id,
    "ls": _ls,
    "mkdir": _mkdir,
    "rm": _rm,
    "tail": _tail,
    "test": _test,
    "true": lambda _, __, ___: Result(),
    "wc": _wc,
}
