"""Warm start: behaviour cloning of noisy demonstrations until the policy is barely useful.

    tasks --demonstrate--> episodes --correct steps--> clone --success on val--> weights, cached
           or recorded ones ---^

The demonstrator follows the oracle but errs now and then, as people do. Demonstrations contain the
mistakes and their repair, but only the oracle's actions are cloned. The cache key covers everything
that the result depends on, so the same settings reuse the same weights.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec
import numpy as np
import torch

from distrl.config.learn import WarmStartConfig
from distrl.errors import ConfigError, WeightsError
from distrl.interfaces import Clock, Express, Oracle, Policy
from distrl.learn.ingest import Unpack, trajectory_of
from distrl.learn.learner import Vary
from distrl.learn.model import Model
from distrl.learn.optimisers import adamw
from distrl.policies.noisy import NoisyPolicy
from distrl.replay.trajectory import Trajectory
from distrl.types import Action, Choice, Episode, Situation, StoredEpisode, Task
from distrl.weights.file_channel import sync_folder, write_whole
from distrl.weights.serialization import digest_of, seal, unseal

Play: TypeAlias = Callable[[Callable[[Oracle], Policy], Task], Episode]
"""Runs one episode of a task with a policy that is built from the task's oracle."""

Success: TypeAlias = Callable[[], float]
"""Success rate on val with the current weights, acting greedily."""

_CODE = (
    "actions.py",
    "types.py",
    "devices/phone",
    "envs",
    "policies",
    "tasks",
    "collect/episode.py",
)
"""Code that demonstrations depend on; its digest is part of the cache key."""
_WEIGHTS, _DEMONSTRATIONS, _RESULT = "weights.safetensors", "demonstrations.msgpack", "result.json"
_UNPACKED = 10_000
"""Steps that are kept ready for the network, some 400 MB of the pointer's; others are unpacked
whenever they are drawn, which takes a tenth of an update."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmStart:
    """Result of a warm start."""

    digest: str
    """Digest of the weights."""
    success: float
    """Final success rate on val."""
    updates: int
    seconds: float
    """Time that cloning took, also if the result was read from the cache."""
    reused: bool
    demonstrations: tuple[Trajectory, ...]
    """Successful demonstrations, from their last mistake on, for the imitation loss."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """Demonstrations recorded before, such as a person's, in place of the oracle's."""

    read: Callable[[], list[StoredEpisode]]
    digest: str
    """Digest of the recording, for the cache key."""


@dataclass(frozen=True, kw_only=True)
class WarmStartParts:
    """Dependencies of a warm start."""

    model: Model
    """Trained in place."""
    tasks: Sequence[Task]
    """Of the training split."""
    play: Play
    express: Express
    unpack: Unpack
    success: Success
    clock: Clock
    surroundings: Mapping[str, object]
    """Other settings that the result depends on, such as the phone's, for the cache key."""
    seed: int = 0
    """Decides which steps a demonstrator gets wrong, and the order in which steps are cloned."""
    told: Callable[[str], None] = _log.info
    """Receives progress messages."""
    advanced: Callable[[float], None] | None = None
    """Receives the share of updates made, where it is known how many will be made."""
    vary: Vary | None = None
    """Data augmentation, applied anew each time a step is cloned."""
    given: Given | None = None
    """Existing demonstrations to clone; None records new ones with the oracle."""


class Demonstrator:
    """A noisy oracle that labels its correct steps with the decision of the trained policy."""

    def __init__(self, oracle: Oracle, express: Express, *, error_rate: float, seed: int) -> None:
        """Act in the environment that the oracle observes; `error_rate` is per step."""
        self._recorder = _RecordingOracle(oracle)
        self._noisy = NoisyPolicy(self._recorder, error_rate, seed=seed)
        self._express = express

    def begin(self, seed: int) -> None:
        """Start an episode: the two seeds determine which steps are mistakes."""
        self._noisy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The noisy choices; a mistake has no decision, so it is never cloned."""
        return [self._choice(situation) for situation in situations]

    def _choice(self, situation: Situation) -> Choice:
        (choice,) = self._noisy.act((situation,))
        if choice.action != self._recorder.last:
            return choice
        decision, inputs = self._express(situation, choice.action)
        return dataclasses.replace(choice, decision=decision, inputs=inputs)


class _RecordingOracle:
    """Passes an oracle's actions on and remembers the last one."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.last: Action | None = None

    def action(self) -> Action:
        self.last = self._oracle.action()
        return self.last


