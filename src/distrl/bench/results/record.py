"""What a row's file holds; reading it needs nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from distrl.bench.results.plan import GROUPS, Without
from distrl.collect.evaluation.statistics import Row
from distrl.errors import ConfigError
from distrl.run.state.provenance import Code, Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A greedy evaluation of the row's policy."""

    split: str
    without: Without
    """What was taken away from the policy."""
    figures: Row
    rows: tuple[Row, ...] = ()
    """One per template, where the page tells each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What the row's policy cost. None is for what does not apply to it."""

    minutes: float
    """Of learning: by reinforcement, or by cloning where there is no more than that."""
    minutes_in_all: float | None
    """With the warm start and the run's own evaluations."""
    episodes: int | None
    """Collected while learning."""
    steps: int | None
    updates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One row."""

    name: str
    group: str
    suite: str
    recipe: str
    seed: int
    settings: tuple[str, ...]
    """What was changed in the recipe."""
    quick: bool
    """Whether it only shows that everything works."""
    command: str
    """What made it."""
    effort: Effort
    evaluations: tuple[Evaluation, ...]
    code: Code
    machine: Machine

    def figures(self, split: str, without: Without = "nothing") -> Row | None:
        """The figures of one evaluation; None where there is none."""
        for evaluation in self.evaluations:
            if (evaluation.split, evaluation.without) == (split, without):
                return evaluation.figures
        return None

    @property
    def templates(self) -> tuple[Row, ...]:
        """Figures of every template on test, if they were kept."""
        return next((e.rows for e in self.evaluations if e.split == "test"), ())


def load(path: Path) -> Result:
    """Read a row's file; ConfigError tells what is wrong with it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"the result in {path} cannot be read: {error}") from None


def load_all(folder: Path) -> tuple[Result, ...]:
    """All rows in a folder, in the order of groups and seeds."""
    order = [group.name for group in GROUPS]

    def place(result: Result) -> tuple[int, str, int]:
        known = result.group in order
        return (order.index(result.group) if known else len(order), result.group, result.seed)

    return tuple(sorted(map(load, folder.glob("*.json")), key=place))


def flat(result: Result) -> dict[str, Any]:
    """A row as one flat object: its headline is the test split."""
    test = result.figures("test")
    others = {
        "unseen": result.figures("unseen"),
        "without_pixels": result.figures("test", "pixels"),
        "without_elements": result.figures("test", "elements"),
    }
    headline = ("success", "low", "high", "false_complete", "side_effects", "mean_steps")
    effort = ("minutes", "episodes", "steps", "updates")
    return {
        "name": result.name,
        "suite": result.suite,
        "seed": result.seed,
        **{name: getattr(test, name, None) for name in headline},
        **{name: figures and figures.success for name, figures in others.items()},
        **{name: getattr(result.effort, name) for name in effort},
    }


def any_quick(results: Sequence[Result]) -> bool:
    """Whether some figures mean nothing."""
    return any(result.quick for result in results)
