"""Keys: read from the environment, used in one header, shown nowhere."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NoReturn

from distrl.errors import ConfigError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_KEY = re.compile(r"[!-~]+")
_HIDDEN = "[secret]"


class Secret:
    """A key that neither prints nor travels: only `reveal` gives it away."""

    __slots__ = ("_echo", "_value")

    def __init__(self, value: str) -> None:
        """Keep a key; ConfigError, which does not show it, for one that no header can carry."""
        if not _KEY.fullmatch(value):
            raise ConfigError(
                "a key must be printable ASCII without spaces or line ends (it is not shown here)"
            )
        self._value = value
        # JSON may write any character as a code, and some of them behind a backslash.
        self._echo = re.compile(
            "".join(rf"(?:\\?{re.escape(c)}|\\u(?i:{ord(c):04x}))" for c in value)
        )

    def reveal(self) -> str:
        """The key itself, for the header that needs it."""
        return self._value

    def hide_in(self, text: str) -> str:
        """The text with every occurrence of the key taken out, as when a server echoes it.

        The key is found as JSON may write it, too.
        """
        return self._echo.sub(_HIDDEN, text)

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