def demonstrated_tasks(tasks: Sequence[Task], config: WarmStartConfig) -> list[Task]:
    """Tasks to demonstrate: the first of every template, then the second, and so on."""
    templates: dict[str, list[Task]] = {}
    for task in tasks:
        templates.setdefault(task.template, []).append(task)
    wanted = max(config.demonstrations, config.per_template * len(templates))
    longest = max((len(group) for group in templates.values()), default=0)
    turns = [group[i] for i in range(longest) for group in templates.values() if i < len(group)]
    return turns[:wanted]


def demonstrate(parts: WarmStartParts, config: WarmStartConfig) -> list[StoredEpisode]:
    """Record one demonstration of every task in `demonstrated_tasks`."""

    def build(oracle: Oracle) -> Policy:
        return Demonstrator(oracle, parts.express, error_rate=config.error_rate, seed=parts.seed)

    episodes = [parts.play(build, task) for task in demonstrated_tasks(parts.tasks, config)]
    return [
        StoredEpisode.of(replace(episode, id=f"demonstration/{episode.task.id}"))
        for episode in episodes
    ]


def clone(
    parts: WarmStartParts, config: WarmStartConfig, shown: Sequence[StoredEpisode]
) -> tuple[int, float]:
    """Maximise log pi on the labelled steps; returns updates made and the last success rate."""
    labelled = _Labelled(shown, parts.unpack)
    model, rng = parts.model, Random(parts.seed)
    vary, chance = parts.vary, np.random.default_rng(parts.seed)
    optimiser = adamw(model.parameters(), config.learning_rate)
    check = config.check_every
    for update in range(1, config.max_updates + 1):
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * (
                1 - (1 - config.anneal) * (update - 1) / config.max_updates
            )
        rows = [labelled.row(at) for at in rng.choices(range(len(labelled)), k=config.batch)]
        inputs = [vary((row[0],), chance)[0] if vary else row[0] for row in rows]
        seen = model.evaluate(inputs, [row[1] for row in rows])
        loss = -seen.log_prob.mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        # With a target cloning ends long before the last update, and nobody knows when.
        if parts.advanced is not None and config.target is None:
            parts.advanced(update / config.max_updates)
        # Success on val costs far more than an update, so it is measured rarely.
        if config.target is None or (update < check and update < config.max_updates):
            continue
        success = parts.success()
        parts.told(f"cloning: update {update}, loss {loss.item():.2f}, val success {success:.3f}")
        if success >= config.target:
            return update, success
        check = update + config.check_every * _intervals_to_next_check(success, config.target)
    return config.max_updates, parts.success() if config.target is None else success


class _Labelled:
    """The labelled steps of demonstrations: inputs and the right decision."""

    def __init__(self, shown: Sequence[StoredEpisode], unpack: Unpack) -> None:
        """ConfigError if there is not one."""
        self._steps = [
            (step.inputs, step.decision)
            for episode in shown
            for step in episode.steps
            if step.decision is not None and step.inputs
        ]
        if not self._steps:
            raise ConfigError(
                "there is nothing to clone: no demonstration has a step to learn from"
            )
        self._unpack = unpack
        self._unpacked: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._steps)

    def row(self, at: int) -> tuple[Any, tuple[int, ...]]:
        """A step's inputs and decision."""
        packed, decision = self._steps[at]
        inputs = self._unpacked.get(at)
        if inputs is None:
            inputs = self._unpack(packed)
            if len(self._unpacked) < _UNPACKED:
                self._unpacked[at] = inputs
        return inputs, decision


def _intervals_to_next_check(success: float, target: float) -> int:
    """Intervals until success is measured again: 1 near the target, 5 at a success of 0."""
    # 1e-9 keeps an exact multiple from being rounded up to one interval more.
    return 1 + int(5 * max(0.0, target - success) / max(target, 1e-9) - 1e-9)


