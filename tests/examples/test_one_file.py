"""The one-file version of the method: its maths is the framework's, and its curve agrees."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from examples import one_file
from examples.one_file import Batch, Phone, Replay, Seen, Settings, Step
from tests.policies.pointer.fakes import FakeTextEncoder
from torch import Tensor, nn

from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.collect.evaluation.evaluate import success_of
from distrl.config.learn import AlgorithmConfig, Correction, LearnerConfig, WarmStartConfig
from distrl.config.replay import PrioritiesConfig, ReplayConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Policy
from distrl.learn import returns
from distrl.learn.algorithms.a_ride import ARide
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Budget, Learner, LearnerParts
from distrl.learn.model import Evaluation
from distrl.learn.returns import Trace
from distrl.learn.warm_start import WarmStartParts, warm_start
from distrl.policies.pointer.decisions import CHOICES
from distrl.policies.pointer.inputs import Preparer, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.packing import pack, unpack
from distrl.policies.pointer.policy import PointerPolicy
from distrl.policies.pointer.text_encoder import TextEncoder
from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.priorities import PriorityScale, priorities
from distrl.replay.store.memory import MemoryStore
from distrl.replay.trajectory import Trajectory
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.types import Action, Episode, Kind, Situation, Task
from distrl.weights.memory_channel import MemoryChannel

SCRIPT = Path(one_file.__file__)
SETTINGS = Settings()
STEPS = 4000
"""Collected in the slow comparison."""
LEARNED = 0.2
"""Success that either must gain over its warm start."""
TOLERANCE = 0.15
"""How far apart the means of their last two points may be. Each point has a standard error of 0.04,
and the two networks differ in size and in what they start from."""

every_seed = pytest.mark.parametrize("seed", range(6))


# The maths.


class Table(nn.Module):
    """A policy over a table of situations, of which the framework and the file see the same."""

    def __init__(self, situations: int, decisions: int = 5) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.randn(situations, decisions))
        self.values = nn.Parameter(torch.randn(situations, 2))

    def seen(self, rows: Sequence[int]) -> Seen:
        log_probs = torch.log_softmax(self.logits[list(rows)], -1)
        return Seen(log_probs, log_probs[:, -1].exp(), self.values[list(rows)])

    def evaluate(self, inputs: Sequence[int], decisions: Sequence[tuple[int, ...]]) -> Evaluation:
        seen = self.seen(inputs)
        log_prob = seen.log_prob([decision[0] for decision in decisions])
        return Evaluation(log_prob, seen.entropy(), seen.invalid, seen.value_logits)

    def goal_logits(self, inputs: Sequence[int]) -> Tensor:
        return torch.zeros(len(inputs))


def random_trajectories(rng: np.random.Generator, count: int = 7) -> list[Trajectory]:
    """Episodes of different lengths, every third of them a demonstration that succeeded."""
    trajectories = []
    for number in range(count):
        length, shown = int(rng.integers(1, 9)), number % 3 == 0
        success = shown or bool(rng.integers(2))
        trajectories.append(
            Trajectory(
                id=str(number),
                inputs=tuple(rng.integers(0, 40, length).tolist()),
                decisions=tuple((int(d),) for d in rng.integers(0, 5, length)),
                log_mu=(rng.normal(-1, 1, length) + (np.nan if shown else 0)).astype(np.float32),
                rewards=np.array([0.0] * (length - 1) + [float(success)], np.float32),
                penalties=np.zeros(length, np.float32),
                terminated=True,
                oldest_version=0,
                succeeded=success,
                goal="",
            )
        )
    return trajectories


def random_sample(seed: int) -> Sampled:
    rng = np.random.default_rng(seed)
    trajectories = random_trajectories(rng)
    return Sampled(
        slots=np.arange(len(trajectories)),
        trajectories=tuple(trajectories),
        weights=rng.uniform(0.2, 1.0, len(trajectories)).astype(np.float32),
        fresh=rng.random(len(trajectories)) < 0.7,
    )


def batch_of(sampled: Sampled) -> Batch:
    def pad(arrays: Iterator[Any]) -> Tensor:
        rows = [torch.as_tensor(array) for array in arrays]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True)

    return Batch(
        rewards_BT=pad(trajectory.rewards for trajectory in sampled.trajectories),
        log_mu_BT=pad(trajectory.log_mu for trajectory in sampled.trajectories),
        mask_BT=pad(np.ones(len(trajectory), bool) for trajectory in sampled.trajectories),
        weights_B=torch.from_numpy(sampled.weights),
        fresh_B=torch.from_numpy(sampled.fresh),
    )


def random_trace(seed: int) -> Trace:
    torch.manual_seed(seed)
    batch = batch_of(random_sample(seed))
    mask = batch.mask_BT.float()
    last = mask - torch.cat([mask[:, 1:], torch.zeros(len(mask), 1)], 1)
    return Trace(
        rewards_BT=batch.rewards_BT,
        values_BT=torch.rand(mask.shape),
        rho_BT=torch.rand(mask.shape) * 3,
        done_BT=last,
        mask_BT=mask,
        bootstrap_B=torch.zeros(len(mask)),
    )


@every_seed
def test_retrace_is_that_of_the_framework(seed: int) -> None:
    trace = random_trace(seed)
    wanted = returns.retrace(trace, gamma=SETTINGS.gamma, lam=SETTINGS.lam)
    deltas, advantages = one_file.retrace(
        trace.rewards_BT, trace.values_BT, trace.rho_BT, trace.mask_BT > 0, SETTINGS
    )
    torch.testing.assert_close(deltas, wanted.deltas_BT, atol=1e-6, rtol=0)
    torch.testing.assert_close(advantages, wanted.advantages_BT, atol=1e-6, rtol=0)


@every_seed
def test_critics_learn_the_monte_carlo_targets_of_the_framework(seed: int) -> None:
    trace = random_trace(seed)
    wanted = returns.monte_carlo(trace, gamma=SETTINGS.gamma, lam=SETTINGS.lam)
    targets = one_file.outcomes(trace.rewards_BT, trace.mask_BT > 0, SETTINGS)
    torch.testing.assert_close(targets, wanted.targets_BT, atol=1e-6, rtol=0)


def framework_settings(**changed: Any) -> AlgorithmConfig:
    """The framework's algorithm with the numbers of the file."""
    shared = (
        *("learning_rate", "gamma", "lam", "rho_max", "entropy", "invalid"),
        *("critic", "imitation", "critic_warmup", "ema_decay", "anneal"),
    )
    same = {name: getattr(SETTINGS, name) for name in shared}
    return AlgorithmConfig(
        **{**same, "critic_target": Correction.MONTE_CARLO, "goal": 0.0, **changed}
    )


