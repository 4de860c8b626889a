from functools import partial
from random import Random

import pytest

from distrl.collect.evaluation.evaluate import Report, evaluate_tasks, select_tasks
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.control import Control
from distrl.errors import ConfigError
from distrl.policies import make_policy
from distrl.tasks.general.clock import StartTimer
from distrl.tasks.template import Params
from distrl.types import Task

CLOCK = ("set_alarm", "start_timer", "stopwatch", "switch_alarm")


def clock_tasks() -> list[Task]:
    chosen = (select_tasks("general", "train", template=name, tasks=6) for name in CLOCK)
    return [task for tasks in chosen for task in tasks]


def evaluate_clock(policy: str, error_rate: float = 0.2) -> Report:
    return evaluate_tasks(partial(make_policy, policy, error_rate=error_rate), clock_tasks())


def test_the_scripted_policy_succeeds_in_as_many_steps_as_the_oracle() -> None:
    report = evaluate_clock("scripted")
    assert report.overall.success == 1.0
    assert report.overall.mean_steps == report.overall.oracle_steps
    assert report.overall.side_effects == report.overall.false_complete == 0.0
    assert report.overall.faults == 0
    assert [row.template for row in report.rows] == sorted(CLOCK)
    assert sum(row.episodes for row in report.rows) == len(clock_tasks())
    assert report.overall.episodes == len(clock_tasks())


def test_the_random_policy_fails_and_takes_other_ways_than_the_oracle() -> None:
    report = evaluate_clock("random")
    assert report.overall.success is not None
    assert report.overall.success <= 0.1
    assert report.overall.mean_steps != report.overall.oracle_steps


def test_noisy_success_falls_with_the_error_rate() -> None:
    shares = [evaluate_clock("noisy", rate).overall.success or 0.0 for rate in (0.0, 0.4, 0.9)]
    assert shares[0] == 1.0
    assert shares[0] > shares[1] > shares[2]


def test_progress_is_told_after_every_task() -> None:
    told: list[tuple[int, int]] = []
    tasks = select_tasks("general", "val", tasks=3)
    build = partial(make_policy, "scripted")
    evaluate_tasks(build, tasks, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_phones_are_made_by_the_given_settings() -> None:
    tasks = select_tasks("general", "val", tasks=8)
    build = partial(make_policy, "scripted")
    quiet = evaluate_tasks(build, tasks, phone=PhoneConfig(nuisance_rate=0.0))
    beset = evaluate_tasks(build, tasks, phone=PhoneConfig(nuisance_rate=1.0))
    assert quiet.overall.mean_steps is not None
    assert beset.overall.mean_steps is not None
    assert quiet.overall.mean_steps < beset.overall.mean_steps


def test_a_broken_task_is_told_and_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def setup(self: StartTimer, control: Control, p: Params, rng: Random) -> None:
        raise KeyError("timer")

    monkeypatch.setattr(StartTimer, "setup", setup)
    monkeypatch.setattr("distrl.tasks.referee._starts", {})  # others may have set it up before
    tasks = select_tasks("general", "train", template="start_timer", tasks=2)
    tasks += select_tasks("general", "train", template="set_alarm", tasks=3)
    report = evaluate_tasks(partial(make_policy, "scripted"), tasks)
    assert (report.overall.episodes, report.overall.faults) == (3, 2)
    assert report.overall.success == 1.0
    assert len(report.faults) == 2
    assert "KeyError('timer')" in report.faults[0]
    assert report.faults[0].startswith(tasks[0].id)


def test_selection_keeps_the_order_and_the_number() -> None:
    tasks = select_tasks("general", "val")
    assert select_tasks("general", "val", tasks=5) == tasks[:5]
    chosen = select_tasks("general", "train", template="set_alarm")
    assert {task.template for task in chosen} == {"set_alarm"}


@pytest.mark.parametrize(
    ("suite", "split", "template", "tasks", "message"),
    [
        ("generl", "val", None, None, "did you mean 'general'"),
        ("general", "vall", None, None, "did you mean 'val'"),
        ("general", "val", "set_alrm", None, "did you mean 'set_alarm'"),
        (
            "general",
            "unseen",
            "set_alarm",
            None,
            r"has no template 'set_alarm' \(splits that have: train, val, test, wide, worded\)",
        ),
        ("general", "val", None, 0, "at least 1, got 0"),
    ],
)
def test_a_selection_that_cannot_be_is_refused(
    suite: str, split: str, template: str | None, tasks: int | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        select_tasks(suite, split, template=template, tasks=tasks)
