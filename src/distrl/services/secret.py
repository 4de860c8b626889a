"""API keys: read from the environment, sent in one header, never printed, logged or pickled."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NoReturn

from distrl.errors import ConfigError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
# Neither spaces nor line ends: a line end would let a key inject further headers.
_KEY = re.compile(r"[!-~]+")
_REDACTED = "[secret]"


class Secret:
    """An API key that repr, str and pickle do not disclose; only `reveal` returns it."""

    __slots__ = ("_echo", "_value")

    def __init__(self, value: str) -> None:
        """Hold a key; ConfigError (without the key in its text) if no HTTP header can carry it."""
        if not _KEY.fullmatch(value):
            raise ConfigError(
                "a key must be printable ASCII without spaces or line ends (it is not shown here)"
            )
        self._value = value
        # A server may echo the key inside JSON, which can write any character as a \u code and some
        # behind a backslash; the pattern matches every such spelling.
        self._echo = re.compile(
            "".join(rf"(?:\\?{re.escape(c)}|\\u(?i:{ord(c):04x}))" for c in value)
        )

    def reveal(self) -> str:
        """The key itself, for the header that needs it."""
        return self._value

    def redact(self, text: str) -> str:
        """Return the text with every occurrence of the key, plain or JSON-escaped, replaced."""
        return self._echo.sub(_REDACTED, text)

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled: let the other process read its environment")


def read_secret(name: str, environment: Mapping[str, str] | None = None) -> Secret | None:
    """The key in the environment variable `name`; None when it is not set, or empty.

    Space around the key is dropped, since files that keys are pasted into end with a line end.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            "a key is named by its environment variable, such as OPENAI_API_KEY; what was given "
            "is no such name (it is not shown, since it may be a key)"
        )
    value = (os.environ if environment is None else environment).get(name, "").strip()
    return Secret(value) if value else None
