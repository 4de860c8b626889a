"""The virtual engine: deterministic, causal, and faithful to who waits for whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import pytest
from tests.policies.pointer.fakes import FakeTextEncoder
from tests.run.conftest import small_config

from distrl.collect.judging.noisy_judge import Misjudgement
from distrl.devices.fault_injection import FleetProfile
from distrl.errors import ConfigError
from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.builders.pointer import build_pointer
from distrl.run.virtual.engine import (
    Meter,
    Mode,
    Timeline,
    VirtualEngine,
    VirtualRun,
    VirtualSettings,
)
from distrl.run.virtual.phones import build_virtual
from distrl.types import Choice, Situation
from distrl.weights.serialization import digest_of

STEADY = FleetProfile(hang_rate=0.0, crash_rate=0.0)
SETTINGS = VirtualSettings(seconds=1200.0, checkpoints=3, learn_seconds=0.2)


def build(
    settings: VirtualSettings = SETTINGS, *more: str, judge: Misjudgement | None = None
) -> VirtualEngine:
    config = small_config(
        *("collect.devices=3", "learner.min_episodes=2", "learner.replay_ratio=2"),
        *("policy.pixels=false", "policy.captions=false", *more),
    )
    pointer = build_pointer(config, FakeTextEncoder())
    return build_virtual(config, settings, pointer, judge=judge)


@cache
def run(
    settings: VirtualSettings = SETTINGS, *more: str, judge: Misjudgement | None = None
) -> VirtualRun:
    return build(settings, *more, judge=judge).run()


def fresh(settings: VirtualSettings = SETTINGS, *more: str) -> VirtualRun:
    return run.__wrapped__(settings, *more)


def digests(found: VirtualRun) -> list[str]:
    return [digest_of(checkpoint.weights) for checkpoint in found.checkpoints]


# The timeline.


def test_things_happen_in_order_of_their_time_and_of_being_planned() -> None:
    timeline, seen = Timeline(), list[tuple[str, float]]()

    def see(name: str) -> None:
        seen.append((name, timeline.time))

    for name, seconds in (("b", 2.0), ("a", 1.0), ("c", 2.0), ("late", 9.0)):
        timeline.after(seconds, partial(see, name))
    timeline.run(lambda: False, 5.0)
    assert seen == [("a", 1.0), ("b", 2.0), ("c", 2.0)]
    assert timeline.time == 5.0


def test_what_happens_may_plan_more() -> None:
    timeline, seen = Timeline(), list[float]()

    def again() -> None:
        seen.append(timeline.time)
        timeline.after(1.0, again)

    timeline.after(0.0, again)
    timeline.run(lambda: len(seen) == 4, 100.0)
    assert seen == [0.0, 1.0, 2.0, 3.0]


def test_who_sleeps_within_a_moment_owes_it() -> None:
    timeline = Timeline()
    meter = Meter(timeline)
    meter.sleep(3.0)
    assert (meter.now(), timeline.time) == (3.0, 0.0)
    assert meter.settle() == 3.0
    assert (meter.now(), meter.settle()) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("seconds", 0.0), ("share", 0), ("checkpoints", 0), ("rounds", 0)),
        *(("episodes", 0), ("learn_seconds", -1.0)),
    ],
)
def test_settings_that_cannot_pass_are_refused(name: str, value: float) -> None:
    wrong = {"seconds": 1.0, "mode": Mode.SYNC, name: value}
    with pytest.raises(ConfigError, match=f"{name} must be .*got {value}"):
        VirtualSettings(**wrong)  # type: ignore[arg-type]


# Runs.


@pytest.mark.parametrize("mode", list(Mode))
def test_the_same_seed_gives_the_same_run_bit_by_bit(mode: Mode) -> None:
    settings = replace(SETTINGS, mode=mode)
    first, second = run(settings), fresh(settings)
    assert digests(first) == digests(second)
    assert replace(first, checkpoints=()) == replace(second, checkpoints=())


def test_collectors_make_room_for_a_learner_that_is_behind() -> None:
    slow = replace(SETTINGS, learn_seconds=12.0)
    free, limited = run(slow), run(slow, "collect.max_ahead=30")
    assert free.trained_steps < 1.5 * free.steps
    assert limited.steps < free.steps
    # All but what may be ahead, and the episodes that were running when it closed, is used twice.
    assert limited.trained_steps > 2 * (limited.steps - 30 - 3 * 15)
    assert limited.device_utilisation < free.device_utilisation


def test_a_learner_that_keeps_up_holds_nobody_back() -> None:
    assert digests(run(SETTINGS, "collect.max_ahead=100000")) == digests(run())


def test_another_seed_gives_another_run() -> None:
    assert digests(run()) != digests(run(SETTINGS, "seed=5"))


@pytest.mark.parametrize("mode", list(Mode))
def test_it_collects_and_learns_and_the_weights_change(mode: Mode) -> None:
    found = run(replace(SETTINGS, mode=mode))
    assert found.steps > found.episodes > 5
    assert found.updates > 1
    assert len(found.checkpoints) == 3
    assert [c.seconds for c in found.checkpoints] == pytest.approx([400.0, 800.0, 1200.0])
    first, *_, last = digests(found)
    assert first != last
    counts = [c.episodes for c in found.checkpoints]
    assert counts == sorted(counts)


def test_the_last_checkpoint_is_at_the_end_whatever_the_quotient_makes_of_it() -> None:
    seconds, checkpoints = 962.48, 7
    assert seconds * checkpoints / checkpoints > seconds
    found = run(replace(SETTINGS, seconds=seconds, checkpoints=checkpoints))
    assert len(found.checkpoints) == checkpoints
    assert found.checkpoints[-1].seconds == seconds


def test_devices_that_wait_for_nobody_are_nearly_always_busy() -> None:
    assert run(replace(SETTINGS, profile=STEADY)).device_utilisation > 0.97


def test_a_reset_takes_its_time() -> None:
    slow = replace(STEADY, reset=500.0, reset_spread=0.0)
    assert run(replace(SETTINGS, profile=slow)).episodes < run().episodes / 2


def test_who_waits_for_the_slowest_collects_less() -> None:
    free, bound = (run(replace(SETTINGS, mode=mode)) for mode in (Mode.ASYNC, Mode.SYNC))
    assert free.episodes > bound.episodes
    assert free.device_utilisation > bound.device_utilisation


@pytest.mark.parametrize("mode", [Mode.SYNC, Mode.SYNC_POOLED])
def test_it_ends_with_so_many_whole_rounds(mode: Mode) -> None:
    endless = replace(SETTINGS, mode=mode, profile=STEADY, seconds=1e6, checkpoints=1)
    found = run(replace(endless, rounds=2))
    assert found.seconds < 1e6
    assert found.episodes == 2 * 3 * SETTINGS.share
    assert 0.0 < found.device_utilisation < 1.0


def test_the_end_may_come_before_the_last_round() -> None:
    found = run(replace(SETTINGS, mode=Mode.SYNC, rounds=1000))
    assert found.seconds == SETTINGS.seconds
    assert replace(found, checkpoints=()) == replace(
        run(replace(SETTINGS, mode=Mode.SYNC)), checkpoints=()
    )


def test_it_ends_when_so_many_episodes_have_arrived() -> None:
    found = run(replace(SETTINGS, seconds=math.inf, episodes=9))
    assert (found.episodes, found.checkpoints[-1].episodes) == (9, 9)
    assert found.checkpoints[-1].seconds == found.seconds < SETTINGS.seconds
    assert len(found.checkpoints) == 1
    assert 0.0 < found.device_utilisation <= 1.0


def test_the_budget_that_is_spent_first_ends_it() -> None:
    by_time = run(replace(SETTINGS, episodes=1000))
    assert (by_time.seconds, len(by_time.checkpoints)) == (SETTINGS.seconds, 3)
    by_episodes = run(replace(SETTINGS, episodes=9))
    assert (by_episodes.episodes, by_episodes.seconds < SETTINGS.seconds) == (9, True)


def test_a_round_is_played_to_its_end() -> None:
    steady = replace(SETTINGS, mode=Mode.SYNC, profile=STEADY, episodes=3 * SETTINGS.share + 1)
    found = run(replace(steady, seconds=math.inf))
    assert found.episodes == 2 * 3 * SETTINGS.share


def test_progress_is_told_for_every_episode_of_a_budget() -> None:
    shares: list[float] = []
    config = small_config("collect.devices=3", "learner.min_episodes=2", "policy.pixels=false")
    pointer = build_pointer(config, FakeTextEncoder())
    settings = VirtualSettings(episodes=4, checkpoints=1)
    build_virtual(config, settings, pointer, passed=shares.append).run()
    assert shares == [0.25, 0.5, 0.75, 1.0, 1.0]


def test_a_run_without_any_budget_is_refused() -> None:
    with pytest.raises(ConfigError, match="needs a budget: seconds, episodes or rounds"):
        VirtualSettings()


def test_rounds_of_a_mode_without_them_are_refused() -> None:
    with pytest.raises(ConfigError, match="no rounds in the mode async"):
        VirtualSettings(seconds=1.0, rounds=2)


def test_a_slow_learner_is_busy_all_the_time_and_never_more() -> None:
    found = run(replace(SETTINGS, learn_seconds=5.0))
    assert 0.6 < found.learner_utilisation <= 1.0
    assert found.updates < run().updates


def test_lost_devices_come_back_and_their_episodes_do_not_count() -> None:
    rough = FleetProfile(crash_rate=0.05, hang_rate=0.02, reboot=20.0)
    found = run(replace(SETTINGS, profile=rough))
    assert found.lost > 3
    assert found.episodes > 3
    again = fresh(replace(SETTINGS, profile=rough))
    assert (again.lost, digests(again)) == (found.lost, digests(found))


def test_a_judge_that_errs_changes_what_is_learned() -> None:
    wrong = Misjudgement(false_positive=1.0, false_negative=1.0)
    assert digests(run(judge=wrong)) != digests(run())
    right = Misjudgement(false_positive=0.0, false_negative=0.0)
    assert digests(run(judge=right)) == digests(run())


@pytest.mark.parametrize(("mode", "faster"), [(Mode.ASYNC, 1.0), (Mode.SYNC, 2.0)])
def test_every_step_that_is_learned_from_is_paid_for(mode: Mode, faster: float) -> None:
    found = run(replace(SETTINGS, mode=mode))
    paid = found.learner_utilisation * SETTINGS.seconds
    # The last update, of four episodes of fifteen steps at the most, may not be settled yet.
    assert paid * faster == pytest.approx(0.2 * found.trained_steps, abs=0.2 * 4 * 15)
    assert found.trained_steps > 0


def test_every_update_is_as_much_faster_as_they_say_while_nobody_collects() -> None:
    """To the last second: what one update costs too much, the next ones would make up for."""
    rounds = VirtualSettings(mode=Mode.SYNC, rounds=2, learn_seconds=5.0, profile=STEADY)
    usual, faster = (run(replace(rounds, sync_speedup=speedup)) for speedup in (1.0, 4.0))
    assert usual.updates == faster.updates > 1
    assert usual.trained_steps == faster.trained_steps
    paid = [found.learner_utilisation * found.seconds for found in (usual, faster)]
    assert paid[1] == pytest.approx(paid[0] / 4)
    assert usual.seconds - faster.seconds == pytest.approx(paid[0] - paid[1])


@pytest.mark.parametrize("mode", [Mode.ASYNC, Mode.SYNC])
def test_an_update_that_would_not_have_ended_has_taught_nobody(mode: Mode) -> None:
    found = run(replace(SETTINGS, mode=mode, learn_seconds=1e6))
    assert found.episodes > 5
    assert (found.updates, found.trained_steps) == (0, 0)
    assert len(set(digests(found))) == 1


def test_decisions_use_the_old_weights_until_the_update_would_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first update begins with the second episode; checkpoints tell when that was."""
    settings = replace(SETTINGS, learn_seconds=5.0, checkpoints=120, profile=STEADY)
    engine = build(settings, "learner.publish_every=1")
    act, decided = PointerPolicy.act, list[tuple[float, int]]()

    def noted(policy: PointerPolicy, situations: Sequence[Situation]) -> Sequence[Choice]:
        choices = act(policy, situations)
        decided.extend((engine.learner.elapsed, choice.version) for choice in choices)
        return choices

    monkeypatch.setattr(PointerPolicy, "act", noted)
    began = next(c for c in engine.run().checkpoints if c.episodes == 2)
    cost = 5.0 * engine.learner.config.batch * began.steps / began.episodes
    first = next(time for time, version in decided if version == 2)
    # Ten seconds between checkpoints, and some until a phone asks for a decision.
    assert first - began.seconds == pytest.approx(cost, abs=15.0)
    assert {version for time, version in decided if time < first} == {1}
    assert sum(began.seconds < time < first for time, _ in decided) > 3


