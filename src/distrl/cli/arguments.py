"""How commands read their line: tyro parses options and sub-commands into dataclasses.

    @dataclass(frozen=True, kw_only=True)
    class ListArguments:
        '''List the devices of an adb server.

        More about it, for `distrl devices list --help` alone.
        '''

        adb_port: int = 5037
        '''Port of the adb server.'''
        json: bool = False
        '''Print one JSON object instead of a table.'''

    COMMANDS: Commands = {"list": (ListArguments, _list), "watch": (WatchArguments, _watch)}

    def main(argv: Sequence[str]) -> int:
        about = "Phones over adb."
    return run_subcommand(COMMANDS, argv, prog="distrl devices", about=about)

A command without sub-commands calls `parse(Arguments, argv, prog="distrl eval")` instead. The
dataclasses are flat. `Annotated[T, tyro.conf.Positional]` makes a field positional; a Literal or an
Enum (by value) gives choices.

One thing is checked before tyro sees the line: whether the sub-command, the options and their
choices exist. tyro names the nearest right one for options only, in a box of many lines; every
error of this program is one line with what was received, what is allowed and the nearest name.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from distrl.checks import require_port, require_seed
from distrl.errors import ConfigError, unknown_name

if TYPE_CHECKING:
    from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructTypeInfo

T = TypeVar("T")

Commands: TypeAlias = Mapping[str, tuple[type[Any], Callable[..., int]]]
"""Sub-commands by name: the dataclass of the options, and a function of it that returns the exit
code."""

_KIND_WORDS: Mapping[Any, str] = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "FILE"}
_NAME_WORDS: Mapping[str, str] = {
    "address": "HOST:PORT",
    "adb_port": "PORT",
    "allow_host": "HOST",
    "cache": "FILE",
    "deadline": "SECONDS",
    "device": "SERIAL",
    "endpoint": "URL",
    "file": "FILE",
    "head": "HOST:PORT",
    "host": "HOST",
    "judge_endpoint": "URL",
    "key_env": "VARIABLE",
    "object_store_mb": "MEGABYTES",
    "out": "PATH",
    "port": "PORT",
    "results": "FOLDER",
    "run": "FOLDER",
    "run_dir": "FOLDER",
    "screenshots": "FOLDER",
    "seconds": "SECONDS",
    "step_ms": "MILLISECONDS",
    "token_file": "FILE",
    "work": "FOLDER",
}
"""What `--help` shows for a value: by the option's name, else by its type."""
_CHECKS: Mapping[str, Callable[[object, str], None]] = {"port": require_port, "seed": require_seed}
"""What refuses a value that cannot work, by the option's name: alike in every command."""


def run_subcommand(commands: Commands, argv: Sequence[str], *, prog: str, about: str) -> int:
    """Run the sub-command that `argv` begins with; returns its exit code.

    `--help` is answered on stdout and ends in SystemExit(0); `about` is its first line. An unknown
    sub-command, option or choice raises ConfigError with the nearest right name. Whatever else is
    wrong, a missing sub-command included, is explained on stderr and ends in SystemExit(2).
    """
    name, *rest = argv or ("",)
    if name in commands:
        argv = [name, *_read_line(commands[name][0], rest, prog=f"{prog} {name}")]
    elif name not in ("", "-h", "--help"):
        raise unknown_name(f"{prog} command", name, commands)
    arguments = _checked(
        call_tyro(subcommand_type(commands, asked=name), argv, prog=prog, about=about)
    )
    # By the class, not by `name`: it is what tyro has decided on.
    run = next(run for kind, run in commands.values() if type(arguments) is kind)
    return run(arguments)


def subcommand_type(commands: Commands, *, asked: str = "") -> Any:
    """The union that tyro makes sub-commands of.

    A list of sub-commands shows the first paragraph of each docstring, or it would fill screens;
    the one that is `asked` for shows all of it.
    """
    import tyro

    def one(name: str, kind: Any) -> Any:
        about = None if name == asked else _summary(kind)
        return Annotated[kind, tyro.conf.subcommand(name, description=about)]

    return reduce(or_, (one(name, kind) for name, (kind, _) in commands.items()))


def parse(cls: type[T], argv: Sequence[str], *, prog: str) -> T:
    """Read `argv` into the dataclass `cls`; errors and `--help` as in `run_subcommand`."""
    line = _read_line(cls, argv, prog=prog)
    parsed: T = _checked(call_tyro(cls, line, prog=prog, about=None))
    return parsed


def _checked(arguments: Any) -> Any:
    """The same; ConfigError for a value that no command could do anything with."""
    for name, check in _CHECKS.items():
        if hasattr(arguments, name):
            check(getattr(arguments, name), _option_of(name))
    return arguments


def call_tyro(kind: Any, argv: Sequence[str], *, prog: str, about: str | None) -> Any:
    """Have tyro parse `argv` into `kind`, a dataclass or a union of them, as all commands do."""
    # Imported here, so that `distrl --help` and `distrl doctor` do without it.
    import tyro

    config = (
        tyro.conf.FlagCreatePairsOff,
        tyro.conf.EnumChoicesFromValues,
        tyro.conf.PositionalMetavarFromFieldName,
    )
    return tyro.cli(
        kind,
        args=list(argv),
        prog=prog,
        description=about,
        config=config,
        registry=_readable_help(),
    )


def placeholder(name: str, hint: Any) -> str | None:
    """What `--help` shows for the value of the option `name`; None leaves it to tyro."""
    (kind, *more) = [member for member in _members(hint) if member is not type(None)]
    if more:
        return None
    if choices := _choices(kind):
        return f"{{{','.join(choices)}}}"
    repeated = get_origin(kind) is tuple
    word = _NAME_WORDS.get(name) or _KIND_WORDS.get(get_args(kind)[0] if repeated else kind)
    return f"{word} ..." if word and repeated else word


