import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.learn.fakes import CHOICES, FEATURES, TinyModel, make_task, pack, unpack

from distrl import actions
from distrl.clock import RealClock, VirtualClock
from distrl.collect.episode import run_episode
from distrl.config.learn import WarmStartConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError
from distrl.interfaces import Oracle, Policy
from distrl.learn import warm_start as module
from distrl.learn.warm_start import (
    Demonstrator,
    WarmStartParts,
    cache_key,
    clone,
    demonstrate,
    demonstrated_tasks,
    warm_start,
)
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import (
    Action,
    Choice,
    Episode,
    Observation,
    Outcome,
    Picture,
    Situation,
    Step,
    Task,
)
from distrl.weights.serialization import digest_of

TASKS = [make_task(i, template=f"t{i % 5}") for i in range(40)]
NOTHING = Observation(Picture(np.zeros((2, 2, 3), np.uint8)), (), keyboard=False, app="made")


class Scripted:
    """An oracle that wants something else at every step of a task."""

    def __init__(self, task: Task) -> None:
        self._wishes = iter([actions.wait(), actions.tap(0.1, 0.1), actions.complete()])

    def action(self) -> Action:
        return next(self._wishes)


def express(situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
    """The features say what the right choice is, so that there is something to learn."""
    choice = {"wait": 0, "tap": 1, "complete": 2}[action.kind.value]
    features = np.full(FEATURES, situation.steps_left / 10)
    features[choice] += 1.0
    return (choice,), pack(features)


def play(build: Callable[[Oracle], Policy], task: Task) -> Episode:
    """Three steps, whatever is done; the task succeeds if its number is even."""
    policy = build(Scripted(task))
    policy.begin(task.seed)
    steps: list[Step] = []
    for left in (3, 2, 1):
        situation = Situation(goal=task.goal, observation=NOTHING, history=(), steps_left=left)
        (choice,) = policy.act((situation,))
        won = left == 1 and task.seed % 2 == 0
        steps.append(Step(observation=NOTHING, choice=choice, reward=float(won)))
    outcome = Outcome.SUCCEEDED if task.seed % 2 == 0 else Outcome.STEP_LIMIT
    return Episode(
        id=task.id,
        task=task,
        steps=tuple(steps),
        final=None,
        outcome=outcome,
        verdicts=(),
        device="made",
        started=0.0,
        ended=1.0,
    )


class Val:
    """Success on val: how often the model would choose right, or what it is told to say."""

    def __init__(self, model: TinyModel, *told: float) -> None:
        self._model, self._told = model, list(told)
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        if self._told:
            return self._told.pop(0)
        inputs = [unpack(pack(np.eye(FEATURES)[choice])) for choice in range(CHOICES)]
        with torch.no_grad():
            right = self._model.evaluate(inputs, [(c,) for c in range(CHOICES)]).log_prob.exp()
        return float((right > 0.5).float().mean())


def make_parts(model: TinyModel | None = None, **changes: Any) -> WarmStartParts:
    model = model or TinyModel()
    values: dict[str, Any] = {
        "model": model,
        "tasks": TASKS,
        "play": play,
        "express": express,
        "unpack": unpack,
        "success": Val(model),
        "clock": VirtualClock(),
        "surroundings": {"phone": "plain"},
    }
    return WarmStartParts(**{**values, **changes})


def settings_of(**changes: Any) -> WarmStartConfig:
    values = {"demonstrations": 20, "batch": 16, "learning_rate": 0.05, "target": 1.0}
    return WarmStartConfig(**{**values, **changes})


class FixedOracle:
    def __init__(self, action: Action) -> None:
        self._action = action

    def action(self) -> Action:
        return self._action


def choices_of(error_rate: float, count: int = 200) -> list[Choice]:
    oracle = FixedOracle(actions.tap(0.1, 0.1))
    demonstrator = Demonstrator(oracle, express, error_rate=error_rate, seed=0)
    demonstrator.begin(1)
    situation = Situation(goal="Do it", observation=NOTHING, history=(), steps_left=4)
    return [choice for _ in range(count) for choice in demonstrator.act((situation,))]


def test_what_the_oracle_wanted_is_written_down_as_a_decision() -> None:
    for choice in choices_of(0.0):
        assert choice.action == actions.tap(0.1, 0.1)
        assert choice.decision == (1,)
        assert choice.inputs
        assert choice.log_prob is None


def test_a_mistake_is_made_but_has_no_decision() -> None:
    choices = choices_of(0.3)
    mistakes = [choice for choice in choices if choice.action != actions.tap(0.1, 0.1)]
    assert 30 < len(mistakes) < 90
    assert all(choice.decision is None and not choice.inputs for choice in mistakes)
    assert all(c.decision == (1,) for c in choices if c not in mistakes)


def test_every_template_is_shown_in_turn() -> None:
    shown = demonstrated_tasks(TASKS, settings_of(demonstrations=12))
    assert Counter(task.template for task in shown) == {"t0": 3, "t1": 3, "t2": 2, "t3": 2, "t4": 2}
    assert len({task.id for task in shown}) == 12


def test_every_template_is_shown_often_enough_even_if_that_is_more() -> None:
    shown = demonstrated_tasks(TASKS, settings_of(demonstrations=3, per_template=2))
    assert Counter(task.template for task in shown) == dict.fromkeys([f"t{i}" for i in range(5)], 2)


def test_no_more_is_shown_than_there_is() -> None:
    uneven = [make_task(0, "a"), make_task(1, "b"), make_task(2, "b")]
    assert len(demonstrated_tasks(uneven, settings_of(demonstrations=99))) == 3


def test_demonstrations_are_the_same_for_the_same_seed() -> None:
    noisy = settings_of(error_rate=0.4)
    assert demonstrate(make_parts(), noisy) == demonstrate(make_parts(), noisy)
    other = demonstrate(make_parts(seed=1), noisy)
    assert demonstrate(make_parts(), noisy) != other


def test_cloning_learns_what_was_shown() -> None:
    model = TinyModel()
    parts = make_parts(model)
    assert Val(model)() < 1.0
    updates, success = clone(parts, settings_of(), demonstrate(parts, settings_of()))
    assert success == Val(model)() == 1.0
    assert updates < 1500


def test_what_is_cloned_goes_through_its_variation_every_time() -> None:
    """Variation that blots the features out leaves nothing to tell the choices apart by."""
    seen = 0

    def blot_out(inputs: Sequence[Any], rng: np.random.Generator) -> Sequence[Any]:
        nonlocal seen
        seen += len(inputs)
        return [np.zeros_like(features) for features in inputs]

    shown = demonstrate(make_parts(), settings_of())
    plain, blotted = TinyModel(), TinyModel()
    settings = settings_of(target=None, max_updates=80)
    _, learned = clone(make_parts(plain), settings, shown)
    _, guessed = clone(make_parts(blotted, vary=blot_out), settings, shown)
    assert learned == 1.0 > guessed
    assert seen == 80 * settings.batch


def test_mistakes_are_not_cloned() -> None:
    def learned(shown: Sequence[Any]) -> str:
        model = TinyModel()
        parts = make_parts(model, success=lambda: 0.0)
        clone(parts, settings_of(max_updates=5), shown)
        return digest_of(model.state_dict())

    clean = demonstrate(make_parts(), settings_of(error_rate=0.0))
    wrong = dataclasses.replace(clean[0].steps[0], decision=None, inputs=b"")
    with_mistakes = [
        dataclasses.replace(episode, steps=(wrong, *episode.steps, wrong)) for episode in clean
    ]
    assert learned(with_mistakes) == learned(clean)


def test_it_stops_at_the_first_success_that_reaches_the_target() -> None:
    model = TinyModel()
    val = Val(model, 0.1, 0.3, 0.35, 0.38, 0.9)
    parts = make_parts(model, success=val)
    shown = demonstrate(parts, settings_of())
    updates, success = clone(parts, settings_of(target=0.38, check_every=4), shown)
    assert (success, val.asked) == (0.38, 4)
    # Far from the target it looks less often: after 4, then 4 intervals, 2, and 1.
    assert updates == 4 * (1 + 4 + 2 + 1)


def test_it_gives_up_after_a_while() -> None:
    model = TinyModel()
    val = Val(model, *[0.2] * 100)
    parts = make_parts(model, success=val)
    shown = demonstrate(parts, settings_of())
    assert clone(parts, settings_of(target=0.9, max_updates=50), shown) == (50, 0.2)


def test_without_a_target_it_trains_to_the_end_and_looks_once() -> None:
    model = TinyModel()
    val = Val(model)
    parts = make_parts(model, success=val)
    shown = demonstrate(parts, settings_of())
    updates, success = clone(parts, settings_of(target=None, max_updates=60), shown)
    assert (updates, val.asked) == (60, 1)
    assert success == Val(model)()


def test_nothing_to_clone_is_an_error() -> None:
    with pytest.raises(ConfigError, match="nothing to clone"):
        clone(make_parts(), settings_of(), [])


def test_the_successes_among_the_demonstrations_are_kept_for_imitation() -> None:
    started = warm_start(make_parts(), settings_of(error_rate=0.0))
    assert len(started.demonstrations) == 10
    assert all(
        trajectory.succeeded and len(trajectory) == 3 for trajectory in started.demonstrations
    )
    assert all(np.isnan(trajectory.log_mu).all() for trajectory in started.demonstrations)


def test_of_a_demonstration_with_a_mistake_what_comes_after_it_is_kept() -> None:
    started = warm_start(make_parts(), settings_of(error_rate=0.3))
    lengths = Counter(len(trajectory) for trajectory in started.demonstrations)
    assert set(lengths) == {1, 2, 3}
    assert all(trajectory.rewards[-1] == 1.0 for trajectory in started.demonstrations)


def test_only_so_many_are_kept_for_imitation_all_are_cloned(tmp_path: Path) -> None:
    settings = settings_of(error_rate=0.0, demonstrations=40, max_updates=10)
    every = warm_start(make_parts(TinyModel()), settings)
    few = settings.changed(kept=10)
    made, reused = (warm_start(make_parts(TinyModel()), few, tmp_path) for _ in range(2))
    assert reused.reused
    assert made.digest == reused.digest == every.digest
    for result in (made, reused):
        kept = [shown.id for shown in result.demonstrations]
        assert 0 < len(kept) <= 10
        assert kept == [shown.id for shown in every.demonstrations][: len(kept)]


def test_the_learning_rate_falls_to_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []

    class Watched(torch.optim.SGD):
        def step(self, closure: Any = None) -> Any:
            rates.append(self.param_groups[0]["lr"])
            return super().step(closure)

    monkeypatch.setattr(module, "adamw", lambda weights, rate: Watched(list(weights), rate))
    parts = make_parts()
    settings = settings_of(target=None, max_updates=100, learning_rate=0.1, anneal=0.2)
    clone(parts, settings, demonstrate(parts, settings))
    assert rates[0] == 0.1
    assert rates[-1] == pytest.approx(0.1 * (1 - 0.8 * 0.99))
    assert rates == sorted(rates, reverse=True)


def test_steps_beyond_those_kept_ready_are_unpacked_when_they_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: Counter[bytes] = Counter()

    def counted(data: bytes) -> Any:
        asked[data] += 1
        return unpack(data)

    digests, unpacked = [], []
    for ready in (0, 5, 10_000):
        monkeypatch.setattr(module, "_UNPACKED", ready)
        asked.clear()
        parts = make_parts(TinyModel(), unpack=counted)
        settings = settings_of(target=None, max_updates=20)
        clone(parts, settings, demonstrate(parts, settings))
        digests.append(digest_of(parts.model.state_dict()))
        unpacked.append(asked.total())
    assert len(set(digests)) == 1
    # Twenty updates of sixteen steps draw many of the sixty steps more than once.
    assert unpacked[0] == 320 > unpacked[1] > 60 >= unpacked[2]


def test_it_is_made_once_and_then_reused(tmp_path: Path) -> None:
    first, second = TinyModel(), TinyModel()
    made = warm_start(make_parts(first), settings_of(error_rate=0.3), tmp_path)
    val = Val(second)
    reused = warm_start(make_parts(second, success=val), settings_of(error_rate=0.3), tmp_path)
    assert (made.reused, reused.reused, val.asked) == (False, True, 0)
    assert digest_of(second.state_dict()) == digest_of(first.state_dict()) == reused.digest
    assert (reused.success, reused.updates) == (made.success, made.updates)
    assert [r.id for r in reused.demonstrations] == [r.id for r in made.demonstrations]
    for one, two in zip(made.demonstrations, reused.demonstrations, strict=True):
        assert one.decisions == two.decisions
        np.testing.assert_array_equal(np.stack(one.inputs), np.stack(two.inputs))


@pytest.mark.parametrize("name", ["weights.safetensors", "demonstrations.msgpack", "result.json"])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, name: str) -> None:
    made = warm_start(make_parts(), settings_of(), tmp_path)
    (folder,) = tmp_path.iterdir()
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    lines: list[str] = []
    again = warm_start(make_parts(told=lines.append), settings_of(), tmp_path)
    assert "cannot be used" in lines[0]
    assert (again.reused, again.digest) == (False, made.digest)
    assert warm_start(make_parts(), settings_of(), tmp_path).reused


