from __future__ import annotations

from collections.abc import Sequence

from tests.envs.fakes import FakeDevice, FakeReferee, make_task

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.collect.vectorized_rollout import run_episodes
from distrl.envs.device_env import DeviceEnv
from distrl.errors import DeviceLost
from distrl.types import Choice, Outcome, Situation, Task


class Dice:
    """Goes on as long as the seed of the situation says; keeps the sizes of its batches."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def begin(self, seed: int) -> None: ...

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        self.batches.append(len(situations))
        return [
            Choice(
                action=actions.complete()
                if (s.seed * 2654435761 >> 7) % 3 == 0
                else actions.wait(),
                decision=(s.seed,),
            )
            for s in situations
        ]


def make_envs(count: int) -> list[DeviceEnv]:
    return [DeviceEnv(FakeDevice(), FakeReferee()) for _ in range(count)]


def make_tasks(count: int) -> list[Task]:
    return [make_task(step_limit=6, seed=seed) for seed in range(count)]


def test_side_by_side_is_the_same_as_one_by_one() -> None:
    tasks = make_tasks(20)
    (env,) = make_envs(1)
    alone = [
        run_episode(env, Dice(), task, clock=VirtualClock(), episode_id=task.id) for task in tasks
    ]
    together = dict(run_episodes(make_envs(7), Dice(), tasks, clock=VirtualClock()))
    assert sorted(together) == list(range(20))
    for index, episode in enumerate(alone):
        assert together[index].outcome is episode.outcome
        assert [s.choice for s in together[index].steps] == [s.choice for s in episode.steps]


def test_all_who_wait_share_a_pass() -> None:
    policy = Dice()
    list(run_episodes(make_envs(4), policy, make_tasks(12), clock=VirtualClock()))
    assert policy.batches[0] == 4
    assert max(policy.batches) == 4


def test_a_fault_ends_its_own_episode_only() -> None:
    envs = [
        DeviceEnv(FakeDevice(), FakeReferee(begins=DeviceLost("no answer"))),
        DeviceEnv(FakeDevice(), FakeReferee()),
    ]
    found = [e for _, e in run_episodes(envs, Dice(), make_tasks(4), clock=VirtualClock())]
    assert len(found) == 4
    outcomes = {episode.outcome for episode in found}
    assert Outcome.DEVICE_LOST in outcomes
    assert len(outcomes) > 1


def test_a_device_that_is_absent_does_not_lose_the_tasks_of_the_others() -> None:
    class Absent(FakeReferee):
        def begin(self, task: Task) -> None:
            raise DeviceLost("it is not there")

    present, absent = DeviceEnv(FakeDevice(), FakeReferee()), DeviceEnv(FakeDevice(), Absent())
    tasks = [make_task(seed=seed) for seed in range(6)]
    for envs in ([present, absent], [absent, present]):
        played = dict(run_episodes(envs, Dice(), tasks, clock=VirtualClock()))
        assert sorted(played) == list(range(6))
        outcomes = [episode.outcome for episode in played.values()]
        assert outcomes.count(Outcome.DEVICE_LOST) == 1
    alone = dict(run_episodes([absent], Dice(), tasks, clock=VirtualClock()))
    assert {episode.outcome for episode in alone.values()} == {Outcome.DEVICE_LOST}