def test_checkpoints_hold_the_averaged_weights_and_not_the_newest() -> None:
    engine = build()
    found = engine.run()
    kept = engine.learner.algorithm.state_dict()
    assert found.updates > 0
    assert digests(found)[-1] == digest_of(kept["ema"]) != digest_of(kept["model"])


@pytest.mark.parametrize("mode", [Mode.ASYNC, Mode.SYNC])
def test_evaluating_the_newest_weights_changes_nothing_that_is_collected_or_learned(
    mode: Mode,
) -> None:
    settings, rash = replace(SETTINGS, mode=mode), "algorithm.target_critics=false"
    ema, newest = run(settings, rash), run(settings, rash, "algorithm.ema_decay=0")
    assert replace(newest, checkpoints=()) == replace(ema, checkpoints=())
    assert digests(newest)[-1] != digests(ema)[-1]


def test_names_are_swapped_while_learning_unless_the_run_does_not_want_it() -> None:
    assert digests(run())[-1] != digests(run(SETTINGS, "learner.swap_names=false"))[-1]


def test_first_priorities_by_who_acted_give_another_run_and_the_same_each_time() -> None:
    actor = "replay.initial_priority=actor"
    assert digests(run(SETTINGS, actor)) == digests(fresh(SETTINGS, actor)) != digests(run())


def test_attempts_at_one_task_are_compared() -> None:
    grouped = ("algorithm.name=grpo", "learner.group=2")
    assert run(SETTINGS, *grouped).updates > 1
    assert digests(run(SETTINGS, *grouped)) != digests(run(SETTINGS, "algorithm.name=grpo"))
