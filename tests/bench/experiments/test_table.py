from __future__ import annotations

import json

import pytest
from tests.bench.experiments.made import curve, point, result

from distrl.bench.experiments import table
from distrl.bench.experiments.runs import start_of
from distrl.bench.experiments.table import (
    BASELINE,
    EPISODES,
    METHODS,
    MORE,
    OURS,
    STEPS,
    Cell,
    Method,
    Size,
    budget_seconds,
    cells,
    choose_methods,
    plan,
    summary,
)
from distrl.devices.fault_injection import FleetProfile
from distrl.errors import ConfigError
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, ExperimentResult


def made(size: Size, names: str = "default", **successes: tuple[float, ...]) -> list[Cell]:
    """The cells of runs with these curves, by method or by method and seed; others have the
    baseline's."""
    methods = choose_methods(names)
    experiments = plan(methods, size)
    results: dict[str, ExperimentResult] = {}
    for one in experiments:
        name = one.name.removeprefix(f"{one.suite}-").removesuffix(f"-seed{one.seed}")
        shape = successes.get(name.replace("-", "_"), successes["sync_digirl"])
        shape = successes.get(f"{name.replace('-', '_')}_{one.seed}", shape)
        results[one.name] = result(one, curve(*shape))
        start = start_of(one)
        results[start.name] = result(start, [point(0.0, 0.3)])
    return cells(methods, experiments, results)


def test_by_default_the_two_by_two_and_the_headline_are_run() -> None:
    names = [e.name for e in plan(choose_methods("default"), Size(seeds=2))]
    assert len(names) == len(set(names)) == 2 * (4 + 2)
    assert names[:6] == [
        *("general-async-a_ride-seed0", "general-sync-a_ride-seed0"),
        *("general-async-digirl-seed0", "general-sync-digirl-seed0"),
        *("shopping-async-a_ride-seed0", "shopping-sync-digirl-seed0"),
    ]


def test_all_runs_of_a_suite_last_equally_long_and_start_from_the_same_weights() -> None:
    experiments = plan(choose_methods("all"), Size(seeds=1))
    assert len(experiments) == len(METHODS) + len(MORE) + 2
    for suite in ("general", "shopping"):
        mine = [e for e in experiments if e.suite == suite]
        assert len({e.seconds for e in mine}) == 1
        assert len({start_of(e) for e in mine}) == 1
        assert len({e.config().warm_start for e in mine}) == 1


def test_methods_differ_in_what_they_are_about_only() -> None:
    def shared(e: Experiment) -> object:
        config = e.config()
        algorithm = config.algorithm.model_copy(update={"name": ""})
        replay = config.replay.model_copy(update={"alpha": 0.0})
        update = {"algorithm": algorithm, "replay": replay}
        return config.model_copy(update=update)

    general = [e for e in plan(choose_methods("default"), Size(seeds=1)) if e.suite == "general"]
    assert all(shared(e) == shared(general[0]) for e in general)
    config = general[0].config()
    assert not config.curriculum.enabled
    assert not config.success_pool.enabled
    assert {e.mode for e in general} == {Mode.ASYNC, Mode.SYNC}


def test_the_budget_is_the_time_of_so_many_episodes() -> None:
    same = FleetProfile(step_spread=0.0, reset_spread=0.0, fastest=1.0, slowest=1.0)
    assert budget_seconds(10, 5.0, 2, same) == pytest.approx(10 * (60 + 4 * 13) / 2)
    general = budget_seconds(EPISODES, STEPS["general"], 32, FleetProfile())
    assert general == pytest.approx(3000 * (68.0 + 5.1 * 19.5) / (32 * 0.93), rel=0.01)


def test_methods_are_chosen_by_name_and_the_baseline_is_always_there() -> None:
    chosen = choose_methods("sync-ppo")
    assert [m.name for m in chosen["general"]] == ["sync-ppo", BASELINE.name]
    assert [m.name for m in chosen["shopping"]] == [BASELINE.name]
    with pytest.raises(ConfigError, match="did you mean 'sync-ppo'"):
        choose_methods("sync-pp0")


def test_the_default_methods_may_stand_among_names() -> None:
    chosen = choose_methods("default, async-a_ride-newest")
    names = [m.name for m in chosen["general"]]
    assert names == [*(m.name for m in METHODS), "async-a_ride-newest", "sync-digirl-newest"]
    assert chosen["shopping"] == (OURS, BASELINE)
    assert choose_methods("default,default") == choose_methods("default")


@pytest.mark.parametrize("names", ["", " ", ",,"])
def test_no_method_is_refused(names: str) -> None:
    with pytest.raises(ConfigError, match=r"names no method, got .*; allowed are default, all"):
        choose_methods(names)


@pytest.mark.parametrize("ema", [OURS, BASELINE])
def test_what_is_called_newest_differs_in_what_is_evaluated_only(ema: Method) -> None:
    general = {e.name: e for e in plan(choose_methods("all"), Size(seeds=1))}
    before = general[f"general-{ema.name}-seed0"]
    after = general[f"general-{ema.name}-newest-seed0"]
    assert after.config().algorithm.ema_decay == 0.0
    assert not after.config().algorithm.target_critics
    assert (after.mode, after.seconds) == (before.mode, before.seconds)
    algorithm = after.config().algorithm.model_copy(update={"ema_decay": 0.99})
    assert after.config().model_copy(update={"algorithm": algorithm}) == before.config()


