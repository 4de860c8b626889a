"""A suite with the splits that say what is new: wider training, other words, compositions, apps.

The four splits of old are drawn as if there were no others: same tasks, same seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any

from distrl.errors import ConfigError
from distrl.tasks.pools import SPLITS, normalise
from distrl.tasks.splits import MORE_SPLITS, WIDE, WORDED, values_of
from distrl.tasks.suites import DRAWS, Suite, SuiteShape, quotas
from distrl.tasks.template import Draw, Template
from distrl.tasks.wording.grammar import say, typed
from distrl.tasks.wording.words import Words
from distrl.types import Task

_AS_WRITTEN = 0.3
"""Share of the wide training tasks that keep a phrasing as the template has it."""


class SpokenTemplate(Template):
    """A template that words its goals itself, by the grammar."""

    phrasings = ()

    def say(self, rng: Random) -> str:
        """A phrasing with parameters in braces."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What a suite has beside its four splits."""

    words: Mapping[str, Words]
    """What each trained template can be called, by its name."""
    derived: Mapping[str, Sequence[SpokenTemplate]]
    """Derived templates of each split."""
    sizes: Mapping[str, int]
    """Tasks per split; `worded` has one for each test task."""


class WideSuite(Suite):
    """Written templates, words for them, and templates that are derived."""

    def __init__(
        self,
        name: str,
        templates: Sequence[Template],
        shape: SuiteShape,
        more: Callable[[], More],
        more_splits: tuple[str, ...] = MORE_SPLITS,
    ) -> None:
        """`more` is called when a new split or a derived template is first asked for."""
        super().__init__(name, templates, shape)
        self._more, self._more_splits = cache(more), more_splits

    @property
    def splits(self) -> tuple[str, ...]:
        """The four of every suite, and those that say what is new."""
        return (*SPLITS, *self._more_splits)

    def all_templates(self) -> Mapping[str, Template]:
        """Every template by name, derived ones too."""
        return self.templates if self._whole is not None else self._merged

    @cached_property
    def _merged(self) -> Mapping[str, Template]:
        derived = {t.name: t for group in self._more().derived.values() for t in group}
        return {**derived, **self.templates}

    def _draw(self, split: str) -> tuple[Task, ...]:
        if split in SPLITS:
            return super()._draw(split)
        drawn = self._reworded() if split == WORDED else self._derived(split)
        return tuple(self._posed(split, index, *posed) for index, posed in enumerate(drawn))

    def _reworded(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Each test task, said as nobody says it in training."""
        rng = Random(f"{self.name} {WORDED}")
        for task in self.tasks("test"):
            words = self._words(task.template)
            yield (
                task.template,
                say(words, rng, held=True).format(**task.parameters),
                task.parameters,
            )

    def _derived(self, split: str) -> list[tuple[str, str, Mapping[str, Any]]]:
        """Tasks of a split's own templates; wide training has the written ones too."""
        more = self._more()
        pool: list[Template] = list(more.derived.get(split, ()))
        if split == WIDE:
            pool += [template for template in self.templates.values() if not template.unseen]
        rng = Random(f"{self.name} {split}")
        draw = Draw(values_of(split), rng)
        # What the split of the same values asks for is not asked for again.
        goals = {normalise(task.goal) for task in self.tasks(values_of(split))}
        drawn = [
            (template.name, *posed)
            for template, count in quotas(pool, more.sizes.get(split, 0)).items()
            for posed in self._spoken(template, count, draw, goals)
        ]
        rng.shuffle(drawn)
        return drawn

    def _spoken(
        self, template: Template, count: int, draw: Draw, goals: set[str]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Goals and their parameters, new to the split while there are any left."""
        for _ in range(count):
            for _ in range(DRAWS):
                parameters = template.sample(draw)
                goal = self._phrasing(template, draw.rng).format(**parameters)
                if normalise(goal) not in goals:
                    break
            goals.add(normalise(goal))
            yield goal, parameters

    def _phrasing(self, template: Template, rng: Random) -> str:
        if isinstance(template, SpokenTemplate):
            return template.say(rng)
        if rng.random() < _AS_WRITTEN:
            return typed(rng.choice(template.phrasings_for("train")), rng)
        return say(self._words(template.name), rng)

    def _words(self, template: str) -> Words:
        words = self._more().words
        if template not in words:
            raise ConfigError(
                f"the grammar of {self.name} has no words for the template {template!r}"
            )
        return words[template]
