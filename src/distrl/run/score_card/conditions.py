"""What a score card says was played: enough to play it again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import Literal

from distrl.checks import require_seed
from distrl.config.devices import PhoneConfig
from distrl.config.load import checked
from distrl.errors import ConfigError
from distrl.tasks.suites import is_file, load_suite

_ELSEWHERE = (
    *(".yaml", ".yml", ".txt"),
    *("openenv:", "androidworld:", "mobilegym:", "browsergym:"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What is played. Every field is the option of `distrl eval` that has its name."""

    policy: str
    suite: str
    split: str
    tasks: int | None = None
    template: str | None = None
    error_rate: float = 0.2
    nuisance_rate: float = 0.25
    layout: int = 1
    without: Literal["nothing", "pixels", "elements"] = "nothing"
    seed: int = 0

    def phone(self) -> PhoneConfig:
        """How phones are made; ConfigError for what no phone can be."""
        values = {
            "nuisance_rate": self.nuisance_rate,
            "layout": self.layout,
            "elements": self.without != "elements",
        }
        return checked(PhoneConfig, values)

    def require_playable(self) -> None:
        """ConfigError for conditions that cannot be played again wherever the package is."""
        require_seed(self.seed)
        if self.policy == "api":
            raise ConfigError(
                "a score card is of a policy that answers the same again; api may not"
            )
        # A card may come from anybody: it must not make a machine read files or call servers.
        if any(mark in self.suite for mark in _ELSEWHERE) or is_file(self.suite):
            raise ConfigError(
                f"a score card is of a suite of the package or of a plug-in, and {self.suite!r} "
                "lies elsewhere"
            )
        load_suite(self.suite)
        self.phone()

    @property
    def has_factors(self) -> bool:
        """Whether it is played on embedded phones, which have factors of robustness."""
        return load_suite(self.suite).device == "phone"

    def command(self, file: str) -> str:
        """The command that makes such a card."""
        words = ["distrl", "eval"]
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                words += [f"--{field.name.replace('_', '-')}", str(value)]
        return shlex.join([*words, "--card", file])
