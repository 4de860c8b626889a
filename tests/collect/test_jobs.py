from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.envs.fakes import make_task

from distrl.collect.jobs import SampledJobs
from distrl.types import Task


class Same:
    """The same task, as often as asked."""

    def next(self) -> Task:
        return make_task()

    def report(self, task: Task, succeeded: bool) -> None:
        pass


def drain(jobs: SampledJobs) -> list[tuple[str, int]]:
    found = []
    while (job := jobs.next()) is not None:
        found.append((job.episode_id, job.seed))
    return found


def test_episodes_are_numbered_up_to_the_limit() -> None:
    found = drain(SampledJobs(Same(), seed=0, prefix="a", limit=3))
    assert [name for name, _ in found] == ["a-0", "a-1", "a-2"]


def test_a_run_that_goes_on_counts_on() -> None:
    found = drain(SampledJobs(Same(), seed=0, prefix="b", first=2, limit=4))
    assert [name for name, _ in found] == ["b-2", "b-3"]


def test_the_seed_follows_from_the_run_and_the_number_alone() -> None:
    first = [seed for _, seed in drain(SampledJobs(Same(), seed=1, prefix="a", limit=5))]
    again = [seed for _, seed in drain(SampledJobs(Same(), seed=1, prefix="b", limit=5))]
    other = [seed for _, seed in drain(SampledJobs(Same(), seed=2, prefix="a", limit=5))]
    assert first == again
    assert len({*first, *other}) == 10


def test_without_a_limit_there_is_always_another() -> None:
    jobs = SampledJobs(Same(), seed=0, prefix="a")
    assert all(jobs.next() is not None for _ in range(100))


def test_no_number_is_given_twice_to_many_threads() -> None:
    jobs = SampledJobs(Same(), seed=0, prefix="a", limit=400)
    with ThreadPoolExecutor(8) as pool:
        found = [job for job in pool.map(lambda _: jobs.next(), range(500)) if job is not None]
    assert len({job.episode_id for job in found}) == len(found) == 400
