from __future__ import annotations

import pytest
from tests.tasks.runs import oracle_runs

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.policies.pointer.decisions import MAX_CANDIDATES, Options
from distrl.run.evaluate import evaluate
from distrl.tasks.judges.state import StateJudge
from distrl.tasks.question import Question
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.served import ServedReferee, TaskConsole
from distrl.tasks.suites import load_suite
from distrl.types import BASIC_KINDS, Kind, Outcome, Task

SUITE = load_suite("questions")
ONE_OF_EACH = {
    task.template: task for split in ("train", "unseen") for task in SUITE.tasks(split)
}.values()
every_question = pytest.mark.parametrize("task", ONE_OF_EACH, ids=lambda task: task.template)


@pytest.fixture(scope="module")
def referee() -> PhoneReferee:
    return PhoneReferee(PhoneDevice(config=PhoneConfig(nuisance_rate=0.0)))


def right_answer(referee: PhoneReferee) -> str:
    template = referee.template
    assert isinstance(template, Question)
    return template.right(referee.device.snapshot(), referee.task.parameters)


@every_question
def test_only_the_right_answer_is_right(task: Task, referee: PhoneReferee) -> None:
    referee.begin(task)
    right = right_answer(referee)
    assert referee.answered(right.upper()) is Outcome.SUCCEEDED
    assert referee.answered(f"It is {right}.") is Outcome.SUCCEEDED
    wrong_ones = ["", "I do not care", "9999", "banana", "yes and no"]
    if right not in ("yes", "no"):  # to which anything may be added
        wrong_ones.append(f"{right} {right} 77")
    for wrong in wrong_ones:
        assert referee.answered(wrong) is Outcome.FALSE_COMPLETE, wrong
    assert referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE, "an answer was asked for"


@every_question
def test_what_has_no_answer_may_be_called_infeasible_and_nothing_else(
    task: Task, referee: PhoneReferee
) -> None:
    referee.begin(task)
    unanswerable = referee.template.infeasible
    expected = Outcome.SUCCEEDED if unanswerable else Outcome.FAILED
    assert referee.outcome(Kind.INFEASIBLE) is expected
    if unanswerable:
        assert referee.answered("There is none") is Outcome.SUCCEEDED


@pytest.mark.parametrize("split", ["val", "test", "unseen"])
def test_the_oracle_answers_in_words_that_the_pointer_can_point_at(split: str) -> None:
    for run in oracle_runs("questions", split):
        last = run.moments[-1]
        options = Options(run.task.goal, last.elements[:MAX_CANDIDATES])
        assert options.decision(last.action) is not None, (run.task.goal, last.action)


def test_some_questions_need_two_apps_or_pages() -> None:
    for name, apps in {
        "q_sender_number": ("mail", "contacts"),
        "q_event_before_alarm": ("calendar", "clock"),
    }.items():
        task = next(task for task in ONE_OF_EACH if task.template == name)
        device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
        seen = _apps_of_oracle(device, task)
        assert set(apps) <= seen


def _apps_of_oracle(device: PhoneDevice, task: Task) -> set[str]:
    from distrl.tasks.referee import PhoneOracle

    referee = PhoneReferee(device)
    referee.begin(task)
    oracle, seen = PhoneOracle(referee), set()
    for _ in range(task.step_limit):
        seen.add(device.observe().app)
        action = oracle.action()
        if action.kind is Kind.ANSWER:
            assert referee.ended_by(action) is Outcome.SUCCEEDED
            return seen
        device.perform(action)
    pytest.fail(f"no answer, in {seen}")


def test_a_suite_with_questions_needs_answers_and_others_do_not() -> None:
    assert SUITE.kinds == BASIC_KINDS | {Kind.ANSWER}
    assert load_suite("general").kinds == load_suite("shopping").kinds == BASIC_KINDS


def test_questions_of_general_and_of_shopping_are_enough() -> None:
    general, shopping = load_suite("questions:general"), load_suite("questions:shopping")
    assert len(general.templates) >= 20 and len(shopping.templates) >= 8
    assert set(general.templates) | set(shopping.templates) == set(SUITE.templates)


@pytest.mark.parametrize("part", ["questions:general", "questions:shopping"])
def test_a_policy_that_guesses_is_hardly_ever_right(part: str) -> None:
    reports = [evaluate("random", part, "test", seed=seed) for seed in range(2)]
    right = [report.overall.success for report in reports if report.overall.success is not None]
    assert len(right) == 2 and sum(right) / 2 <= 0.03


def test_the_verdict_says_what_was_answered(referee: PhoneReferee) -> None:
    referee.begin(next(iter(ONE_OF_EACH)))
    outcome = referee.answered("perhaps")
    assert referee.verdict(outcome).reason == "false_complete: answered 'perhaps'"
    assert referee.verdict(referee.outcome(Kind.COMPLETE)).reason == "false_complete"


def test_an_answer_is_judged_on_a_served_phone_as_here() -> None:
    device = PhoneDevice("served")
    served = ServedReferee(TaskConsole(device))
    task = next(iter(ONE_OF_EACH))
    served.begin(task)
    here = PhoneReferee(PhoneDevice("here"))
    here.begin(task)
    for said in (right_answer(here), "no\n'$(reboot)' \U0001f600"):
        outcome = here.answered(said)
        assert served.answered(said) is outcome
        assert served.verdict(outcome) == here.verdict(outcome)


def test_the_exact_judge_hears_the_answer() -> None:
    from distrl.clock import VirtualClock
    from distrl.collect.episode import run_episode
    from distrl.envs.device_env import DeviceEnv
    from distrl.policies.scripted import ScriptedPolicy
    from distrl.tasks.referee import PhoneOracle

    device = PhoneDevice("played")
    referee = PhoneReferee(device)
    env, policy = DeviceEnv(device, referee), ScriptedPolicy(PhoneOracle(referee))
    task = next(iter(ONE_OF_EACH))
    episode = run_episode(env, policy, task, clock=VirtualClock(), episode_id="asked")
    assert episode.succeeded
    verdict = StateJudge().judge(episode)
    assert verdict.success and "answered" in verdict.reason
    assert episode.verdicts[0].reason == verdict.reason
    assert episode.steps[-1].choice.action.kind is actions.answer("x").kind