@every_seed
def test_loss_gradient_and_priority_terms_are_those_of_the_framework(seed: int) -> None:
    torch.manual_seed(seed)
    sampled, model, averaged = random_sample(seed), Table(40), Table(40)
    rows = [row for trajectory in sampled.trajectories for row in trajectory.inputs]
    taken = [
        decision[0] for trajectory in sampled.trajectories for decision in trajectory.decisions
    ]
    values = averaged.seen(rows).values().detach()
    loss, terms = one_file.a_ride_loss(batch_of(sampled), model.seen(rows), taken, values, SETTINGS)
    gradients = torch.autograd.grad(loss, list(model.parameters()))

    framework = ARide(model, framework_settings(critic_warmup=0, gradient_clip=1e9))
    framework.ema = averaged
    result = framework.update(sampled)

    wanted = sum(number for name, number in result.metrics.items() if name.startswith("loss/"))
    assert loss.item() == pytest.approx(wanted, abs=1e-6)
    np.testing.assert_allclose(terms.numpy(), result.terms, atol=1e-6)
    for gradient, parameter in zip(gradients, model.parameters(), strict=True):
        assert parameter.grad is not None
        torch.testing.assert_close(gradient, parameter.grad, atol=1e-6, rtol=0)


def test_replay_draws_the_episodes_and_weights_of_the_framework() -> None:
    rng = np.random.default_rng(1)
    trajectories = random_trajectories(rng, 30)
    ours = Replay(SETTINGS)
    settings = ReplayConfig(
        capacity=10_000, alpha=SETTINGS.alpha, max_lag=SETTINGS.max_lag, old_share=0.0
    )
    theirs = ReplayBuffer(settings, np.random.default_rng(SETTINGS.seed))
    scale = PriorityScale()
    for trajectory in trajectories:
        theirs.add(trajectory)
        steps = [
            Step(trajectory.inputs[t], trajectory.decisions[t][0], float(trajectory.log_mu[t]))
            for t in range(len(trajectory))
        ]
        ours.add(one_file.Episode(steps, trajectory.succeeded))
    for _ in range(5):
        slots, steps, batch = ours.sample(version=3, progress=0.5)
        wanted = theirs.sample(SETTINGS.batch, version=3, importance=0.7)
        assert slots.tolist() == wanted.slots.tolist()
        assert [step.inputs for step in steps] == [i for r in wanted.trajectories for i in r.inputs]
        for mine, other in zip(batch, batch_of(wanted), strict=True):
            torch.testing.assert_close(mine, other, equal_nan=True)
        terms = rng.uniform(0.1, 2.0, (SETTINGS.batch, 3))
        ours.update(slots, terms)
        new = priorities(terms, scale.update(terms), PrioritiesConfig())
        theirs.update(slots, new, version=3)


