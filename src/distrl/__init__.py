"""Asynchronous distributed reinforcement learning for agents that operate phones and browsers.

    import distrl

    env = distrl.make(suite="general", split="train")           # a Gymnasium environment
    report = distrl.evaluate("scripted", "general", "val")      # how well a policy does
    result = distrl.train("quickstart", ["minutes=2"])          # train one of your own

Everything is imported when it is first used, so that `import distrl` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.envs import register_with_gymnasium as _register_with_gymnasium

if TYPE_CHECKING:
    from distrl.envs.gymnasium_env import make
    from distrl.run.evaluate import evaluate
    from distrl.run.train import train

    __version__: str

__all__ = ["__version__", "evaluate", "make", "train"]

_HOMES = {
    "evaluate": "distrl.run.evaluate",
    "make": "distrl.envs.gymnasium_env",
    "train": "distrl.run.train",
}
"""Module of each name that is imported on first use."""


if not TYPE_CHECKING:  # a type checker knows the names from above, and so finds a wrong one

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return _version()
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("distrl")
    except PackageNotFoundError:  # imported from a source folder
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_register_with_gymnasium()
