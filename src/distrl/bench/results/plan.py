"""Which rows there are: a policy for each group and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from distrl.config import RunConfig, load_run_config
from distrl.errors import ConfigError, unknown_name
from distrl.policies.pointer.text_encoder import default_cache

# Three runs, as the paper has.
SEEDS = (0, 1, 2)

Without = Literal["nothing", "pixels", "elements"]
"""What can be taken away from a policy."""

EVALUATIONS: tuple[tuple[str, Without], ...] = (
    ("test", "nothing"),
    ("unseen", "nothing"),
    ("test", "pixels"),
    ("test", "elements"),
)
"""Splits, and what is taken away, of a policy that sees and reads."""
_PLAIN = EVALUATIONS[:2]
"""Nothing is taken away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows that differ in their seeds only."""

    name: str
    recipe: str
    settings: tuple[str, ...] = ()
    """On top of the recipe."""
    trains: bool = True
    """Whether there is reinforcement learning; otherwise the first weights are evaluated."""
    every_seed: bool = True
    """Whether it is made for all seeds; otherwise for the first of them."""
    evaluations: tuple[tuple[str, Without], ...] = EVALUATIONS
    """Splits, and what is taken away."""
    every_template: bool = False
    """Whether the figures of each template are told, too."""
    about: str
    """How it is made, as the page says it."""


GROUPS = (
    Group(
        name="quickstart",
        recipe="quickstart",
        about="A-RIDE from the warm start, by the default recipe: what `make train` does.",
    ),
    Group(
        name="pool-alone",
        recipe="quickstart",
        settings=("algorithm.policy=0.0",),
        evaluations=_PLAIN,
        about="The default recipe without policy gradient: what imitating demonstrations and its "
        "own successes makes of it.",
    ),
    Group(
        name="rl-alone",
        recipe="quickstart",
        settings=("success_pool.enabled=false",),
        evaluations=_PLAIN,
        about="The default recipe without success pool: what A-RIDE makes of it.",
    ),
    Group(
        name="cloning",
        recipe="quickstart",
        settings=("warm_start.target=null", "warm_start.max_updates=800"),
        trains=False,
        about="Behaviour cloning on the demonstrations of the warm start, trained to the end "
        "instead of being stopped early; no reinforcement learning.",
    ),
    Group(
        name="warm-start",
        recipe="quickstart",
        trains=False,
        about="What reinforcement learning starts from: cloning, stopped as soon as it succeeds "
        "now and then on val.",
    ),
    Group(
        name="shopping",
        recipe="shopping",
        every_seed=False,
        about="The same method on the web shopping suite, from a warm start of its own.",
    ),
    Group(
        name="smollm",
        recipe="smollm",
        every_seed=False,
        evaluations=(("test", "nothing"),),
        about="SmolLM2-135M with an adapter on its top layers, by A-RIDE from a warm start of its "
        "own; it reads at most eight elements of a screen.",
    ),
    Group(
        name="smollm-warm-start",
        recipe="smollm",
        trains=False,
        every_seed=False,
        evaluations=(("test", "nothing"),),
        about="What it starts from: supervised fine-tuning on demonstrations, stopped early.",
    ),
    Group(
        name="miniwob",
        recipe="miniwob",
        every_seed=False,
        evaluations=(("test", "nothing"),),
        every_template=True,
        about="A-RIDE on twenty tasks of MiniWoB++ at once in a real Chromium, from random weights "
        "and without demonstrations.",
    ),
)

QUICK = (
    "max_episodes=16",
    "policy.width=16",
    "policy.heads=2",
    "policy.layers=1",
    "policy.crop_width=16",
    "collect.devices=3",
    "learner.batch=4",
    "learner.min_episodes=8",
    "learner.checkpoint_every=5",
    "warm_start.demonstrations=4",
    "warm_start.per_template=1",
    "warm_start.target=null",
    "warm_start.max_updates=2",
    "warm_start.reuse=false",
    "evaluate.tasks=2",
    "monitor.tensorboard=false",
)
"""Everything once and small, to see that it works: the figures mean nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One row to be made."""

    group: Group
    seed: int
    quick: bool = False

    @property
    def name(self) -> str:
        """What its file and its run are called."""
        return f"{self.group.name}-seed{self.seed}"

    @property
    def settings(self) -> tuple[str, ...]:
        """What is changed in the recipe."""
        return (f"seed={self.seed}", *self.group.settings, *(QUICK if self.quick else ()))

    @property
    def command(self) -> str:
        """What makes exactly this row."""
        quick = " --quick" if self.quick else ""
        return f"distrl results run --only {self.group.name} --seeds {self.seed}{quick}"

    def config(self) -> RunConfig:
        """All settings of its run."""
        return load_run_config(self.group.recipe, self.settings)


def plan(
    seeds: Sequence[int] = SEEDS, only: Sequence[str] = (), *, quick: bool = False
) -> tuple[Planned, ...]:
    """The rows of these seeds, in the order of their groups.

    `only` leaves out all but some groups (`cloning`) or rows (`cloning-seed1`).
    """
    if not seeds:
        raise ConfigError("at least one seed is needed")
    rows = tuple(
        Planned(group=group, seed=seed, quick=quick)
        for group in GROUPS
        for seed in (dict.fromkeys(seeds) if group.every_seed else seeds[:1])
    )
    names = {name for row in rows for name in (row.name, row.group.name)}
    for name in only:
        if name not in names:
            raise unknown_name("row", name, names)
    return tuple(row for row in rows if not only or {row.name, row.group.name} & set(only))


def default_work() -> Path:
    """Where runs are kept for going on: in the user's cache."""
    return default_cache().parent / "results"
