import json
import threading
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from distrl.config.learn import SuccessPoolConfig
from distrl.config.tasks import CurriculumConfig
from distrl.errors import ConfigError
from distrl.tasks.sampling import SuccessPool, TaskSampler
from distrl.types import Task


def make_tasks(**counts: int) -> list[Task]:
    return [
        Task(
            id=f"made/train/{template}{number}",
            goal=f"Do {template} {number}",
            suite="made",
            split="train",
            template=template,
            parameters={},
            seed=number,
            step_limit=5,
        )
        for template, count in counts.items()
        for number in range(count)
    ]


def make_sampler(
    tasks: Sequence[Task], *, curriculum: bool = True, floor: float = 0.05, memory: float = 0.9
) -> TaskSampler:
    settings = CurriculumConfig(enabled=curriculum, floor=floor, memory=memory)
    return TaskSampler(tasks, Random(0), settings)


def draws(sampler: TaskSampler, count: int = 4000) -> Counter[str]:
    return Counter(sampler.next().template for _ in range(count))


def teach(sampler: TaskSampler, tasks: Sequence[Task], **success: float) -> None:
    """Let every template succeed at its rate, often enough that nothing else is remembered."""
    for task in tasks:
        rate = success[task.template]
        for attempt in range(100):
            sampler.report(task, (attempt * rate) % 1.0 + rate >= 1.0)


def test_tasks_near_half_solved_are_drawn_more() -> None:
    tasks = make_tasks(easy=1, half=1, hopeless=1)
    sampler = make_sampler(tasks)
    teach(sampler, tasks, easy=1.0, half=0.5, hopeless=0.0)
    drawn = draws(sampler)
    # Their shares are p (1 - p) + floor: about 0.05, 0.30 and 0.05 of 0.40.
    assert 0.68 < drawn["half"] / 4000 < 0.82
    assert 0.08 < drawn["easy"] / 4000 < 0.17
    assert 0.08 < drawn["hopeless"] / 4000 < 0.17


def test_switched_off_what_happened_plays_no_part() -> None:
    tasks = make_tasks(easy=1, half=1, hopeless=1)
    sampler = make_sampler(tasks, curriculum=False)
    teach(sampler, tasks, easy=1.0, half=0.5, hopeless=0.0)
    assert all(0.29 < count / 4000 < 0.38 for count in draws(sampler).values())


@pytest.mark.parametrize("curriculum", [True, False])
def test_before_anything_is_known_every_task_is_as_likely_as_the_next(curriculum: bool) -> None:
    tasks = make_tasks(many=9, one=1)
    drawn = draws(make_sampler(tasks, curriculum=curriculum))
    assert 0.08 < drawn["one"] / 4000 < 0.12


def test_success_is_remembered_for_a_while() -> None:
    tasks = make_tasks(a=1)
    sampler = make_sampler(tasks, memory=0.5)
    assert sampler.success() == {}
    sampler.report(tasks[0], True)
    sampler.report(tasks[0], True)
    sampler.report(tasks[0], False)
    assert sampler.success() == {"a": pytest.approx(0.4375)}


def test_an_estimate_decides_within_a_template() -> None:
    tasks = make_tasks(a=3)
    asked: list[Sequence[Task]] = []

    def estimate(of: Sequence[Task]) -> Sequence[float]:
        asked.append(of)
        return [0.5, 1.2, -0.2]

    settings = CurriculumConfig(floor=0.01)
    sampler = TaskSampler(tasks, Random(0), settings, estimate=estimate)
    drawn = Counter(sampler.next().seed for _ in range(1000))
    assert drawn[0] > 850
    assert asked[0] == tasks


def test_a_task_that_never_succeeded_can_be_drawn_more_often_than_its_siblings() -> None:
    tasks = make_tasks(a=4, b=4)
    sampler = TaskSampler(tasks, Random(0), CurriculumConfig(unsolved=3.0))
    for task in tasks:
        sampler.report(task, succeeded=task.seed > 0)
        sampler.report(task, succeeded=False)
    drawn = Counter(sampler.next().seed for _ in range(4000))
    assert 0.46 < drawn[0] / 4000 < 0.54


def test_the_same_seed_draws_the_same_tasks() -> None:
    tasks = make_tasks(a=5, b=5)
    first, second = make_sampler(tasks), make_sampler(tasks)
    assert [first.next() for _ in range(50)] == [second.next() for _ in range(50)]


