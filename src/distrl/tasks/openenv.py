"""Suites of environments that others serve: `openenv:URL`, one task per seed.

    tasks.suite=openenv:http://127.0.0.1:8000             20 steps per episode
    tasks.suite=openenv:http://127.0.0.1:8000#steps=40    40 steps

The server words the goal, and says how good the last step was.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from distrl.errors import ConfigError
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate

PREFIX = "openenv:"
_SEEDS = {"train": 400, "val": 64, "test": 128, "unseen": 0}
_STEPS = 20
_STEPS_OF = re.compile(r"steps=([1-9][0-9]{0,3})")


class OpenEnvSuite(SeedSuite):
    """The episodes of one server."""

    def __init__(self, name: str) -> None:
        """`name` is `openenv:URL`; ConfigError for what is no address of a server."""
        parts = _address(name.removeprefix(PREFIX))
        steps = _STEPS_OF.fullmatch(parts.fragment) if parts and parts.fragment else None
        if parts is None or (parts.fragment and steps is None):
            raise ConfigError(
                f"an OpenEnv server is named {PREFIX}URL, such as {PREFIX}http://127.0.0.1:8000 or "
                f"{PREFIX}http://127.0.0.1:8000#steps=40, got {name!r}"
            )
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        limit = int(steps[1]) if steps else _STEPS
        template = SeedTemplate("episode", (f"Do what {self.url} asks for",), limit)
        super().__init__(name, [template], _SEEDS, device="openenv")


def _address(url: str) -> SplitResult | None:
    """The parts of a server's address; None for what is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # brackets that stay open, a port that no machine has
        return None
    served = parts.scheme in ("http", "https") and parts.hostname and port != 0
    return None if not served or parts.query or parts.username is not None else parts
