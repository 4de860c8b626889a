"""How well a policy does on the tasks of a suite, on the devices that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from distrl.checks import require_whole
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.collect.evaluation.statistics import Result, Row, result_of, summarise
from distrl.collect.vectorized_rollout import run_episodes
from distrl.config.devices import PhoneConfig
from distrl.envs.device_kinds import NoOracle, device_factory, env_on
from distrl.errors import ConfigError
from distrl.interfaces import Env, Oracle, Policy
from distrl.policies.scripted import ScriptedPolicy
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Task

PolicyFactory: TypeAlias = Callable[[Oracle], Policy]
"""Makes the policy that is evaluated; the oracle is for those that may cheat."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called after every task with how many are done, and of how many."""

Watch: TypeAlias = Callable[[Episode], None]
"""Shown every episode that was played with the policy, such as by a judge that looks on."""

_SIDE_BY_SIDE = 16
"""Devices of an evaluation whose decisions are made together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures of an evaluation."""

    overall: Row
    rows: tuple[Row, ...]
    """One per template, by name."""
    faults: tuple[str, ...]
    """What went wrong in the episodes that do not count."""


def select_tasks(
    suite: str, split: str, *, template: str | None = None, tasks: int | None = None
) -> tuple[Task, ...]:
    """The tasks of a split, of one template if it is named; only the first `tasks`, if given.

    There is at least one, or else a ConfigError.
    """
    if tasks is not None:
        require_whole("the number of tasks", tasks, low=1)
    loaded = load_suite(suite)
    found = loaded.tasks(split)
    if template is not None:
        name = loaded.template(template).name
        found = tuple(task for task in found if task.template == name)
    if not found:
        what = f"template {template!r}" if template else "tasks"
        chosen = loaded.only([template]) if template else loaded
        filled = [name for name in chosen.splits if chosen.tasks(name)]
        raise ConfigError(
            f"the split {split!r} of {suite!r} has no {what} "
            f"(splits that have: {', '.join(filled) or 'none'})"
        )
    return found[:tasks]


def evaluate_tasks(
    build: PolicyFactory,
    tasks: Sequence[Task],
    *,
    phone: PhoneConfig | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Report:
    """Play each task once with the policy, and once with the oracle if there is one."""
    (slot,) = _slots(tasks, 1, phone)
    oracle = slot.oracle or NoOracle(tasks[0].suite)
    policy, clock = build(oracle), RealClock()
    # Only results are kept: the pictures of all episodes together may not fit into memory.
    results: list[Result] = []
    faults: list[str] = []
    for task in tasks:
        episode = run_episode(slot.env, policy, task, clock=clock, episode_id=task.id)
        results.append(result_of(episode, _shown(slot, task)))
        faults += _faults([episode])
        if watch is not None:
            watch(episode)
        if progress is not None:
            progress(len(results), len(tasks))
    slot.env.close()
    return _report(results, faults)


def evaluate_policy(
    policy: Policy,
    tasks: Sequence[Task],
    *,
    phone: PhoneConfig | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Report:
    """The same figures for a policy that needs no oracle, faster: many devices share its passes.

    `phone` is how embedded phones are made, `options` are those of a plug-in's device kind.
    """
    slots = _slots(tasks, _SIDE_BY_SIDE, phone, options)
    episodes = _play([slot.env for slot in slots], policy, tasks, progress=progress, watch=watch)
    shown = [_shown(slots[0], task) for task in tasks]
    for slot in slots:
        slot.env.close()
    results = [result_of(*pair) for pair in zip(episodes, shown, strict=True)]
    return _report(results, _faults(episodes))


def evaluate_on(
    envs: Sequence[Env],
    policy: Policy,
    tasks: Sequence[Task],
    *,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Report:
    """The figures of a policy on devices for which there is no oracle; they stay open."""
    episodes = _play(envs, policy, tasks, progress=progress, watch=watch)
    return _report([result_of(episode, None) for episode in episodes], _faults(episodes))


def success_of(
    policy: Policy,
    tasks: Sequence[Task],
    *,
    phone: PhoneConfig | None = None,
    options: Mapping[str, Any] | None = None,
) -> float:
    """The share of tasks that a policy solves; nothing else is measured."""
    envs = [slot.env for slot in _slots(tasks, _SIDE_BY_SIDE, phone, options)]
    episodes = _play(envs, policy, tasks)
    for env in envs:
        env.close()
    counted = [episode for episode in episodes if episode.outcome.trainable]
    return sum(episode.succeeded for episode in counted) / max(1, len(counted))


@dataclass(frozen=True, slots=True)
class _Slot:
    env: Env
    oracle: Oracle | None


def _slots(
    tasks: Sequence[Task],
    count: int,
    phone: PhoneConfig | None,
    options: Mapping[str, Any] | None = None,
) -> list[_Slot]:
    """Environments that play these tasks, which are of one suite."""
    factory = device_factory(tasks[0].suite, phone=phone, options=options)
    devices = [factory.make_device(f"evaluation-{number}") for number in range(count)]
    return [_Slot(*env_on(device)) for device in devices]


def _shown(slot: _Slot, task: Task) -> Episode | None:
    """What the oracle does, if there is one."""
    if slot.oracle is None:
        return None
    script, name = ScriptedPolicy(slot.oracle), f"{task.id}/oracle"
    return run_episode(slot.env, script, task, clock=RealClock(), episode_id=name)


def _play(
    envs: Sequence[Env],
    policy: Policy,
    tasks: Sequence[Task],
    *,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> list[Episode]:
    """One episode of each task, in the order of the tasks."""
    played: dict[int, Episode] = {}
    for index, episode in run_episodes(envs, policy, tasks, clock=RealClock()):
        played[index] = episode
        if watch is not None:
            watch(episode)
        if progress is not None:
            progress(len(played), len(tasks))
    return [played[index] for index in range(len(tasks))]


def _report(results: Sequence[Result], faults: Sequence[str]) -> Report:
    names = sorted({result.template for result in results})
    rows = (summarise(name, [r for r in results if r.template == name]) for name in names)
    return Report(overall=summarise("all", results), rows=tuple(rows), faults=tuple(faults))


def _faults(episodes: Iterable[Episode]) -> list[str]:
    return [f"{episode.task.id}: {episode.fault}" for episode in episodes if episode.fault]
