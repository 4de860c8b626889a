"""What must hold for the oracle on every task of every suite and split."""

from __future__ import annotations

from collections import defaultdict

import pytest
from tests.tasks.runs import (
    EVERY,
    SUITES,
    Moment,
    Run,
    listed,
    one_task_per_template,
    oracle_runs,
    phone,
    play,
)

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import PhoneConfig
from distrl.config.factors import Factor
from distrl.devices.phone import nuisance
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import put
from distrl.envs.device_kinds import NoOracle, env_on
from distrl.policies.scripted import ScriptedPolicy
from distrl.tasks.suites import load_suite
from distrl.types import Kind

every_split = pytest.mark.parametrize(("suite", "split"), EVERY)


@every_split
def test_oracle_succeeds(suite: str, split: str) -> None:
    runs = oracle_runs(suite, split)
    failed = [run for run in runs if not run.succeeded]
    assert len(failed) <= 0.01 * len(runs), listed(failed)


@every_split
def test_oracle_has_no_side_effects(suite: str, split: str) -> None:
    guilty = [run for run in oracle_runs(suite, split) if run.side_effects]
    assert not guilty, listed(guilty)


@every_split
def test_goal_is_not_reached_at_the_start(suite: str, split: str) -> None:
    given_away = [run for run in oracle_runs(suite, split) if run.held_at_start]
    assert not given_away, listed(given_away)


@every_split
def test_oracle_declares_infeasible_what_is_infeasible(suite: str, split: str) -> None:
    for run in oracle_runs(suite, split):
        last = run.moments[-1].action.kind
        template = load_suite(suite).template(run.task.template)
        declared = Kind.INFEASIBLE if template.infeasible else Kind.COMPLETE
        assert last is (Kind.ANSWER if template.question else declared), listed([run])


def _misses(moment: Moment) -> bool:
    action = moment.action
    if action.kind not in (Kind.TAP, Kind.LONG_PRESS):
        return False
    return not any(
        element.enabled and element.center == (action.x, action.y) for element in moment.elements
    )


@every_split
def test_every_touch_hits_the_middle_of_something_visible(suite: str, split: str) -> None:
    wrong = [
        f"{run.task.template}: {actions.to_text(moment.action)}"
        for run in oracle_runs(suite, split)
        for moment in run.moments
        if _misses(moment)
    ]
    assert not wrong, wrong[:10]


def _from_nowhere(run: Run, moment: Moment) -> bool:
    if moment.action.kind is not Kind.TYPE:
        return False
    text = moment.action.text
    return text not in run.task.goal and text not in {e.text for e in moment.elements}


@every_split
def test_every_typed_text_stands_in_the_goal_or_on_the_screen(suite: str, split: str) -> None:
    wrong = [
        f"{run.task.template}: {moment.action.text!r} for {run.task.goal!r}"
        for run in oracle_runs(suite, split)
        for moment in run.moments
        if _from_nowhere(run, moment)
    ]
    assert not wrong, wrong[:10]


@every_split
def test_text_is_typed_only_while_a_field_is_focused(suite: str, split: str) -> None:
    for run in oracle_runs(suite, split):
        for moment in run.moments:
            if moment.action.kind is Kind.TYPE:
                assert moment.keyboard, listed([run])


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("layout", [1, 2])
def test_oracle_knows_every_layout(suite: str, layout: int) -> None:
    device = phone(layout=layout)
    runs = [play(task, device) for task in one_task_per_template(suite)]
    failed = [run for run in runs if not run.succeeded or run.side_effects]
    assert not failed, listed(failed)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("kind", nuisance.KINDS)
def test_nuisance_never_costs_the_oracle_its_success(suite: str, kind: str) -> None:
    device = phone(nuisance=kind)
    runs = [play(task, device) for task in one_task_per_template(suite)]
    failed = [run for run in runs if not run.succeeded or run.side_effects]
    assert not failed, listed(failed)


def _calm(device: PhoneDevice) -> None:
    """Take the nuisance out of an episode that has one, and leave all else as it is."""
    state = device.snapshot()
    state = put(state, ("nuisance",), {"armed": [], "promo": False, "overlap": False})
    device.restore(put(state, ("ui", "overlap"), False))


@pytest.mark.parametrize("kind", nuisance.KINDS)
def test_nuisance_costs_steps(kind: str) -> None:
    device = phone(nuisance=kind)
    tasks = [task for suite in SUITES for task in one_task_per_template(suite)]
    lengths = [
        (play(task, device, prepare=_calm).steps, play(task, device).steps) for task in tasks
    ]
    assert sum(tiresome for _, tiresome in lengths) > sum(calm for calm, _ in lengths)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("rate", [0.2, 0.4])
def test_oracle_recovers_from_mistakes(suite: str, rate: float) -> None:
    """Some mistakes are beyond repair (the wrong thing was bought), but few are."""
    device = phone()
    by_template: dict[str, list[Run]] = defaultdict(list)
    for task in one_task_per_template(suite):
        for seed in range(4):
            run = play(task, device, limit=80, mistakes=rate, seed=seed)
            by_template[task.template].append(run)
    runs = [run for found in by_template.values() for run in found]
    assert sum(run.succeeded for run in runs) >= 0.95 * len(runs), listed(
        run for run in runs if not run.succeeded
    )
    hopeless = [
        found[0] for found in by_template.values() if sum(run.succeeded for run in found) < 2
    ]
    assert not hopeless, listed(hopeless)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("split", ["val", "unseen"])
def test_step_limits_leave_room_for_any_nuisance(suite: str, split: str) -> None:
    """Phones as they are by default have one in four episodes; here it is every episode."""
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=1.0))
    runs = [play(task, device) for task in load_suite(suite).tasks(split)]
    failed = [run for run in runs if not run.succeeded]
    assert len(failed) <= 0.02 * len(runs), listed(failed)


@pytest.mark.parametrize("factor", list(Factor))
@pytest.mark.parametrize("split", ["test", "unseen"])
@pytest.mark.parametrize("suite", ["general", "shopping"])
def test_every_task_can_be_solved_under_every_factor(
    suite: str, split: str, factor: Factor
) -> None:
    env, oracle = env_on(PhoneDevice("varied", PhoneConfig(factors=[factor])))
    policy = ScriptedPolicy(oracle or NoOracle(suite))
    episodes = (
        run_episode(env, policy, task, clock=RealClock(), episode_id=task.id)
        for task in load_suite(suite).tasks(split)
    )
    failed = [
        f"{episode.task.template}: {episode.outcome}"
        for episode in episodes
        if not episode.succeeded or any(verdict.side_effects for verdict in episode.verdicts)
    ]
    assert not failed
