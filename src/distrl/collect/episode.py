"""The rollout loop of one episode; all other parts feed it or learn from what it returns.

env.reset(task) -> observation
      |
      v
+-> Situation(goal, observation, history, steps left)
|         |  policy.act
|         v
|     Choice(action, decision, log-prob, version)
|         |  env.step
|         v
+---- Transition(observation, reward, outcome) -- with an outcome --> Episode

`play` is a state machine: it yields what it waits for and is sent the answer, so that one thread,
a thousand threads or a virtual clock can drive it (`driver`). `run_episode` drives it on the spot.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from distrl.actions import words_touched
from distrl.collect.driver import drive
from distrl.collect.penalties import INVALID
from distrl.errors import DeviceError, ServiceError, TaskError
from distrl.interfaces import Clock, Env, Policy, SaysGoal, Transition
from distrl.types import (
    Choice,
    Episode,
    Observation,
    Outcome,
    Situation,
    Step,
    Task,
    Verdict,
    step_seed,
)


@dataclass(frozen=True, slots=True)
class OnDevice:
    """Waits for the device: `run` calls it, and what it returns is the answer."""

    run: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Decide:
    """Waits for the policy's Choice."""

    situation: Situation
    device: str = ""
    """Where it is to be carried out."""


Wait: TypeAlias = OnDevice | Decide


def run_episode(
    env: Env, policy: Policy, task: Task, *, clock: Clock, episode_id: str, seed: int | None = None
) -> Episode:
    """Play a task to its end. A fault ends it too: it is a value with a reason, never raised.

    Everything random in the policy's decisions follows from `seed`, or else from the task's.
    """
    seed = task.seed if seed is None else seed
    policy.begin(seed)

    def answer(wait: Wait) -> object:
        if isinstance(wait, OnDevice):
            return wait.run()
        (choice,) = policy.act((wait.situation,))
        return choice

    return drive(play(env, task, clock=clock, episode_id=episode_id, seed=seed), answer)


def play(
    env: Env, task: Task, *, clock: Clock, episode_id: str, seed: int
) -> Generator[Wait, Any, Episode]:
    """The machine of one rollout: yields each wait, returns the Episode; see `run_episode`."""
    started = clock.now()
    steps: list[Step] = []

    def ended(
        outcome: Outcome,
        final: Observation | None,
        *,
        verdicts: tuple[Verdict, ...] = (),
        fault: str = "",
    ) -> Episode:
        return Episode(
            id=episode_id,
            task=task,
            steps=tuple(steps),
            final=final,
            outcome=outcome,
            verdicts=verdicts,
            device=env.device_id,
            started=started,
            ended=clock.now(),
            fault=fault,
        )

    try:
        observation: Observation = yield OnDevice(partial(env.reset, task))
    except (DeviceError, TaskError) as error:
        return ended(_outcome_of(error), None, fault=str(error))

    if isinstance(env, SaysGoal):
        task = replace(task, goal=env.goal)
    outcome = None
    while outcome is None:
        situation = Situation(
            goal=task.goal,
            observation=observation,
            history=tuple(step.choice.action for step in steps),
            touched=tuple(words_touched(s.choice.action, s.observation) for s in steps),
            steps_left=task.step_limit - len(steps),
            seed=step_seed(seed, len(steps)),
        )
        asked = clock.now()
        try:
            choice: Choice = yield Decide(situation, env.device_id)
        except ServiceError as error:
            # The model was out of reach: neither it nor the device is answerable for that, so
            # the episode must neither be trained on nor count as a loss of the device.
            return ended(Outcome.TASK_ERROR, observation, fault=str(error))
        answered = clock.now()
        transition: Transition = yield OnDevice(partial(env.step, choice.action))
        steps.append(
            Step(
                observation=observation,
                choice=choice,
                reward=transition.reward,
                # How much it costs, `penalise` knows; that it was refused, only the device does.
                penalties={INVALID: 0.0} if transition.refused else {},
                decide_seconds=answered - asked,
                device_seconds=clock.now() - answered,
            )
        )
        observation, outcome = transition.observation, transition.outcome

    # What a lost device showed last may be older than its last action: it is not the end.
    final = None if outcome is Outcome.DEVICE_LOST else observation
    return ended(outcome, final, verdicts=env.verdicts(), fault=transition.fault)


def _outcome_of(error: DeviceError | TaskError) -> Outcome:
    return Outcome.DEVICE_LOST if isinstance(error, DeviceError) else Outcome.TASK_ERROR