def test_a_restored_sampler_goes_on_as_the_first_would_have() -> None:
    tasks = make_tasks(a=5, b=5)
    first = make_sampler(tasks)
    for number in range(30):
        first.report(first.next(), number % 3 == 0)
    state = json.loads(json.dumps(first.state()))
    second = TaskSampler(tasks, Random(99))
    second.restore(state)
    assert second.success() == first.success()
    assert [first.next() for _ in range(50)] == [second.next() for _ in range(50)]


@pytest.mark.parametrize("curriculum", [True, False])
def test_a_task_can_be_given_several_times_in_a_row(curriculum: bool) -> None:
    tasks = make_tasks(a=50)
    settings = CurriculumConfig(enabled=curriculum)
    sampler = TaskSampler(tasks, Random(0), settings, repeat=3)
    given = [sampler.next().id for _ in range(7)]
    assert given[0] == given[1] == given[2] != given[3]
    assert given[3] == given[4] == given[5] != given[6]
    resumed = TaskSampler(tasks, Random(1), settings, repeat=3)
    resumed.restore(sampler.state())
    following = [resumed.next().id for _ in range(3)]
    assert following[:2] == [given[6]] * 2 != [following[2]] * 2


def test_templates_that_went_away_are_forgotten() -> None:
    tasks = make_tasks(a=1, b=1)
    sampler = make_sampler(tasks)
    sampler.report(tasks[1], True)
    fewer = make_sampler(tasks[:1])
    fewer.restore(sampler.state())
    assert fewer.success() == {}


def test_many_threads_draw_and_report_at_once() -> None:
    tasks = make_tasks(a=1)
    sampler = make_sampler(tasks, memory=0.0)
    drawn: list[Task] = []

    def work() -> None:
        for _ in range(200):
            task = sampler.next()
            sampler.report(task, True)
            drawn.append(task)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(drawn) == 1600
    assert sampler.success() == {"a": 1.0}


def test_nothing_to_draw_from_is_refused() -> None:
    with pytest.raises(ConfigError, match="no tasks"):
        TaskSampler([], Random(0))


def test_the_pool_offers_successes_of_tasks_that_now_fail() -> None:
    pool: SuccessPool[str] = SuccessPool()
    pool.report("never", "n1", succeeded=False)
    pool.report("always", "a1", succeeded=True)
    pool.report("lost", "l1", succeeded=True)
    pool.report("lost", "l2", succeeded=True)
    pool.report("lost", "l3", succeeded=False)
    assert pool.wanted() == ["l2"]
    pool.report("lost", "l4", succeeded=True)
    assert pool.wanted() == []
    assert pool.items() == {"always": "a1", "lost": "l4"}
    assert pool.failing() == {"never"}


def test_the_pool_can_keep_what_still_succeeds_in_mind() -> None:
    pool: SuccessPool[str] = SuccessPool(SuccessPoolConfig(only_failing=False))
    pool.report("never", "n1", succeeded=False)
    pool.report("always", "a1", succeeded=True)
    pool.report("lost", "l1", succeeded=True)
    pool.report("lost", "l2", succeeded=False)
    assert pool.wanted() == ["a1", "l1"]
    assert sorted(pool.draw(9, Random(0))) == ["a1", "l1"]


def test_the_pool_keeps_the_shortest_success() -> None:
    pool: SuccessPool[str] = SuccessPool()
    for success in ("with a detour", "straight", "by the longest way", "direct.."):
        pool.report("task", success, succeeded=True)
    assert pool.items() == {"task": "direct.."}


def test_every_kind_of_success_is_drawn_equally_often() -> None:
    pool = SuccessPool[str](SuccessPoolConfig(only_failing=False), kind=lambda item: item[0])
    for number in range(30):
        pool.report(f"many {number}", f"m{number}", succeeded=True)
    for number in range(2):
        pool.report(f"few {number}", f"f{number}", succeeded=True)
    rng = Random(0)
    draws = [pool.draw(2, rng) for _ in range(40)]
    assert all(sorted(item[0] for item in draw) == ["f", "m"] for draw in draws)
    assert len({item for draw in draws for item in draw}) > 20
    more = pool.draw(8, rng)
    assert (len(set(more)), sum(item[0] == "f" for item in more)) == (8, 2)


