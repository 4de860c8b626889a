from collections.abc import Sequence

from tests.envs.fakes import FakeDevice, FakeReferee, make_task

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.envs.device_env import DeviceEnv
from distrl.errors import DeviceLost, ServiceError, TaskError
from distrl.types import Action, Choice, Episode, Outcome, Situation

TAP = actions.tap(0.5, 0.5)


class Reciter:
    """Plays a fixed line, and remembers what it was shown."""

    def __init__(self, *line: Action, clock: VirtualClock | None = None) -> None:
        self._line = list(line)
        self._clock = clock
        self.seeds: list[int] = []
        self.shown: list[Situation] = []

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        if self._clock is not None:
            self._clock.sleep(0.25)
        self.shown.extend(situations)
        return [Choice(action=self._line.pop(0), version=4) for _ in situations]


class SlowDevice(FakeDevice):
    """Takes two seconds for each action."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def perform(self, action: Action) -> None:
        self._clock.sleep(2.0)
        super().perform(action)


def run(
    policy: Reciter,
    *,
    device: FakeDevice | None = None,
    referee: FakeReferee | None = None,
    step_limit: int = 5,
) -> Episode:
    env = DeviceEnv(device or FakeDevice(), referee or FakeReferee())
    return run_episode(env, policy, make_task(step_limit), clock=VirtualClock(), episode_id="e-1")


def test_a_success_is_an_episode_with_a_step_for_each_choice() -> None:
    episode = run(Reciter(TAP, actions.complete()))
    assert episode.id == "e-1"
    assert episode.device == "fake-0"
    assert episode.outcome is Outcome.SUCCEEDED
    assert [step.choice.action for step in episode.steps] == [TAP, actions.complete()]
    assert [step.reward for step in episode.steps] == [0.0, 1.0]
    assert [step.choice.version for step in episode.steps] == [4, 4]
    assert [verdict.success for verdict in episode.verdicts] == [True]
    assert episode.final is not None
    assert episode.fault == ""


def test_the_policy_sees_the_goal_the_history_and_how_many_steps_are_left() -> None:
    policy = Reciter(TAP, actions.wait(), actions.complete())
    run(policy)
    assert policy.seeds == [7]
    assert [situation.steps_left for situation in policy.shown] == [5, 4, 3]
    assert [situation.history for situation in policy.shown] == [
        (),
        (TAP,),
        (TAP, actions.wait()),
    ]
    assert {situation.goal for situation in policy.shown} == {"Save the name Ada Lovelace"}


def test_a_policy_that_never_declares_ends_at_the_limit() -> None:
    policy = Reciter(*[TAP] * 9)
    episode = run(policy, step_limit=3)
    assert episode.outcome is Outcome.STEP_LIMIT
    assert len(episode.steps) == 3
    assert policy.shown[-1].steps_left == 1


def test_each_step_says_how_long_the_policy_and_the_device_took() -> None:
    clock = VirtualClock()
    clock.sleep(10.0)
    env = DeviceEnv(SlowDevice(clock), FakeReferee())
    policy = Reciter(TAP, actions.complete(), clock=clock)
    episode = run_episode(env, policy, make_task(), clock=clock, episode_id="e-2")
    assert [step.decide_seconds for step in episode.steps] == [0.25, 0.25]
    assert [step.device_seconds for step in episode.steps] == [2.0, 0.0]
    assert (episode.started, episode.ended) == (10.0, 12.5)


def test_a_device_lost_on_the_way_is_a_value_with_a_reason() -> None:
    episode = run(Reciter(TAP, TAP), device=FakeDevice(lost_at=1))
    assert episode.outcome is Outcome.DEVICE_LOST
    assert not episode.outcome.trainable
    assert episode.fault == "the cable was pulled"
    assert episode.final is None
    assert episode.verdicts == ()
    assert len(episode.steps) == 2


def test_a_device_lost_at_the_start_is_an_episode_without_steps() -> None:
    episode = run(Reciter(), referee=FakeReferee(begins=DeviceLost("no answer")))
    assert episode.outcome is Outcome.DEVICE_LOST
    assert (episode.steps, episode.final, episode.fault) == ((), None, "no answer")


def test_a_task_that_cannot_be_set_up_is_a_task_error() -> None:
    for error in (TaskError("no such contact"), ZeroDivisionError("oops")):
        episode = run(Reciter(), referee=FakeReferee(begins=error))
        assert episode.outcome is Outcome.TASK_ERROR
        assert str(error) in episode.fault


def test_a_check_that_breaks_is_a_task_error_with_its_steps() -> None:
    episode = run(Reciter(TAP, actions.complete()), referee=FakeReferee(holds=KeyError("x")))
    assert episode.outcome is Outcome.TASK_ERROR
    assert len(episode.steps) == 2
    assert episode.final is not None


class Absent(Reciter):
    """Plays its line, and is then out of reach."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        if not self._line:
            raise ServiceError("no answer after 5 attempts")
        return super().act(situations)


def test_a_model_out_of_reach_voids_the_episode_and_blames_nobody() -> None:
    episode = run(Absent(TAP))
    assert episode.outcome is Outcome.TASK_ERROR
    assert not episode.outcome.trainable
    assert episode.fault == "no answer after 5 attempts"
    assert [step.choice.action for step in episode.steps] == [TAP]
    assert episode.final is not None
    assert episode.verdicts == ()
