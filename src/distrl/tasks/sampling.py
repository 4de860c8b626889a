"""Task sampling for training: uniform, or by a curriculum of what is neither easy nor hopeless.

With the curriculum, the probability of a template is proportional to p * (1 - p) + floor, where p
is its recent success rate (an exponential moving average). p * (1 - p) is the variance of a reward
of 0 or 1: it is largest for half-solved tasks, which teach most. The floor keeps solved and
hopeless templates from being forgotten. Within a template, tasks that never succeeded may be drawn
more often.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence, Sized
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from distrl.config.learn import SuccessPoolConfig
from distrl.config.tasks import CurriculumConfig
from distrl.errors import ConfigError
from distrl.types import Task

T = TypeVar("T", bound=Sized)

Estimate: TypeAlias = Callable[[Sequence[Task]], Sequence[float]]
"""How likely each task is to succeed, such as the goal critic says."""


_DEFAULT = CurriculumConfig()
_DEFAULT_POOL = SuccessPoolConfig()


class TaskSampler:
    """Draws the next task and updates success rates from ended episodes.

    All methods may be called from many threads: collectors draw and report at the same time.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        rng: Random,
        config: CurriculumConfig = _DEFAULT,
        *,
        repeat: int = 1,
        estimate: Estimate | None = None,
    ) -> None:
        """A drawn task is given `repeat` times in a row, as groups of attempts need it.

        `estimate` weighs the tasks of one template; without it they are equally likely.
        """
        if not tasks:
            raise ConfigError("there are no tasks to draw from")
        self._tasks = tuple(tasks)
        self._rng = rng
        self._config, self._repeat = config, repeat
        self._estimate = estimate
        self._templates: dict[str, list[Task]] = {}
        for task in tasks:
            self._templates.setdefault(task.template, []).append(task)
        self._success: dict[str, float] = {}
        self._solved: set[str] = set()
        self._again: tuple[Task, int] | None = None
        """A task that is given so many times more."""
        self._lock = threading.Lock()

    def next(self) -> Task:
        """Draw a task, or give the last one again."""
        with self._lock:
            task, left = self._again or (self._draw(), self._repeat)
            self._again = (task, left - 1) if left > 1 else None
            return task

    def _draw(self) -> Task:
        if not self._config.enabled:
            return self._rng.choice(self._tasks)
        names = list(self._templates)
        weights = [
            # By the number of tasks too, so that with equal success every task is equally likely,
            # as without a curriculum. A template nobody has tried counts as half solved: the most
            # that it could teach.
            len(self._templates[name]) * self._worth(self._success.get(name, 0.5))
            for name in names
        ]
        (name,) = self._rng.choices(names, weights)
        return self._within(self._templates[name])

    def _within(self, tasks: Sequence[Task]) -> Task:
        if self._estimate is None:
            more = self._config.unsolved
            wanted = [1.0 if task.id in self._solved else more for task in tasks]
            return self._rng.choices(tasks, wanted)[0]
        # An estimate may be anything; beyond [0, 1] the worth would be negative.
        worth = [self._worth(min(1.0, max(0.0, p))) for p in self._estimate(tasks)]
        return self._rng.choices(tasks, worth)[0]

    def _worth(self, success: float) -> float:
        return success * (1 - success) + self._config.floor

    def report(self, task: Task, succeeded: bool) -> None:
        """Take note of an episode that may be trained on."""
        memory = self._config.memory
        with self._lock:
            if succeeded:
                self._solved.add(task.id)
            before = self._success.get(task.template, 0.5)
            self._success[task.template] = memory * before + (1 - memory) * succeeded

    def success(self) -> dict[str, float]:
        """Running success of each template that was tried."""
        with self._lock:
            return dict(self._success)

    def state(self) -> dict[str, Any]:
        """All that it remembers, as plain values for a checkpoint."""
        with self._lock:
            version, numbers, gauss = self._rng.getstate()
            return {
                "success": dict(self._success),
                # Sorted, so that equal states give equal checkpoints.
                "solved": sorted(self._solved),
                "rng": [version, list(numbers), gauss],
                "again": None if self._again is None else [self._again[0].id, self._again[1]],
            }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state; templates that are no longer there are forgotten."""
        version, numbers, gauss = state["rng"]
        with self._lock:
            self._rng.setstate((version, tuple(numbers), gauss))
            self._solved = set(state["solved"])
            name, left = state.get("again") or ("", 0)
            again = next((task for task in self._tasks if task.id == name), None)
            self._again = None if again is None else (again, left)
            self._success = {
                name: float(p) for name, p in state["success"].items() if name in self._templates
            }


class SuccessPool(Generic[T]):
    """The shortest success of every task, offered again while the task fails, or always.

    Of equally short ones it is the newest: a detour that led to success is not worth repeating.
    """

    def __init__(
        self,
        config: SuccessPoolConfig = _DEFAULT_POOL,
        *,
        kind: Callable[[T], str] | None = None,
    ) -> None:
        """Start empty. With `kind`, every kind of item is drawn equally often.

        A template of which little was solved has few items, and needs them most.
        """
        self.config = config
        self._kind = kind
        self._items: dict[str, T] = {}
        self._failing: set[str] = set()

    def report(self, task_id: str, item: T, succeeded: bool) -> None:
        """Take note of an attempt; `item` is what would be imitated."""
        if succeeded:
            if task_id not in self._items or len(item) <= len(self._items[task_id]):
                self._items[task_id] = item
            self._failing.discard(task_id)
        else:
            self._failing.add(task_id)

    def wanted(self) -> list[T]:
        """What is offered now, in order of the tasks' first success."""
        return [
            item
            for task_id, item in self._items.items()
            if task_id in self._failing or not self.config.only_failing
        ]

    def draw(self, count: int, rng: Random) -> list[T]:
        """At most `count` different ones of those."""
        wanted = self.wanted()
        if self._kind is None or len(wanted) <= count:
            return rng.sample(wanted, min(count, len(wanted)))
        kinds: dict[str, list[T]] = {}
        # A shuffle of all, then one of each kind in turn: kinds with few items are drawn as often
        # as others.
        for item in rng.sample(wanted, len(wanted)):
            kinds.setdefault(self._kind(item), []).append(item)
        drawn: list[T] = []
        while len(drawn) < count:
            left = [name for name, items in kinds.items() if items]
            chosen = rng.sample(left, min(count - len(drawn), len(left)))
            drawn += [kinds[name].pop() for name in chosen]
        return drawn

    def items(self) -> Mapping[str, T]:
        """Every task's shortest success."""
        return dict(self._items)

    def failing(self) -> frozenset[str]:
        """Tasks whose newest attempt failed."""
        return frozenset(self._failing)
