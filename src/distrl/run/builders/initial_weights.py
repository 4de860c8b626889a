"""The first weights of a run: cloned, random, pretrained, or those of another run.

    RUN/start/weights.safetensors       what version 1 is published from
    RUN/start/demonstrations.msgpack    what is imitated along the way; may be none
    RUN/start/result.json

The folder is whole or not there. A warm start is made in a cache that runs share, and copied.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from torch import Tensor

from distrl.clock import RealClock
from distrl.collect.demonstrations import express_successes, survey
from distrl.collect.episode import run_episode
from distrl.collect.evaluation.evaluate import success_of
from distrl.config import RunConfig
from distrl.envs.device_kinds import NoOracle, device_factory, env_on
from distrl.errors import ConfigError
from distrl.interfaces import Oracle, Policy
from distrl.learn.warm_start import Given, WarmStartParts, cache_key, successes, warm_start
from distrl.policies.pointer.text_encoder import default_cache
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.policy_bundle import PolicyBundle
from distrl.run.builders.pretrained import is_pretrained, read_pretrained
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.episode_sources import digest_of_episodes, open_episodes
from distrl.run.state.folder import RunFolder
from distrl.tasks.suites import load_suite
from distrl.types import Episode, StoredEpisode, Task
from distrl.weights.file_channel import newest_whole, write_whole
from distrl.weights.serialization import digest_of, seal, unseal

Tell = Callable[[str], None]
"""Is told how it goes, a line at a time."""
Advance = Callable[[float], None]
"""Is told the share that is done."""

WEIGHTS, DEMONSTRATIONS, RESULT = "weights.safetensors", "demonstrations.msgpack", "result.json"
_FEW = 10
"""Fewer given episodes than this leave most templates without any; the user is warned."""


def prepare_start(
    folder: RunFolder,
    config: RunConfig,
    bundle: PolicyBundle,
    tell: Tell,
    advance: Advance | None = None,
) -> None:
    """Make the start of a run, unless it is there already."""
    if folder.start.exists():
        return
    aside = folder.root / ".start.partial"
    # What a run that was killed here has left behind.
    shutil.rmtree(aside, ignore_errors=True)
    if config.init == "warm_start":
        _tell_what_is_cloned(config, tell)
        parts = replace(warm_start_parts(config, bundle, tell), advanced=advance)
        _copy_warm_start(aside, config, bundle, parts)
    else:
        _write_start(aside, config, bundle)
    aside.rename(folder.start)


def load_start(folder: RunFolder, bundle: PolicyBundle) -> tuple[Trajectory, ...]:
    """Give the model its first weights; returns the demonstrations that succeeded."""
    sealed = unseal((folder.start / WEIGHTS).read_bytes(), 0)
    bundle.model.load_state_dict(dict(sealed.weights))
    data = (folder.start / DEMONSTRATIONS).read_bytes()
    shown = msgspec.msgpack.decode(data, type=list[StoredEpisode])
    return successes(shown, bundle.unpack)


@dataclass(frozen=True, slots=True)
class GivenWeights:
    """Weights that somebody has trained."""

    weights: Mapping[str, Tensor]
    where: str
    run: RunFolder | None = None
    """The run that they are of; None for pretrained ones."""


def weights_of_init(init: str) -> GivenWeights:
    """The weights that `init` names; ConfigError if there are none.

    It is a pretrained policy, the folder of a run, whose newest checkpoint is taken, or a run's
    folder `weights`, of which the newest whole version is taken.
    """
    if is_pretrained(init):
        return GivenWeights(read_pretrained(init).weights, init)
    folder = Path(init)
    published = newest_whole(folder)
    if published is None:
        weights, path = weights_of_run(folder)
        return GivenWeights(weights, str(path), RunFolder(folder))
    where = f"{init} (version {published.version})"
    return GivenWeights(published.weights, where, RunFolder(folder.parent))


def _write_start(aside: Path, config: RunConfig, bundle: PolicyBundle) -> None:
    """Random weights, pretrained ones, or another run's with its demonstrations."""
    demonstrations = msgspec.msgpack.encode([])
    if config.init != "scratch":
        given = weights_of_init(config.init)
        bundle.take(given.weights, given.where)
        # A fork goes on imitating what its parent imitated.
        if given.run is not None and (given.run.start / DEMONSTRATIONS).exists():
            demonstrations = (given.run.start / DEMONSTRATIONS).read_bytes()
    aside.mkdir()
    data, digest = seal(bundle.model.state_dict(), 0)
    result = {"digest": digest, "init": config.init}
    write_whole(aside / WEIGHTS, data)
    write_whole(aside / DEMONSTRATIONS, demonstrations)
    write_whole(aside / RESULT, json.dumps(result, indent=1).encode())