def test_everything_that_matters_is_in_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [
        cache_key(make_parts(), settings_of()),
        *(
            cache_key(make_parts(), settings_of(**{name: value}))
            for name, value in {
                "demonstrations": 21,
                "per_template": 5,
                "error_rate": 0.2,
                "learning_rate": 0.04,
                "batch": 17,
                "target": 0.5,
                "check_every": 3,
                "max_updates": 9,
                "anneal": 0.5,
                "kept": 3,
            }.items()
        ),
        cache_key(make_parts(seed=1), settings_of()),
        cache_key(make_parts(TinyModel(seed=1)), settings_of()),
        cache_key(make_parts(surroundings={"phone": "ads"}), settings_of()),
        cache_key(make_parts(tasks=TASKS[1:]), settings_of()),
    ]
    monkeypatch.setattr(module, "_code_digest", lambda: "other code")
    keys.append(cache_key(make_parts(), settings_of()))
    assert len(set(keys)) == len(keys)
    assert set(WarmStartConfig.model_fields) == {
        "demonstrations",
        "per_template",
        "error_rate",
        "learning_rate",
        "batch",
        "target",
        "check_every",
        "max_updates",
        "anneal",
        "kept",
        # They say where the result may come from, not what it is.
        "reuse",
        "episodes",
    }


