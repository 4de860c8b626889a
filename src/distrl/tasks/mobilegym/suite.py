"""Suites of MobileGym: `mobilegym:CHECKOUT`.

    mobilegym:~/mobilegym                          all tasks of its splits train and test
    mobilegym:~/mobilegym#clock,notes.CreateNote   those of a suite of its, and a single one

`train` and `val` are its split train, each with seeds of its own; `test` is its split test, whose
tasks are no others with new parameters: nobody trains on them at all. Parameters follow from the
seed. Where the page is served, the variable DISTRL_MOBILEGYM_URL says.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from distrl.errors import ConfigError
from distrl.tasks.mobilegym.checkout import MobileGymCheckout
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate
from distrl.types import Kind

PREFIX = "mobilegym:"
URL_VARIABLE = "DISTRL_MOBILEGYM_URL"
URL = "http://127.0.0.1:4173"
"""Where `npx vite preview` serves what was built."""
_SEEDS = {"train": 20, "val": 2, "test": 2, "unseen": 0}
_NAMES = re.compile(r"[\w.]+(,[\w.]+)*")


class MobileGymTemplate(SeedTemplate):
    """One of its tasks, by its id."""

    def __init__(self, checkout: MobileGymCheckout, name: str, split: str) -> None:
        """The goal of any seed stands for those of all, until it is played."""
        task = checkout.make(name, 0)
        super().__init__(name, (_goal_of(task),), checkout.steps(task))
        self.splits = ("test",) if split == "test" else ("train", "val")


class MobileGymSuite(SeedSuite):
    """The tasks of a checkout."""

    def __init__(self, name: str) -> None:
        """`name` is `mobilegym:CHECKOUT`; ConfigError for what is none, or has no such task."""
        folder, sign, names = name.removeprefix(PREFIX).partition("#")
        if not folder or (sign and not _NAMES.fullmatch(names)):
            raise ConfigError(
                f"tasks of MobileGym are named {PREFIX}CHECKOUT, such as {PREFIX}~/mobilegym or "
                f"{PREFIX}~/mobilegym#clock,notes, got {name!r}"
            )
        self.checkout = MobileGymCheckout(Path(folder).expanduser())
        templates = [
            MobileGymTemplate(self.checkout, task, split)
            for split, ids in self.checkout.chosen(names.split(",") if names else ()).items()
            for task in ids
        ]
        super().__init__(name, templates, _SEEDS, device="mobilegym")

    @property
    def kinds(self) -> frozenset[Kind]:
        """Its phone opens apps by their names as well, and some of its tasks are long."""
        return super().kinds | {Kind.OPEN_APP}


def served_at() -> str:
    """Where MobileGym's page is; ConfigError for what is no address."""
    url = os.environ.get(URL_VARIABLE, "").strip() or URL
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{URL_VARIABLE} is an address such as {URL}, got {url!r}")
    return url


def _goal_of(task: object) -> str:
    """What a task asks for, as far as that can be said before it is set up."""
    try:
        return str(task.description)  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - its own code, which may want the phone's state
        return str(task.templates[0])  # type: ignore[attr-defined]