def test_no_seed_is_no_plan() -> None:
    with pytest.raises(ConfigError, match="at least one seed is needed, got 0"):
        plan(choose_methods("default"), Size(seeds=0))


def test_the_ratios_follow_from_the_curves() -> None:
    found = made(
        Size(seeds=2),
        sync_digirl=(0.3, 0.3, 0.4, 0.4, 0.4, 0.4),
        async_a_ride=(0.5, 0.6, 0.6, 0.6, 0.6, 0.6),
    )
    told = summary(found, quick=False, command="distrl bench table")
    assert told["success_ratio_general"] == pytest.approx(0.6 / 0.4)
    assert told["success_ratio_shopping"] == pytest.approx(0.6 / 0.4)
    # The baseline is at its final figure after five points, ours after two.
    assert told["time_ratio_general"] == pytest.approx(500 / 200)
    assert told["interaction_ratio_general"] == pytest.approx(500 / 200)
    assert told["time_ratio_shopping"] == told["interaction_ratio_shopping"] == 500 / 200
    assert told["checkpoints"] == 15
    assert json.loads(json.dumps(told)) == told
    rows = {(row["suite"], row["method"]): row for row in told["rows"]}
    assert len(rows) == 6
    ours = rows["general", OURS.name]
    assert ours["test"] == pytest.approx(0.6)
    assert ours["test_low"] < ours["test"] < ours["test_high"]
    assert ours["unseen"] == pytest.approx(0.3)
    assert (ours["start"], ours["reached"], ours["seeds"]) == (pytest.approx(0.3), 2, 2)
    assert ours["test_by_seed"] == pytest.approx([0.6, 0.6])
    assert ours["seconds"] < rows["shopping", OURS.name]["seconds"]


def test_every_ratio_and_every_gain_has_its_worst_and_its_best_seed() -> None:
    found = made(
        Size(seeds=2),
        sync_digirl=(0.3, 0.4, 0.4, 0.4),
        async_a_ride=(0.6, 0.6, 0.6, 0.6),
        async_a_ride_1=(0.3, 0.5, 0.5, 0.5),
        sync_a_ride=(0.3, 0.5, 0.5, 0.5),
    )
    told = summary(found, quick=False, command="")

    def figure(name: str) -> list[float]:
        return [told[name], told[f"{name}_lowest"], told[f"{name}_highest"]]

    assert figure("success_ratio_general") == pytest.approx([0.55 / 0.4, 0.5 / 0.4, 0.6 / 0.4])
    # The baseline is there after four points, ours after two and after three.
    assert figure("time_ratio_general") == pytest.approx([(2 + 4 / 3) / 2, 4 / 3, 2.0])
    assert figure("mode_gain_a_ride") == pytest.approx([0.05, 0.0, 0.1])
    assert figure("mode_gain_digirl") == [0.0, 0.0, 0.0]
    assert figure("algorithm_gain_sync") == pytest.approx([0.1, 0.1, 0.1])
    assert figure("algorithm_gain_async") == pytest.approx([0.15, 0.1, 0.2])


def test_the_newest_are_measured_by_the_newest() -> None:
    found = made(
        Size(seeds=2),
        "default,async-a_ride-newest,sync-digirl-newest",
        sync_digirl=(0.3, 0.3, 0.4, 0.4, 0.4, 0.4),
        sync_digirl_newest=(0.3, 0.5, 0.5, 0.5, 0.5, 0.5),
        async_a_ride=(0.5, 0.6, 0.6, 0.6, 0.6, 0.6),
        async_a_ride_newest=(0.6, 0.6, 0.6, 0.6, 0.6, 0.6),
    )
    told = summary(found, quick=False, command="distrl bench table")
    assert told["success_ratio_general"] == pytest.approx(0.6 / 0.4)
    assert told["success_ratio_general_newest"] == pytest.approx(0.6 / 0.5)
    assert told["time_ratio_general_newest"] == pytest.approx(400 / 200)
    default = made(Size(seeds=1), sync_digirl=(0.3, 0.4, 0.5))
    assert not any("newest" in key for key in summary(default, quick=False, command=""))


def test_who_never_gets_there_has_a_ratio_of_one_at_the_most() -> None:
    found = made(
        Size(seeds=1),
        sync_digirl=(0.3, 0.5, 0.6, 0.6, 0.6),
        async_a_ride=(0.3, 0.3, 0.3, 0.3, 0.3),
    )
    told = summary(found, quick=True, command="")
    assert told["time_ratio_general"] == 1.0
    assert next(r for r in told["rows"] if r["method"] == OURS.name)["reached"] == 0


def test_without_the_headline_there_is_no_ratio() -> None:
    methods = {"general": (BASELINE,), "shopping": (BASELINE,)}
    experiments = plan(methods, Size(seeds=1))
    results = {e.name: result(e, curve(0.3, 0.4, 0.5)) for e in experiments}
    results |= {start_of(e).name: result(start_of(e), [point(0.0, 0.3)]) for e in experiments}
    told = summary(cells(methods, experiments, results), quick=True, command="")
    assert told["success_ratio_general"] is told["time_ratio_general"] is None


def test_quick_is_smaller_in_every_way() -> None:
    full = Size()
    assert table.QUICK.episodes < full.episodes
    assert table.QUICK.seeds < full.seeds
    assert table.QUICK.checkpoints < full.checkpoints
