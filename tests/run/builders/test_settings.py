from dataclasses import fields

import pytest

from distrl.config import load_run_config, recipe_names
from distrl.config.learn import AlgorithmConfig, WarmStartConfig
from distrl.config.replay import PrioritiesConfig
from distrl.errors import ConfigError
from distrl.learn.algorithms.a_ride import ARideSettings
from distrl.learn.algorithms.actor_critic import CriticForm
from distrl.learn.returns import Correction
from distrl.learn.warm_start import WarmStartSettings
from distrl.replay.priorities import PriorityWeights
from distrl.run.builders import settings


def names_of(settings: type) -> set[str]:
    return {field.name for field in fields(settings)}


def test_the_algorithm_s_settings_are_mirrored_one_to_one() -> None:
    own = {"name"}
    elsewhere = {"self_imitation", "shortfall"}  # success_pool
    assert set(AlgorithmConfig.model_fields) - own == names_of(ARideSettings) - elsewhere


def test_so_are_those_of_priorities_and_of_the_warm_start() -> None:
    assert set(PrioritiesConfig.model_fields) == names_of(PriorityWeights)
    own = {"reuse", "episodes"}
    assert set(WarmStartConfig.model_fields) - own == names_of(WarmStartSettings) - {"seed"}


@pytest.mark.parametrize("recipe", recipe_names())
def test_every_recipe_gives_settings_for_every_part(recipe: str) -> None:
    config = load_run_config(recipe)
    assert settings.a_ride_settings(config).gamma == config.algorithm.gamma
    assert settings.replay_settings(config).capacity == config.replay.capacity
    assert settings.priority_weights(config).error == config.replay.priorities.error
    assert settings.learner_settings(config).batch == config.learner.batch
    if config.policy.name == "pointer":
        assert settings.pointer_size(config).width == config.policy.width
    assert settings.phone_settings(config).nuisance_rate == config.tasks.nuisance_rate
    assert settings.sampling_settings(config).floor == config.curriculum.floor
    assert settings.warm_start_settings(config).batch == config.warm_start.batch


@pytest.mark.parametrize(
    ("override", "build", "field", "value"),
    [
        ("algorithm.correction=none", "a_ride_settings", "correction", Correction.NONE),
        (
            "algorithm.critic_target=monte_carlo",
            "a_ride_settings",
            "critic_target",
            Correction.MONTE_CARLO,
        ),
        ("algorithm.critic_form=q", "a_ride_settings", "critic_form", CriticForm.Q),
        ("algorithm.critic_form=q", "pointer_size", "decision_critics", True),
        ("algorithm.entropy=0", "a_ride_settings", "entropy", 0.0),
        ("algorithm.invalid=0", "a_ride_settings", "invalid", 0.0),
        ("success_pool.enabled=true", "a_ride_settings", "self_imitation", 0.1),
        ("success_pool.shortfall=false", "a_ride_settings", "shortfall", False),
        ("algorithm.target_critics=false", "a_ride_settings", "target_critics", False),
        ("replay.alpha=0", "replay_settings", "alpha", 0.0),
        ("curriculum.unsolved=3", "sampling_settings", "unsolved", 3.0),
        ("curriculum.enabled=false", "sampling_settings", "curriculum", False),
        ("minutes=2", "learner_settings", "budget_seconds", 120.0),
        ("max_episodes=7", "learner_settings", "budget_episodes", 7),
        ("replay.importance_start=1", "learner_settings", "importance", (1.0, 1.0)),
        ("learner.sweep_share=0", "learner_settings", "sweep_share", 0.0),
        ("tasks.layout=2", "phone_settings", "default_layout", 2),
        ("seed=3", "warm_start_settings", "seed", 3),
    ],
)
def test_one_key_reaches_its_part(override: str, build: str, field: str, value: object) -> None:
    make = getattr(settings, build)
    assert getattr(make(load_run_config("debug", [override])), field) == value
    assert getattr(make(load_run_config("debug")), field) != value


def test_names_that_nobody_knows_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown algorithm.name 'a_rid'; did you mean"):
        settings.a_ride_settings(load_run_config("quickstart", ["algorithm.name=a_rid"]))
    with pytest.raises(ConfigError, match=r"unknown policy.name 'pointr'; did you mean"):
        settings.pointer_size(load_run_config("quickstart", ["policy.name=pointr"]))
    with pytest.raises(ConfigError, match=r"this needs the pointer, and policy.name is lm"):
        settings.pointer_size(load_run_config("quickstart", ["policy.name=lm"]))


def test_the_surroundings_of_a_warm_start_tell_phones_and_policies_apart() -> None:
    overrides = ["tasks.nuisance_rate=0", "policy.pixels=false", "tasks.suite=shopping"]
    plain = settings.warm_start_surroundings(load_run_config("quickstart"))
    for override in overrides:
        config = load_run_config("quickstart", [override])
        assert settings.warm_start_surroundings(config) != plain


def test_where_actions_are_written_makes_no_other_warm_start() -> None:
    free = ["policy.name=lm", "policy.lm.constrained=false"]
    plain = settings.warm_start_surroundings(load_run_config("quickstart", free))
    served = load_run_config("quickstart", [*free, "policy.lm.served.endpoint=http://gpu:8000/v1"])
    assert settings.warm_start_surroundings(served) == plain
