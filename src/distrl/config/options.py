"""Settings of plug-ins: free mappings in a run's settings, which the plug-in itself checks.

class Options(Config):
width: int = 32
\"\"\"Hidden units.\"\"\"

options = read_options(Options, config.policy.options, "policy.options")
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from distrl.config.base import Config
from distrl.errors import ConfigError, unknown_name

OptionsT = TypeVar("OptionsT", bound=Config)


def read_options(model: type[OptionsT], options: Mapping[str, Any], where: str) -> OptionsT:
    """The options of a plug-in as its own settings; ConfigError names the key and what it may be.

    `where` is the key of the run's settings that the options stand under.
    """
    for name in options:
        if name not in model.model_fields:
            raise unknown_name(f"key of {where}", name, model.model_fields)
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        problems = [
            f"{'.'.join([where, *map(str, detail['loc'])])}: {detail['msg']}, "
            f"got {detail['input']!r}"
            for detail in error.errors(include_url=False)
        ]
        raise ConfigError("\n".join(problems)) from None


def refuse_options(
    options: Mapping[str, Any], where: str, name: str, built_in: Collection[str]
) -> None:
    """ConfigError for options of a built-in part, which nobody would read."""
    if options and name in built_in:
        key = next(iter(options))
        raise ConfigError(
            f"{where} is for plug-ins, and {name!r} is built in: it has no key {key!r}"
        )
