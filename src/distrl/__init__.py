"""Asynchronous distributed reinforcement learning for agents that operate phones and browsers.

    import distrl

    env = distrl.make("general", "train")                       # a Gymnasium environment
    result = distrl.train("quickstart", ["minutes=2"])          # train a policy of your own
    report = distrl.evaluate(result.run, "general", "test")     # how well it does
    policy = distrl.load_policy(result.run)                     # let it act in the environment
    action = policy.act(env.reset(seed=1)[0])
    distrl.play("general", policy=result.run)                   # play yourself, or watch it play

Everything is imported when it is first used, so that `import distrl` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl.envs import register_with_gymnasium as _register_with_gymnasium

if TYPE_CHECKING:
    from distrl.envs.gymnasium_env import make
    from distrl.run.evaluate import evaluate
    from distrl.run.gymnasium_policy import load_policy
    from distrl.run.train import train
    from distrl.web.play.serve import play

    __version__: str

__all__ = ["__version__", "evaluate", "load_policy", "make", "play", "train"]

_HOMES = {
    "evaluate": "distrl.run.evaluate",
    "load_policy": "distrl.run.gymnasium_policy",
    "make": "distrl.envs.gymnasium_env",
    "play": "distrl.web.play.serve",
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
