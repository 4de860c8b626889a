"""A cache of verdicts by a digest of the evidence, so that no model is asked twice."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec

from distrl.errors import ConfigError
from distrl.services.cost_tracker import require_parent
from distrl.types import Verdict


class _Kept(msgspec.Struct, frozen=True):
    key: str
    verdict: Verdict


class VerdictCache:
    """Keeps verdicts that are not void; any thread may ask."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` holds one JSON object per line, and is read first if it is there."""
        if path is not None:
            require_parent(path, "the cache")
        self._path = path
        self._turn = threading.Lock()
        self._verdicts = _read(path) if path is not None else {}

    def get(self, key: str) -> Verdict | None:
        """The verdict that was kept under a key."""
        with self._turn:
            return self._verdicts.get(key)

    def keep(self, key: str, verdict: Verdict) -> None:
        """Keep a verdict; a void one is not, since the next try may do better."""
        if verdict.success is None:
            return
        with self._turn:
            if key in self._verdicts:
                return
            self._verdicts[key] = verdict
            if self._path is not None:
                with self._path.open("ab") as file:
                    file.write(msgspec.json.encode(_Kept(key, verdict)) + b"\n")


def _read(path: Path) -> dict[str, Verdict]:
    try:
        lines = path.read_bytes().splitlines()
        kept = [msgspec.json.decode(line, type=_Kept) for line in lines if line.strip()]
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as cause:
        raise ConfigError(f"{path} holds no verdicts, or damaged ones: {cause}") from cause
    return {one.key: one.verdict for one in kept}
