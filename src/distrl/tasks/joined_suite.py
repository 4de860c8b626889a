"""Several suites as one, such as `general+shopping`, for policies that learn all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from distrl.errors import ConfigError
from distrl.tasks.suites import Suite, SuiteShape, load_suite
from distrl.tasks.template import Template
from distrl.types import Kind, Task

SIGN = "+"
"""What stands between the names of the suites."""


def joined(name: str) -> JoinedSuite:
    """The suite of `NAME+NAME`; ConfigError with the nearest name for a wrong one."""
    names = [part.strip() for part in name.split(SIGN)]
    if len(set(names)) < len(names) or "" in names:
        raise ConfigError(f"suites are joined as NAME{SIGN}NAME, each once, got {name!r}")
    return JoinedSuite([load_suite(part) for part in names])


class JoinedSuite(Suite):
    """The tasks of several suites on one kind of device; each keeps its id, suite and seed."""

    def __init__(self, suites: Sequence[Suite]) -> None:
        """ConfigError unless all are played on one kind of device and no template is in two."""
        name = SIGN.join(suite.name for suite in suites)
        kinds = {suite.device for suite in suites}
        if len(kinds) > 1:
            raise ConfigError(f"{name}: its suites are played on {' and '.join(sorted(kinds))}")
        limit = max(suite.shape.step_limit for suite in suites)
        shape = SuiteShape(sizes={}, step_limit=limit, first_seed=0)
        super().__init__(name, [t for suite in suites for t in suite.templates.values()], shape)
        self.device = kinds.pop()
        self._suites = tuple(suites)

    @property
    def splits(self) -> tuple[str, ...]:
        """Those of any of its suites, in the order in which they have them."""
        return tuple(dict.fromkeys(split for suite in self._suites for split in suite.splits))

    @property
    def kinds(self) -> frozenset[Kind]:
        """Action kinds that the tasks of any of them need."""
        return frozenset().union(*(suite.kinds for suite in self._suites))

    def all_templates(self) -> Mapping[str, Template]:
        """Every template by name, derived ones too."""
        if self._whole is not None:
            return self.templates
        return {name: t for suite in self._suites for name, t in suite.all_templates().items()}

    def _draw(self, split: str) -> tuple[Task, ...]:
        has = [suite for suite in self._suites if split in suite.splits]
        tasks = [task for suite in has for task in suite.tasks(split)]
        # Mixed: the first tasks of a split are a fair sample of it.
        Random(f"{self.name} {split}").shuffle(tasks)
        return tuple(tasks)
