from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.bench.experiments.made import curve, point, result

from distrl.bench.experiments.ablation import (
    BASE,
    QUICK,
    STUDIES,
    TERMS,
    VARIANTS,
    Study,
    choose_study,
    plan,
    rows,
    summary,
    verdict,
)
from distrl.bench.experiments.figures import difference_interval
from distrl.bench.experiments.runs import start_of
from distrl.bench.experiments.table import Size
from distrl.collect.judging.noisy_judge import Misjudgement
from distrl.errors import ConfigError


def test_every_row_changes_what_it_says_and_nothing_else() -> None:
    (base, *others) = plan(TERMS, QUICK)
    assert base.settings == ()
    keys = set[str]()
    for variant, one in zip(VARIANTS[1:], others, strict=True):
        if variant.judge is None:
            assert one.config() != base.config(), variant.name
            keys |= {setting.partition("=")[0] for setting in variant.settings}
        else:
            assert one.config() == base.config()
            assert one.judge == Misjudgement(false_positive=0.05, false_negative=0.10)
        assert start_of(one) == start_of(base)
        assert one.seconds == base.seconds
    assert keys == {
        *("algorithm.correction", "algorithm.trace_clip", "algorithm.rho_max", "algorithm.lam"),
        *("replay.alpha", "replay.initial_priority", "curriculum.enabled"),
        *("algorithm.entropy", "algorithm.invalid"),
        *("algorithm.goal_filter", "algorithm.critic_target", "algorithm.critic_form"),
    }


def test_gains_are_against_the_base_of_the_same_seed() -> None:
    study = choose_study("comparison", "no-entropy")
    variants = study.variants
    assert [v.name for v in variants] == ["base", "no-entropy"]
    experiments = plan(study, Size(seeds=2))
    levels = {
        "base-seed0": 0.5,
        "base-seed1": 0.7,
        "no-entropy-seed0": 0.6,
        "no-entropy-seed1": 0.9,
    }
    results = {e.name: result(e, curve(*[levels[e.name]] * 3)) for e in experiments}
    results |= {start_of(e).name: result(start_of(e), [point(0.0, 0.3)]) for e in experiments}
    base, changed = rows(variants, experiments, results)
    assert base["gain"] == 0.0
    assert changed["gain"] == pytest.approx(0.15)
    assert (changed["gain_lowest"], changed["gain_highest"]) == pytest.approx((0.1, 0.2))
    wanted = pytest.approx(difference_interval(0.75, 0.6, 100))
    assert (changed["gain_low"], changed["gain_high"]) == wanted
    told = summary([base, changed], results["base-seed0"], quick=False, command="c")
    assert (told["better"], told["worse"], told["comparisons"]) == ("no-entropy", "", 1)
    assert json.loads(json.dumps(told)) == told


def test_what_one_row_shows_is_not_shown_among_many() -> None:
    def gain_low(only: str | None) -> float:
        study = choose_study("comparison", only)
        variants = study.variants
        experiments = plan(study, Size(seeds=1))
        levels = {"no-entropy-seed0": 0.75}
        results = {e.name: result(e, curve(*[levels.get(e.name, 0.6)] * 3)) for e in experiments}
        results |= {start_of(e).name: result(start_of(e), [point(0.0, 0.3)]) for e in experiments}
        found = rows(variants, experiments, results)
        return float(next(row["gain_low"] for row in found if row["row"] == "no-entropy"))

    assert gain_low("no-entropy") > 0 > gain_low(None)


@pytest.mark.parametrize(
    ("gains", "interval", "said"),
    [
        ((0.1, 0.2), (0.05, 0.25), "better"),
        ((0.1, 0.2), (-0.05, 0.35), None),  # within what chance does
        ((-0.1, 0.2), (0.05, 0.25), None),  # the seeds disagree
        ((-0.2, -0.1), (-0.25, -0.05), "worse"),
        ((-0.2, -0.1), (-0.35, 0.05), None),
        ((-0.2, 0.1), (-0.25, -0.05), None),
        ((0.0, 0.0), (0.0, 0.0), None),  # the first row itself
    ],
)
def test_a_row_is_called_better_or_worse_only_beyond_chance(
    gains: tuple[float, float], interval: tuple[float, float], said: str | None
) -> None:
    row = {"gain_lowest": gains[0], "gain_highest": gains[1]}
    row |= {"gain_low": interval[0], "gain_high": interval[1]}
    assert verdict(row) == said


def test_an_unknown_row_gets_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'no-entropy'"):
        choose_study("comparison", "no-entropie")
    with pytest.raises(ConfigError, match="--only names no row, got ' '"):
        choose_study("comparison", " ")
    with pytest.raises(ConfigError, match="did you mean 'rl-alone'"):
        choose_study("quickstart", "rl-alon")
    with pytest.raises(ConfigError, match="did you mean 'quickstart'"):
        choose_study("quickstar")
    assert choose_study("comparison").variants[0] is BASE


def test_the_default_recipe_is_taken_apart_into_pool_and_policy_gradient() -> None:
    study = STUDIES["quickstart"]
    both, pool, rl = (one.config() for one in plan(study, Size(seeds=1)))
    assert (both.algorithm.policy, both.success_pool.enabled) == (1.0, True)
    assert (pool.algorithm.policy, pool.success_pool.enabled) == (0.0, True)
    assert (rl.algorithm.policy, rl.success_pool.enabled) == (1.0, False)
    assert both.algorithm.self_imitation > 0
    assert pool.algorithm.changed(policy=1.0) == rl.algorithm == both.algorithm


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_a_study_changes_its_recipe_and_lasts_for_its_episodes(study: Study) -> None:
    base, *others = plan(study, Size(seeds=1))
    assert base.name == "base-seed0"
    assert base.config().collect.devices == study.devices
    assert {one.recipe for one in (base, *others)} == {study.recipe}
    (half, *_) = plan(replace(study, episodes=study.episodes // 2), Size(seeds=1))
    assert half.seconds == pytest.approx(base.seconds / 2)
    assert plan(study, QUICK)[0].seconds < half.seconds
