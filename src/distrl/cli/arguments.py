"""How commands read their line: `choose` a sub-command, `parse` options into a dataclass.

    @dataclass(frozen=True, kw_only=True)
    class Arguments:
        '''Evaluate a policy on a task suite.'''

        suite: Literal["general", "shopping"] = "general"
        '''Which tasks.'''
        json: bool = False
        '''Print one JSON object instead of a table.'''

    def main(argv: Sequence[str]) -> int:
        arguments = parse(Arguments, argv, prog="distrl eval")

The dataclass is flat. Its docstring is the description, the docstring under a field is the help
of its option. `Annotated[T, tyro.conf.Positional]` makes a field positional; a Literal or an
Enum (by value) gives choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from distrl.errors import ConfigError, unknown_name

T = TypeVar("T")


def choose(
    argv: Sequence[str], commands: Mapping[str, str], *, prog: str, about: str
) -> tuple[str, list[str]]:
    """Split `argv` into the name of a command and the rest of the line.

    `commands` maps each name to one line of help. Without a name, or with `--help`, the list is
    shown and the program ends. An unknown name raises ConfigError with the nearest right one.
    """
    name, *rest = argv or ("",)
    if name in ("-h", "--help", "help"):
        _show_commands(commands, prog=prog, about=about, code=0)
    if not name:
        _show_commands(commands, prog=prog, about=about, code=2)
    if name not in commands:
        raise unknown_name(f"{prog} command", name, commands)
    return name, rest


def parse(cls: type[T], argv: Sequence[str], *, prog: str) -> T:
    """Read `argv` into the dataclass `cls`.

    An unknown option or choice raises ConfigError with what was received, what is allowed and
    the nearest right name. Whatever else is wrong is explained on stderr and ends in
    SystemExit(2); `--help` is answered on stdout and ends in SystemExit(0).
    """
    # Imported here, so that `distrl --help` and `distrl doctor` do without it.
    import tyro

    hints = get_type_hints(cls, include_extras=True)
    options = {
        f"--{name.replace('_', '-')}": _choices(hint)
        for name, hint in hints.items()
        if tyro.conf.Positional not in get_args(hint)[1:]
    }
    check_options(argv, options, prog=prog)
    return tyro.cli(
        cls,
        args=list(argv),
        prog=prog,
        config=(tyro.conf.FlagCreatePairsOff, tyro.conf.EnumChoicesFromValues),
    )


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


def _show_commands(commands: Mapping[str, str], *, prog: str, about: str, code: int) -> NoReturn:
    """List the commands, on stdout if that was the question, and end with `code`."""
    import sys

    width = max(map(len, commands))
    print(
        f"usage: {prog} COMMAND [OPTIONS]\n\n{about}\n\ncommands:",
        *(f"  {name:<{width}}  {line}" for name, line in commands.items()),
        f"\n`{prog} COMMAND --help` shows the options of a command.",
        sep="\n",
        file=sys.stderr if code else sys.stdout,
    )
    raise SystemExit(code)


def require_at_least(option: str, value: int, *, at_least: int) -> None:
    """ConfigError for a number that is too small."""
    if value < at_least:
        raise ConfigError(f"{option} must be at least {at_least}, got {value}")
