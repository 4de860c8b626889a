"""From a run's settings to the settings of each part: the one place that knows both."""

from __future__ import annotations

import dataclasses

from distrl.config import RunConfig
from distrl.devices.phone.device import PhoneSettings
from distrl.errors import ConfigError, unknown_name
from distrl.learn.algorithms import algorithm_names
from distrl.learn.algorithms.actor_critic import (
    ARideSettings,
    CriticForm,
    DigirlForm,
    DigirlSettings,
)
from distrl.learn.learner import LearnerSettings
from distrl.learn.optimisers import OptimiserKind
from distrl.learn.returns import Correction
from distrl.learn.warm_start import WarmStartSettings
from distrl.policies.lm.model import LmSettings
from distrl.policies.lm.prompt import PromptSettings
from distrl.policies.pointer.network import PointerSize
from distrl.replay.buffer import ReplaySettings
from distrl.replay.priorities import PriorityWeights
from distrl.run.builders.policy_bundle import POLICIES
from distrl.tasks.sampling import SamplingSettings
from distrl.types import Kind


def a_ride_settings(config: RunConfig) -> ARideSettings:
    """Settings of the algorithm."""
    if config.algorithm.name not in algorithm_names():
        raise unknown_name("algorithm.name", config.algorithm.name, algorithm_names())
    own = {"name", "correction", "critic_target", "critic_form", "digirl", "optimiser"}
    values = config.algorithm.model_dump(exclude=own)
    target = config.algorithm.critic_target
    pool, digirl = config.success_pool, config.algorithm.digirl.model_dump()
    return ARideSettings(
        **values,
        optimiser=OptimiserKind(config.algorithm.optimiser),
        correction=Correction(config.algorithm.correction),
        critic_target=None if target is None else Correction(target),
        critic_form=CriticForm(config.algorithm.critic_form),
        self_imitation=pool.kappa if pool.enabled else 0.0,
        shortfall=pool.shortfall,
        digirl=DigirlSettings(**{**digirl, "form": DigirlForm(digirl["form"])}),
    )


def replay_settings(config: RunConfig) -> ReplaySettings:
    """Settings of the buffer."""
    replay = config.replay
    return ReplaySettings(
        capacity=replay.capacity,
        alpha=replay.alpha,
        max_lag=replay.max_lag,
        old_share=replay.old_share,
    )


def priority_weights(config: RunConfig) -> PriorityWeights:
    """What makes an episode worth replaying."""
    return PriorityWeights(**config.replay.priorities.model_dump())


def learner_settings(config: RunConfig) -> LearnerSettings:
    """Settings of the learner's loop, with the run's budget."""
    learner = config.learner
    return LearnerSettings(
        batch=learner.batch,
        group=learner.group,
        min_episodes=learner.min_episodes,
        replay_ratio=learner.replay_ratio,
        publish_every=learner.publish_every,
        sweep_share=learner.sweep_share,
        importance=(config.replay.importance_start, config.replay.importance_end),
        budget_seconds=None if config.minutes is None else 60.0 * config.minutes,
        budget_episodes=config.max_episodes,
        checkpoint_every=learner.checkpoint_every,
        canaries=learner.canaries,
        pool_batch=config.success_pool.batch,
        seed=config.seed,
    )


def pointer_size(config: RunConfig) -> PointerSize:
    """How large the network is, what it may do, and whether it judges decisions."""
    policy = config.policy
    POLICIES.require(policy.name, what="policy.name")
    if policy.name != "pointer":
        raise ConfigError(f"this needs the pointer, and policy.name is {policy.name}")
    return PointerSize(
        width=policy.width,
        layers=policy.layers,
        heads=policy.heads,
        crop_width=policy.crop_width,
        decision_critics=CriticForm(config.algorithm.critic_form) is CriticForm.Q,
        kinds=tuple(Kind(name) for name in policy.kinds or Kind),
        constrained=policy.constrained,
    )


def lm_settings(config: RunConfig) -> LmSettings:
    """How a language model writes and learns."""
    lm = config.policy.lm
    return LmSettings(
        temperature=lm.temperature,
        constrained=lm.constrained,
        rows=lm.rows,
        gradient_checkpointing=lm.gradient_checkpointing,
    )


def prompt_settings(config: RunConfig) -> PromptSettings:
    """How much a language model is told."""
    lm = config.policy.lm
    return PromptSettings(elements=lm.elements, history=lm.history, label=lm.label, brief=lm.brief)


def phone_settings(config: RunConfig) -> PhoneSettings:
    """How the embedded phones are made."""
    tasks = config.tasks
    return PhoneSettings(
        nuisance_rate=tasks.nuisance_rate, default_layout=tasks.layout, elements=tasks.elements
    )


def sampling_settings(config: RunConfig) -> SamplingSettings:
    """Which tasks are drawn more."""
    curriculum = config.curriculum
    return SamplingSettings(
        curriculum=curriculum.enabled,
        floor=curriculum.floor,
        memory=curriculum.memory,
        unsolved=curriculum.unsolved,
        repeat=config.learner.group,
    )


def warm_start_settings(config: RunConfig) -> WarmStartSettings:
    """Settings of cloning."""
    values = config.warm_start.model_dump(exclude={"reuse", "episodes"})
    return WarmStartSettings(**values, seed=config.seed)


def warm_start_surroundings(config: RunConfig) -> dict[str, object]:
    """What a warm start depends on beside its own settings; part of its cache's key."""
    return {
        "suite": config.tasks.suite,
        "policy": _policy_settings(config),
        "phone": dataclasses.asdict(phone_settings(config)),
        "swap_names": config.learner.swap_names,
    }


def _policy_settings(config: RunConfig) -> dict[str, object]:
    """Those of the policy that is trained; what others would use does not matter."""
    values = config.policy.model_dump()
    own = values.pop("lm")
    if not values["options"]:
        del values["options"]  # only policies of plug-ins have any
    del own["served"]  # where actions are written makes no other policy
    return {"name": config.policy.name, **own} if config.policy.name == "lm" else values
