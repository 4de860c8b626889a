"""AndroidWorld's tasks by address: `androidworld:CHECKOUT`, a seed for every task.

    tasks.suite=androidworld:~/android_world                                  all of its tasks
    tasks.suite=androidworld:~/android_world#SystemWifiTurnOn,MarkorEditNote  two of them

Parameters, goals and step limits are its own. `test` is what its own run.py plays with its default
seed: the same parameters. The other splits have seeds of their own.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence

from distrl.config.devices import AndroidConfig
from distrl.errors import ConfigError, unknown_name
from distrl.tasks.android_world.checkout import AndroidWorldCheckout, open_checkout
from distrl.tasks.seed_suite import FIRST_SEEDS, SeedSuite, SeedTemplate
from distrl.tasks.suites import Suite
from distrl.types import Task, Value

PREFIX = "androidworld:"
_SEEDS = {"train": 10, "val": 1, "test": 1, "unseen": 0}
_SEED_OF = {"test": "30", "train": "train", "val": "val"}
"""What the seeds of a split are made from: 30 is the default of AndroidWorld's own run.py."""
_STEPS_PER_COMPLEXITY = 10
REFUSED: Mapping[str, str] = {
    "ContactsNewContactDraft": "its check reads the accessibility tree of AndroidWorld's forwarder "
    "app, which needs a gRPC connection from the phone and not adb",
}
"""Tasks that adb alone cannot judge, and why."""
_BY_CONSOLE = frozenset(
    {
        *("SimpleSmsReply", "SimpleSmsReplyMostRecent", "SimpleSmsResend"),
        "SimpleSmsSendReceivedAddress",
    }
)
"""Tasks that begin with an SMS that arrives, which only the console of an emulator can send."""
_BY_FFMPEG = frozenset(
    {
        *("RetroCreatePlaylist", "RetroPlayingQueue", "RetroPlaylistDuration"),
        "RetroSavePlaylist",
    }
)
"""Tasks whose songs are encoded on this machine, by pydub."""


class AndroidWorldTemplate(SeedTemplate):
    """One task class."""

    worded_when_played = False

    def __init__(self, name: str, checkout: AndroidWorldCheckout) -> None:
        """Name it as AndroidWorld does."""
        example = checkout.instance(name, 0)
        steps = int(_STEPS_PER_COMPLEXITY * example.complexity)
        super().__init__(name, (str(example.goal),), max(1, steps))
        self.question = name in checkout.questions
        self.apps: tuple[str, ...] = tuple(example.app_names)
        """The apps that it is played in, as AndroidWorld names them."""
        self._checkout = checkout

    def posed(self, split: str, turn: int) -> tuple[str, Mapping[str, Value]]:
        """The goal with the parameters of this turn, which its own seed decides."""
        seed = instance_seed(self.name, split, turn)
        return str(self._checkout.instance(self.name, seed).goal), {}


class AndroidWorldSuite(SeedSuite):
    """The tasks of one checkout."""

    def __init__(self, name: str) -> None:
        """`name` is `androidworld:CHECKOUT`; ConfigError for what cannot be played."""
        where, sign, listed = name.removeprefix(PREFIX).partition("#")
        if not where or (sign and not listed):
            raise ConfigError(
                f"AndroidWorld is named {PREFIX}CHECKOUT, the folder of a checkout, or "
                f"{PREFIX}CHECKOUT#TASK,TASK for some of its tasks, got {name!r}"
            )
        self.checkout = open_checkout(where)
        asked = [part.strip() for part in listed.split(",")] if sign else []
        chosen = self._chosen(asked)
        templates = [AndroidWorldTemplate(task, self.checkout) for task in chosen]
        super().__init__(name, templates, _SEEDS, device="android")

    def _chosen(self, asked: Sequence[str]) -> list[str]:
        for name in asked:
            if name not in self.checkout.classes:
                raise unknown_name("task of AndroidWorld", name, self.checkout.classes)
            if name in REFUSED:
                raise ConfigError(f"{name} cannot be played over adb: {REFUSED[name]}")
        every = [name for name in sorted(self.checkout.classes) if name not in REFUSED]
        return list(dict.fromkeys(asked)) or every

    @property
    def packages(self) -> dict[str, tuple[str, ...]]:
        """The packages that tasks are played in, with the tasks of each."""
        adb_utils = self.checkout.module("env.adb_utils")
        found: dict[str, list[str]] = {}
        for template in self.templates.values():
            assert isinstance(template, AndroidWorldTemplate)
            for activity in filter(None, map(adb_utils.get_adb_activity, template.apps)):
                package = adb_utils.extract_package_name(activity)
                found.setdefault(package, []).append(template.name)
        return {package: tuple(names) for package, names in sorted(found.items())}


def instance_seed(name: str, split: str, turn: int) -> int:
    """The seed of one task, as AndroidWorld's own suite makes it of a suite's seed."""
    said = f"{_SEED_OF[split]}_{name}_{turn}".encode()
    return int(hashlib.sha256(said).hexdigest(), 16) % 2**32


def seed_of(task: Task) -> int:
    """The seed of a task's parameters."""
    return instance_seed(task.template, task.split, task.seed - FIRST_SEEDS[task.split])


def refuse_unplayable(suite: Suite, android: AndroidConfig) -> None:
    """ConfigError where phones, or this machine, lack what tasks of AndroidWorld need."""
    if not isinstance(suite, AndroidWorldSuite):
        return
    if strangers := [s for s in android.serials if not re.fullmatch(r"emulator-\d+", s)]:
        _refuse_some(
            suite,
            _BY_CONSOLE,
            "need an SMS that arrives, which the console of an emulator on this machine sends: "
            f"{', '.join(strangers)} has none",
        )
    if shutil.which("ffmpeg") is None:
        _refuse_some(suite, _BY_FFMPEG, "need songs that ffmpeg encodes, which is not on PATH here")
    closed = [package for package in suite.packages if not android.safety.allow(package)]
    if closed:
        raise ConfigError(
            f"tasks of {suite.name} are played in apps that collect.android.safety.apps does not "
            f"allow, and could never succeed: add {', '.join(closed)}, or name the tasks to play "
            f"with {PREFIX}CHECKOUT#TASK,TASK"
        )


def _refuse_some(suite: AndroidWorldSuite, names: frozenset[str], why: str) -> None:
    found = [name for name in suite.templates if name in names]
    if found:
        others = len(suite.templates) - len(found)
        raise ConfigError(
            f"{', '.join(found)} {why}; name the tasks to play with {PREFIX}CHECKOUT#TASK,TASK "
            f"({others} of this suite can be)"
        )