def test_a_draw_from_the_pool_has_no_doubles_and_no_more_than_there_are() -> None:
    pool: SuccessPool[str] = SuccessPool()
    for name in "abcde":
        pool.report(name, name, succeeded=True)
        pool.report(name, name, succeeded=False)
    assert sorted(pool.draw(10, Random(0))) == list("abcde")
    first = pool.draw(2, Random(1))
    assert len(set(first)) == 2
    assert first == pool.draw(2, Random(1))
    assert SuccessPool[str]().draw(3, Random(0)) == []


def test_what_a_template_s_success_is_decides_its_share() -> None:
    """Shares are p (1 - p) + floor, for templates of one task each."""
    rates = {"none": 0.0, "some": 0.25, "half": 0.5, "most": 0.75, "all": 1.0}
    tasks = make_tasks(**dict.fromkeys(rates, 1))
    sampler = make_sampler(tasks, floor=0.1)
    sampler.restore({**sampler.state(), "success": rates})
    worth = {name: p * (1 - p) + 0.1 for name, p in rates.items()}
    drawn = draws(sampler, 6000)
    for name, share in worth.items():
        assert drawn[name] / 6000 == pytest.approx(share / sum(worth.values()), abs=0.03)


def test_with_next_to_no_floor_what_is_solved_or_hopeless_is_never_drawn() -> None:
    tasks = make_tasks(none=1, half=1, all=1)
    sampler = make_sampler(tasks, floor=1e-12)
    sampler.restore({**sampler.state(), "success": {"none": 0.0, "half": 0.5, "all": 1.0}})
    assert draws(sampler, 500) == {"half": 500}


def test_tasks_of_one_template_are_drawn_evenly() -> None:
    sampler = make_sampler(make_tasks(a=4))
    drawn = Counter(sampler.next().id for _ in range(4000))
    assert all(0.21 < count / 4000 < 0.29 for count in drawn.values())


def test_an_untried_template_counts_as_half_solved() -> None:
    tasks = make_tasks(tried=1, untried=1)
    sampler = make_sampler(tasks, floor=0.05)
    sampler.restore({**sampler.state(), "success": {"tried": 0.5}})
    assert 0.46 < draws(sampler)["untried"] / 4000 < 0.54


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9])
def test_the_running_success_forgets_at_its_rate(memory: float) -> None:
    tasks = make_tasks(a=1)
    sampler = make_sampler(tasks, memory=memory)
    for _ in range(3):
        sampler.report(tasks[0], True)
    assert sampler.success()["a"] == pytest.approx(1 - 0.5 * memory**3)


def test_a_repeat_is_over_when_the_task_went_away() -> None:
    tasks = make_tasks(a=1, b=1)
    sampler = TaskSampler(tasks, Random(0), repeat=5)
    drawn = sampler.next()
    rest = [task for task in tasks if task != drawn]
    resumed = TaskSampler(rest, Random(0), repeat=5)
    resumed.restore(sampler.state())
    assert resumed.next() == rest[0]


def test_the_state_is_plain_json() -> None:
    tasks = make_tasks(a=2)
    sampler = make_sampler(tasks)
    sampler.report(tasks[1], True)
    state = sampler.state()
    assert json.loads(json.dumps(state)) == state
    assert state["solved"] == [tasks[1].id]
    assert state["again"] is None


def test_a_pool_without_kinds_draws_evenly() -> None:
    pool: SuccessPool[str] = SuccessPool(SuccessPoolConfig(only_failing=False))
    for name in "abcd":
        pool.report(name, name, succeeded=True)
    rng = Random(0)
    drawn = Counter(item for _ in range(2000) for item in pool.draw(1, rng))
    assert all(0.21 < count / 2000 < 0.29 for count in drawn.values())


def test_a_longer_success_does_not_replace_a_shorter_one_but_ends_the_failing() -> None:
    pool: SuccessPool[str] = SuccessPool()
    pool.report("t", "ab", succeeded=True)
    pool.report("t", "", succeeded=False)
    assert pool.failing() == {"t"}
    pool.report("t", "abc", succeeded=True)
    assert pool.items() == {"t": "ab"}
    assert pool.failing() == frozenset()