def warm_start(
    parts: WarmStartParts, config: WarmStartConfig, cache: Path | None = None
) -> WarmStart:
    """Give the model its first weights: from the cache if it has them, else by cloning."""
    folder = None if cache is None else cache / cache_key(parts, config)
    if folder is not None and folder.is_dir():
        try:
            return _load(parts, folder)
        except (WeightsError, OSError, ValueError, KeyError) as error:
            # A damaged entry is made again and replaced: it is only a cache.
            parts.told(f"the warm start in {folder} cannot be used: {error}")
    began = parts.clock.now()
    if parts.given is None:
        parts.told("recording demonstrations")
        shown = demonstrate(parts, config)
    else:
        parts.told("reading demonstrations")
        shown = parts.given.read()
    updates, success = clone(parts, config, shown)
    # Those that go on being imitated; they are in turns, one of every template after the other.
    shown = shown[: config.kept]
    result = WarmStart(
        digest=digest_of(parts.model.state_dict()),
        success=success,
        updates=updates,
        seconds=parts.clock.now() - began,
        reused=False,
        demonstrations=successes(shown, parts.unpack),
    )
    if folder is not None:
        _save(parts, folder, shown, result)
    return result


def successes(shown: Sequence[StoredEpisode], unpack: Unpack) -> tuple[Trajectory, ...]:
    """Trajectories of the demonstrations that succeeded, from their last mistake on."""
    trajectories = (trajectory_of(episode, unpack) for episode in shown)
    return tuple(
        trajectory for trajectory in trajectories if trajectory is not None and trajectory.succeeded
    )


def cache_key(parts: WarmStartParts, config: WarmStartConfig) -> str:
    """Digest of everything that the result depends on, initial weights and code included."""
    shown = demonstrated_tasks(parts.tasks, config) if parts.given is None else []
    matters = {
        "settings": config.model_dump(mode="json", exclude={"reuse", "episodes"}),
        "seed": parts.seed,
        "surroundings": parts.surroundings,
        "tasks": [dataclasses.asdict(task) for task in shown],
        "given": None if parts.given is None else parts.given.digest,
        "model": digest_of(parts.model.state_dict()),
        "code": _code_digest(),
        "torch": torch.__version__,
    }
    text = json.dumps(matters, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _code_digest() -> str:
    package = Path(__file__).resolve().parents[1]
    total = hashlib.sha256(Path(__file__).read_bytes())
    for name in _CODE:
        root = package / name
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            total.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes())
    return total.hexdigest()


def _save(
    parts: WarmStartParts, folder: Path, shown: Sequence[StoredEpisode], result: WarmStart
) -> None:
    """Write to a temporary folder, then rename: a cache entry is complete or absent."""
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    weights, _ = seal(parts.model.state_dict(), 0)
    demonstrations = msgspec.msgpack.encode(list(shown))
    told: dict[str, Any] = {
        name: getattr(result, name) for name in ("digest", "success", "updates", "seconds")
    }
    told["demonstrations_sha256"] = hashlib.sha256(demonstrations).hexdigest()
    write_whole(aside / _WEIGHTS, weights)
    write_whole(aside / _DEMONSTRATIONS, demonstrations)
    write_whole(aside / _RESULT, json.dumps(told, indent=1).encode())
    if folder.exists():  # damaged, or made by another run meanwhile
        replaced = aside.with_suffix(".replaced")
        folder.rename(replaced)
        shutil.rmtree(replaced)
    aside.rename(folder)
    sync_folder(folder.parent)


def _load(parts: WarmStartParts, folder: Path) -> WarmStart:
    told = json.loads((folder / _RESULT).read_bytes())
    data = (folder / _DEMONSTRATIONS).read_bytes()
    if hashlib.sha256(data).hexdigest() != told["demonstrations_sha256"]:
        raise WeightsError("the demonstrations are damaged")
    sealed = unseal((folder / _WEIGHTS).read_bytes(), 0)
    shown = msgspec.msgpack.decode(data, type=list[StoredEpisode])
    result = WarmStart(
        digest=sealed.digest,
        success=float(told["success"]),
        updates=int(told["updates"]),
        seconds=float(told["seconds"]),
        reused=True,
        demonstrations=successes(shown, parts.unpack),
    )
    parts.model.load_state_dict(dict(sealed.weights))
    return result