def test_the_key_does_not_change_by_itself() -> None:
    assert cache_key(make_parts(), settings_of()) == cache_key(make_parts(), settings_of())


def test_demonstrations_on_the_embedded_phone_are_mostly_the_oracles_own() -> None:
    device = PhoneDevice()
    referee = PhoneReferee(device)
    env = DeviceEnv(device, referee)
    clock = RealClock()

    def play_on_the_phone(build: Callable[[Oracle], Policy], task: Task) -> Episode:
        policy = build(PhoneOracle(referee))
        return run_episode(env, policy, task, clock=clock, episode_id=task.id)

    parts = make_parts(
        tasks=load_suite("general").tasks("train"),
        play=play_on_the_phone,
        express=lambda situation, action: ((1,), pack(np.ones(FEATURES))),
    )
    shown = demonstrate(parts, settings_of(demonstrations=60, per_template=1, error_rate=0.1))
    steps = [step for episode in shown for step in episode.steps]
    own = sum(step.decision is not None for step in steps) / len(steps)
    succeeded = sum(episode.outcome is Outcome.SUCCEEDED for episode in shown) / len(shown)
    assert 0.8 < own < 0.99
    assert succeeded > 0.8
    assert all(episode.id == f"demonstration/{episode.task.id}" for episode in shown)