def _copy_warm_start(
    aside: Path, config: RunConfig, bundle: PolicyBundle, parts: WarmStartParts
) -> None:
    key = cache_key(parts, config.warm_start)
    with TemporaryDirectory(prefix="distrl-") as temporary:
        shared = default_cache().parent / "warm_starts"
        cache = shared if config.warm_start.reuse else Path(temporary)
        result = warm_start(parts, config.warm_start, cache)
        assert digest_of(bundle.model.state_dict()) == result.digest
        shutil.copytree(cache / key, aside)


def warm_start_parts(config: RunConfig, bundle: PolicyBundle, tell: Tell) -> WarmStartParts:
    """What a warm start works with: one device to demonstrate on, val to look at."""
    suite = load_suite(config.tasks.suite)
    phone, options = config.phone, config.collect.options
    factors = config.tasks.factors
    factory = device_factory(config.tasks.suite, phone=phone, factors=factors, options=options)
    policy = bundle.policy(greedy=True)
    val = suite.tasks("val")

    def play(build: Callable[[Oracle], Policy], task: Task) -> Episode:
        # A new device for each: a demonstration must not depend on those before it, for results are
        # cached by settings alone.
        env, oracle = env_on(factory.make_device("demonstration"))
        policy = build(oracle or NoOracle(config.tasks.suite))
        return run_episode(env, policy, task, clock=clock, episode_id=task.id)

    def success() -> float:
        return success_of(policy, val, phone=phone, options=options)

    clock = RealClock()
    return WarmStartParts(
        model=bundle.model,
        tasks=suite.tasks(config.tasks.split),
        play=play,
        express=bundle.express,
        unpack=bundle.unpack,
        success=success,
        clock=clock,
        surroundings=warm_start_surroundings(config),
        seed=config.seed,
        told=tell,
        vary=bundle.vary(config),
        given=_given(config, bundle),
    )


def warm_start_surroundings(config: RunConfig) -> dict[str, Any]:
    """What a warm start depends on beside its own settings; part of its cache's key."""
    phone, factors = config.phone.model_dump(mode="json"), config.tasks.factors
    if not phone["factors"]:
        del phone["factors"]  # a phone that has none is the same as before there were any
    return {
        "suite": config.tasks.suite,
        "policy": _policy_settings(config),
        "phone": phone,
        "swap_names": config.learner.swap_names,
        **({"factors": [str(factor) for factor in factors]} if factors else {}),
    }


def _policy_settings(config: RunConfig) -> dict[str, object]:
    """Those of the policy that is trained; what others would use does not matter."""
    values = config.policy.model_dump()
    own = values.pop("lm")
    if not values["options"]:
        del values["options"]  # only policies of plug-ins have any
    del own["served"]  # where actions are written makes no other policy
    return {"name": config.policy.name, **own} if config.policy.name == "lm" else values


def _tell_what_is_cloned(config: RunConfig, tell: Tell) -> None:
    """Say how many given episodes are used, also when the cache has what they lead to."""
    where, suite, split = config.warm_start.episodes, config.tasks.suite, config.tasks.split
    if where is None:
        return
    with open_episodes(where) as source:
        found = survey(source.episodes, suite=suite, split=split)
    said = found.in_words(where)
    if not found.cloned:
        raise ConfigError(f"warm_start.episodes: {said}; there is nothing to clone")
    tell(said)
    if found.cloned < _FEW:
        tell(
            f"few demonstrations: they replace the recorded ones, and {found.cloned} teach little; "
            f"keep {_FEW} or more"
        )


def _given(config: RunConfig, bundle: PolicyBundle) -> Given | None:
    """The demonstrations that the settings name; ConfigError when there are no episodes."""
    where = config.warm_start.episodes
    if where is None:
        return None

    def read() -> list[StoredEpisode]:
        with open_episodes(where) as source:
            return express_successes(
                source.episodes, bundle.express, suite=config.tasks.suite, split=config.tasks.split
            )

    return Given(read=read, digest=digest_of_episodes(where))