def test_an_episode_trains_the_policy_until_it_is_older_than_the_bound() -> None:
    replay, nothing = Replay(SETTINGS), random_trajectories(np.random.default_rng(0))[0].inputs[0]
    steps = [Step(nothing, decision=0, log_mu=-1.0, version=version) for version in (2, 4)]
    replay.add(one_file.Episode(steps, success=True))
    for version, fresh in ((2 + SETTINGS.max_lag, True), (3 + SETTINGS.max_lag, False)):
        _, _, batch = replay.sample(version, progress=0.0)
        assert batch.fresh_B.tolist() == [fresh] * SETTINGS.batch


# The policy.


@pytest.fixture(scope="module")
def reader() -> Preparer:
    return Preparer(FakeTextEncoder())


def walked(tasks: Sequence[Task]) -> Iterator[tuple[Situation, Action]]:
    """What the oracle sees and does."""
    phone = Phone()
    for task in tasks:
        phone.begin(task)
        outcome = None
        while outcome is None:
            situation, action = phone.situation(), phone.oracle.action()
            yield situation, action
            outcome = phone.act(action)


def test_decisions_do_what_the_oracle_does_almost_everywhere() -> None:
    pairs = list(walked(one_file.load_tasks("train", 200)))
    decided = [(s, a, d) for s, a in pairs if (d := one_file.decision_of(s, a)) is not None]
    assert len(decided) >= 0.98 * len(pairs)
    assert all(one_file.action_of(situation, d) == action for situation, action, d in decided)


def test_demonstrations_end_with_a_success_and_have_no_probability(reader: Preparer) -> None:
    tasks = one_file.load_tasks("train", 200)[:16]
    shown = one_file.demonstrate(tasks, reader)
    assert len(shown) == len(tasks)
    for steps, success in shown:
        assert success
        assert CHOICES[steps[-1].decision + 4] == (Kind.COMPLETE, None)
        assert all(np.isnan(step.log_mu) for step in steps)


def test_probabilities_are_whole_and_do_not_depend_on_who_else_is_looked_at(
    reader: Preparer,
) -> None:
    torch.manual_seed(0)
    network = one_file.Network(width=16, layers=1)
    pairs = list(walked(one_file.load_tasks("val", 8)))
    rows = [reader.prepare(situation) for situation, _ in pairs]
    together = network(rows)
    assert len({len(row.features) for row in rows}) > 1, "there must be something to pad"
    for place, row in enumerate(rows):
        alone = network([row])
        size = alone.log_probs.shape[1]
        assert alone.log_probs.exp().sum().item() == pytest.approx(1.0, abs=1e-5)
        beyond = together.log_probs[place, size:].exp()
        assert beyond.sum().item() == 0.0
        torch.testing.assert_close(
            together.log_probs[place, :size].exp(), alone.log_probs[0].exp(), atol=1e-5, rtol=0
        )
        torch.testing.assert_close(
            together.value_logits[place], alone.value_logits[0], atol=1e-5, rtol=0
        )
        assert together.entropy()[place].item() == pytest.approx(alone.entropy().item(), abs=1e-4)


# The loops.

