"""Devices that a person has quarantined by hand, in one file that all runs of a user read.

A run that leases such a device loses it at once (cause `withheld`) and quarantines it; after the
release, the next probe succeeds.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import ConfigError


def default_path() -> Path:
    """Where the list of this user is."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "distrl" / "withheld.json"


@dataclass(frozen=True, slots=True)
class ManualQuarantine:
    """The list. It is read anew whenever it is asked, for others may change it."""

    path: Path

    def all(self) -> dict[str, str]:
        """Serials and why each was taken out; ConfigError when the list is damaged."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot read the devices in {str(self.path)!r}: {error}") from error
        if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
            raise ConfigError(f"{str(self.path)!r} does not hold serials and reasons")
        return found

    def reason(self, serial: str) -> str | None:
        """Why a device is withheld; None when it is not."""
        return self.all().get(serial)

    def add(self, serial: str, reason: str) -> None:
        """Take a device out of use."""
        self._write({**self.all(), serial: reason})

    def remove(self, serial: str) -> bool:
        """Give a device back; False when it was not withheld."""
        kept = self.all()
        if kept.pop(serial, None) is None:
            return False
        self._write(kept)
        return True

    def _write(self, devices: dict[str, str]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and renamed, which is atomic: readers never see half a file. Two writers at
        # the same moment are not kept apart; the later one wins.
        aside = self.path.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(devices, indent=1, sort_keys=True), encoding="utf-8")
        aside.replace(self.path)
