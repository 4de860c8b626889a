"""What a caller may hand in: checks whose ConfigError says what was received and what is allowed.

Settings have models that check them (`config/`); these are for the options of commands and for the
arguments of `distrl.make`, `train`, `evaluate`, `load_policy` and `play`.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from pathlib import Path

from distrl.errors import ConfigError

LARGEST_SEED = 2**53 - 1
"""What every part that a seed passes through keeps as it is: torch and SQLite take 64 bits, numbers
in browsers and in other readers of JSON are exact up to here."""
LARGEST_PORT = 65535


def require_whole(what: str, value: object, *, low: int, high: int | None = None) -> None:
    """ConfigError unless `value` is a whole number from `low` to `high`."""
    # True and False are whole numbers to Python, and to nobody else.
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if low <= number and (high is None or number <= high):
            return
    allowed = f"at least {low}" if high is None else f"from {low} to {high}"
    raise ConfigError(f"{what} must be a whole number, {allowed}, got {value!r}")


def require_seed(value: object, what: str = "seed") -> None:
    """ConfigError unless `value` can be a seed."""
    require_whole(what, value, low=0, high=LARGEST_SEED)


def require_port(value: object, what: str = "port") -> None:
    """ConfigError unless `value` is a port to listen on; 0 means any that is free."""
    require_whole(what, value, low=0, high=LARGEST_PORT)


def require_text(what: str, value: object, *, such_as: str) -> None:
    """ConfigError unless `value` is text; `such_as` is an example of what is meant."""
    if not isinstance(value, str):
        raise ConfigError(f"{what} must be text, such as {such_as!r}, got {value!r}")


def require_flag(what: str, value: object) -> None:
    """ConfigError unless `value` is True or False: text such as "no" would count as true."""
    if not isinstance(value, bool):
        raise ConfigError(f"{what} must be True or False, got {value!r}")


def require_path(what: str, value: object) -> None:
    """ConfigError unless `value` names a file or a folder, as text or as a Path."""
    if not isinstance(value, str | Path) or not str(value).strip():
        raise ConfigError(f"{what} must be the path of a folder or a file, got {value!r}")


def require_texts(what: str, value: object, *, such_as: str) -> None:
    """ConfigError unless `value` is a list of texts: a single text would be read by its letters."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ConfigError(f"{what} must be a list of texts, such as [{such_as!r}], got {value!r}")
    for each in value:
        require_text(f"each of {what}", each, such_as=such_as)