def default_hint(shown: str) -> str:
    """What `--help` adds of a default: nothing if there is none, for the text says what happens."""
    return "" if shown in ("None", "False", "''", "") else f"(default: {shown})"


def _readable_help() -> ConstructorRegistry:
    """Have tyro read dataclasses as ever, but show values and defaults that people can read."""
    import tyro
    from tyro.constructors import ConstructorRegistry, StructConstructorSpec

    registry = ConstructorRegistry()
    asked: list[Any] = []

    @registry.struct_rule
    def read(info: StructTypeInfo) -> StructConstructorSpec | None:
        if info.type in asked:  # asked by ourselves, below: the next rule is tyro's
            return None
        asked.append(info.type)
        try:
            found = ConstructorRegistry.get_struct_spec(info)
        finally:
            asked.remove(info.type)
        if not isinstance(found, StructConstructorSpec):
            return None
        return dataclasses.replace(found, fields=tuple(described(each) for each in found.fields))

    def described(field: Any) -> Any:
        hint, *extras = get_args(field.type) if _is_annotated(field.type) else (field.type,)
        shown = tyro.conf.arg(
            metavar=None if tyro.conf.Positional in extras else placeholder(field.name, hint),
            help_behavior_hint=None if _is_required(field) else default_hint,
        )
        # First, so that what a command says of its own option comes after it, and counts.
        return dataclasses.replace(field, type=Annotated[(hint, shown, *extras)])

    return registry


def _is_annotated(hint: Any) -> bool:
    return get_origin(hint) is Annotated


def _is_required(field: Any) -> bool:
    import tyro

    return field.default is tyro.MISSING or field.default is tyro.MISSING_NONPROP


def _members(hint: Any) -> tuple[Any, ...]:
    """The types that a union is made of; a single one is itself."""
    return get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)


def _summary(cls: type[Any]) -> str:
    """The first paragraph of a docstring, in one line."""
    paragraph = inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0]
    return " ".join(paragraph.split())


def _read_line(cls: type[Any], argv: Sequence[str], *, prog: str) -> list[str]:
    """The line with its words before its options, which is the one order that tyro reads.

    ConfigError for options, choices and words that `cls` does not take.
    """
    check_options(argv, _options(cls), prog=prog)
    hints = get_type_hints(cls, include_extras=True)
    named = {_option_of(name): hint for name, hint in hints.items() if not _is_positional(hint)}
    words, options = _split_line(argv, named)
    taken = sum(_values_of(hint) for name, hint in hints.items() if _is_positional(hint))
    if len(words) > taken:
        most = "options only" if not taken else f"at most {taken:g} words beside its options"
        allowed = ", ".join(sorted(named))
        raise ConfigError(f"{prog} takes {most}, got {words[int(taken)]!r} (allowed: {allowed})")
    return [*words, *options]


def _split_line(argv: Sequence[str], named: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Words that belong to no option, and options with their values; `named` has their types."""
    words, options = list[str](), list[str]()
    values = 0.0
    """How many words the last option still takes."""
    for place, word in enumerate(argv):
        if word == "--":
            return [*words, *argv[place + 1 :]], options
        if word.startswith("-") and not _is_number(word):
            values = _values_of(named.get(word.replace("_", "-")))
            options.append(word)
        elif values:
            values -= 1
            options.append(word)
        else:
            words.append(word)
    return words, options


def _values_of(hint: Any) -> float:
    """How many words follow an option of this type; none (no such option) has no type."""
    hint = get_args(hint)[0] if _is_annotated(hint) else hint
    if hint in (None, bool):
        return 0
    return math.inf if any(get_origin(one) in (tuple, list) for one in _members(hint)) else 1


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_positional(hint: Any) -> bool:
    import tyro

    return tyro.conf.Positional in get_args(hint)[1:]


def _option_of(field: str) -> str:
    """The option of a field. One whose name would be a keyword ends in an underscore."""
    return f"--{field.rstrip('_').replace('_', '-')}"


def _options(cls: type[Any]) -> dict[str, tuple[str, ...]]:
    """The `--name` of each field that is not positional, with its choices; none for any value."""
    hints = get_type_hints(cls, include_extras=True)
    return {
        _option_of(name): _choices(hint) for name, hint in hints.items() if not _is_positional(hint)
    }


def check_options(
    argv: Sequence[str], options: Mapping[str, tuple[str, ...]], *, prog: str
) -> None:
    """Refuse an option that is not among `options`, or a value that is not among its choices.

    `options` maps each `--name` to the values that it takes; an empty tuple takes any. Names
    and choices are all that is checked: missing values and wrong types are the parser's to find.
    """
    allowed = {**options, "--help": ()}
    for position, word in enumerate(argv):
        if word == "--":
            return
        if not word.startswith("--"):
            continue
        name, has_value, value = word.partition("=")
        name = name.replace("_", "-")
        if name not in allowed:
            raise unknown_name(f"{prog} option", name, allowed)
        if not has_value:
            value = argv[position + 1] if position + 1 < len(argv) else ""
        if allowed[name] and value and value not in allowed[name]:
            raise unknown_name(f"{prog} {name}", value, allowed[name])


def _choices(hint: Any) -> tuple[str, ...]:
    """Values that a field of this type takes; empty for any."""
    from enum import Enum

    if get_origin(hint) is Literal:
        return tuple(str(value) for value in get_args(hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(str(member.value) for member in hint)
    return ()


def require_at_least(option: str, value: int, *, at_least: int) -> None:
    """ConfigError for a number that is too small."""
    if value < at_least:
        raise ConfigError(f"{option} must be at least {at_least}, got {value}")