QUICK = Settings(
    steps=160,
    evaluate_every=80,
    test_tasks=8,
    demonstrations=8,
    clone_until=0.0,
    batch=4,
    min_episodes=8,
    json=True,
)


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are hashes: no model is loaded."""
    monkeypatch.setattr(one_file, "TextEncoder", FakeTextEncoder)


@pytest.mark.usefixtures("no_encoder")
def test_a_run_in_turns_follows_from_its_seed() -> None:
    first, second = one_file.train(QUICK), one_file.train(QUICK)
    assert [row["steps"] for row in first["curve"]] == [0, 80, 160]
    assert first["updates"] > 10
    assert first["versions"] == first["updates"] // QUICK.publish_every
    del first["seconds"], second["seconds"]
    assert first == second


@pytest.mark.usefixtures("no_encoder")
def test_a_run_in_threads_collects_and_learns(capsys: pytest.CaptureFixture[str]) -> None:
    report = one_file.train(replace(QUICK, threads=True, json=False))
    assert report["steps"] == report["curve"][-1]["steps"] == 160
    assert report["updates"] > 10
    assert capsys.readouterr().out.count("steps   success") == len(report["curve"])


@pytest.mark.usefixtures("no_encoder")
def test_what_ends_the_collecting_thread_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: one_file.Collector) -> None:
        raise RuntimeError("the phone fell down")

    monkeypatch.setattr(one_file.Collector, "step", broken)
    with pytest.raises(RuntimeError, match="fell down"):
        one_file.train(replace(QUICK, threads=True))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--steps", "0"], "at least 1, got 0"), (["--stepps", "3"], "--steps")],
)
def test_bad_arguments_are_explained(arguments: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


# The curve.


class Framework:
    """The framework's own parts on the tasks of the file, in one process."""

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(settings.seed)
        self.settings, self.clock = settings, RealClock()
        self.tasks, self.test = one_file.load_tasks("train", 200), one_file.load_tasks("test", 96)
        self.encoder, self.model = TextEncoder(), PointerModel()
        self.reader = Preparer(self.encoder)
        device = PhoneDevice()
        referee = PhoneReferee(device)
        self.env, self.oracle = DeviceEnv(device, referee), PhoneOracle(referee)

    def unpack(self, data: bytes) -> Any:
        return unpack(data, self.encoder)

    def success(self, tasks: Sequence[Task]) -> float:
        return success_of(PointerPolicy(self.model, self.reader, greedy=True), tasks)

    def warm_start(self) -> tuple[Trajectory, ...]:
        def play(build: Any, task: Task) -> Episode:
            policy: Policy = build(self.oracle)
            return run_episode(self.env, policy, task, clock=self.clock, episode_id=task.id)

        def express(situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
            return options_of(situation).decision(action), pack(self.reader.prepare(situation))

        val = one_file.load_tasks("val", 40)
        parts = WarmStartParts(
            model=self.model,
            tasks=self.tasks,
            play=play,
            express=express,
            unpack=self.unpack,
            success=lambda: self.success(val),
            clock=self.clock,
            surroundings={},
        )
        settings = WarmStartConfig(
            demonstrations=self.settings.demonstrations,
            error_rate=0.0,
            batch=48,
            target=self.settings.clone_until,
            check_every=5,
        )
        return warm_start(parts, settings).demonstrations

    def learner(self, store: MemoryStore, channel: MemoryChannel) -> tuple[Learner, Ingest]:
        s = self.settings
        replay = ReplayConfig(capacity=10_000, alpha=s.alpha, max_lag=s.max_lag)
        buffer = ReplayBuffer(replay, np.random.default_rng(s.seed))
        ingest = Ingest(source=store, buffer=buffer, unpack=self.unpack)
        ingest.add_demonstrations(self.warm_start())
        parts = LearnerParts(
            algorithm=ARide(self.model, framework_settings()),
            ingest=ingest,
            channel=channel,
            clock=self.clock,
            pack=pack,
        )
        settings = LearnerConfig(
            batch=s.batch,
            min_episodes=s.min_episodes,
            replay_ratio=s.replay_ratio,
            publish_every=s.publish_every,
        )
        return Learner(parts, settings, budget=Budget(episodes=s.steps // 5)), ingest

    def curve(self) -> list[float]:
        """Success at the warm start and then every so many steps."""
        s, store, channel = self.settings, MemoryStore(), MemoryChannel()
        learner, ingest = self.learner(store, channel)
        rng = Random(s.seed)
        learner.begin()
        acting = PointerPolicy(PointerModel(), self.reader)
        found, steps, number = [self.success(self.test)], 0, 0
        while steps < s.steps:
            version = channel.latest()
            if version > acting.version:
                acting.load(*self._fetched(channel, version))
            episode = run_episode(
                self.env,
                acting,
                rng.choice(self.tasks),
                clock=self.clock,
                episode_id=f"{number}",
                seed=number,
            )
            number, steps = number + 1, steps + len(episode.steps)
            store.add(episode)
            ingest.poll()
            while learner.waiting_for is None:
                learner.update()
            if steps >= len(found) * s.evaluate_every:
                found.append(self.success(self.test))
        return found

    @staticmethod
    def _fetched(channel: MemoryChannel, version: int) -> tuple[Any, int, str]:
        published = channel.fetch(version)
        return published.weights, version, published.digest


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_curve_agrees_with_that_of_the_framework() -> None:
    """Both climb from the warm start, and end within the tolerance of each other."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--steps", str(STEPS), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(done.stdout)
    ours = [row["success"] for row in report["curve"]]
    theirs = Framework(Settings(steps=STEPS)).curve()
    assert len(ours) == len(theirs) == 1 + STEPS // SETTINGS.evaluate_every
    end, framework_end = np.mean(ours[-2:]), np.mean(theirs[-2:])
    assert end >= ours[0] + LEARNED, (ours, theirs)
    assert framework_end >= theirs[0] + LEARNED, (ours, theirs)
    assert end == pytest.approx(framework_end, abs=TOLERANCE), (ours, theirs)
