"""What is measured of MobileGym, ours against its own runner."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice, zip_longest
from statistics import median

from distrl.bench.browser import tree_bytes
from distrl.bench.mobilegym.own_runner import OwnEpisode, OwnRunner, own_runner
from distrl.bench.mobilegym.recordings import Move, Patch, is_end, knows_way, moves
from distrl.devices.browser.chromium import Chromium
from distrl.devices.mobilegym.device import MobileGymDevice
from distrl.envs.page_env import PageEnv
from distrl.errors import DeviceError, TaskError
from distrl.tasks.mobilegym.referee import MobileGymReferee
from distrl.tasks.mobilegym.suite import MobileGymSuite, served_at
from distrl.tasks.suites import load_suite
from distrl.types import Task

_LONGEST = 8
"""Episodes that are played once more without its delays, and on several pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One episode, played by both."""

    task: str
    moves: int
    ours: tuple[bool, bool, float]
    """Goal reached, nothing else changed, share of the checks."""
    own: tuple[bool, bool, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Steps per second of some pages in one browser, together, with set-ups and judging."""

    pages: int
    ours: float
    own: float
    ours_memory_mb: float
    """Of the browser, per page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MobileGymFigures:
    """What was measured."""

    episodes: int
    """Played by both to their end."""
    left_out: dict[str, str]
    """Tasks that one of them could not set up or judge, and why."""
    same_verdicts: int
    """Passed in both, or in neither."""
    same_details: int
    """The same goal, changes and progress as well."""
    passed: int
    """By its own runner's verdict."""
    reached: int
    """Goals, by its own runner's verdict, whatever else was changed."""
    unclean: int
    """Episodes that changed something else, by its own runner's verdict."""
    steps_per_second: float
    own_steps_per_second: float
    steps_per_second_of_longest: float
    """Of the episodes with the most steps."""
    own_steps_per_second_without_delay: float
    """Of those, with the wait after each action taken out."""
    ratio: float
    ratio_without_delay: float
    reset_seconds: float
    """Median, with the task set up."""
    own_reset_seconds: float
    by_pages: tuple[Pages, ...]
    differing: tuple[Compared, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """An episode of ours, with what its own runner is to repeat."""

    task: Task
    moves: tuple[Move, ...]
    verdict: tuple[bool, bool, float]
    reset_seconds: float
    seconds: float
    """Of the steps alone, each with its screen."""

    @property
    def steps(self) -> int:
        """Actions before the declared end, which only has the judge asked."""
        return sum(not isinstance(move, Patch) for move in self.moves) - 1


class Seat:
    """A page of ours, with whoever sets tasks up on it."""

    def __init__(self, name: str, url: str, chromium: Chromium) -> None:
        """Nothing is opened yet."""
        self.device = MobileGymDevice(name, url, chromium=chromium, pictures=True)
        self._referee = MobileGymReferee(self.device)
        self._env = PageEnv(self.device, self._referee)

    def play(self, task: Task) -> Played:
        """One episode; TaskError or DeviceError for what cannot be played."""
        began = time.perf_counter()
        self._env.reset(task)
        reset_seconds = time.perf_counter() - began
        done: list[Move] = []
        seconds = 0.0
        for move in moves(self.device, self._referee.running, task):
            done.append(move)
            if isinstance(move, Patch):
                self.device.patch(move.state)
                continue
            before = time.perf_counter()
            ended = self._env.step(move)
            _ = ended.observation.screen
            if is_end(move):
                break
            seconds += time.perf_counter() - before
            if ended.outcome is not None:
                raise TaskError(f"{task.template} ended as {ended.outcome}: {ended.fault}")
        said = self._referee.judged
        if said is None:
            raise TaskError(f"{task.template} was not judged: {ended.fault}")
        verdict = (said.success, said.clean, said.progress)
        return Played(task, tuple(done), verdict, reset_seconds, seconds)


def measure_mobilegym(name: str, *, episodes: int, pages: Sequence[int]) -> MobileGymFigures:
    """Play tasks of a suite, such as `mobilegym:CHECKOUT`, by us and by its own runner."""
    suite = load_suite(name)
    assert isinstance(suite, MobileGymSuite)
    url = served_at()
    left_out: dict[str, str] = {}
    chromium = Chromium()
    try:
        seat = Seat("page-0", url, chromium)
        with closing(seat.device):
            played = _play_some(seat, _in_turns(suite), episodes, left_out)
        together = [_play_together(url, longest(played), count) for count in pages]
    finally:
        chromium.close()
    return asyncio.run(_beside_its_own(suite, url, played, together, left_out))


def _in_turns(suite: MobileGymSuite) -> Iterator[Task]:
    """Tasks of the splits test and train, one of each template, suites of its taking turns.

    Of each suite those come first that somebody knows a way in, so that judges say yes as well.
    """
    by_suite: dict[str, list[Task]] = {}
    seen: set[str] = set()
    for task in (*suite.tasks("test"), *suite.tasks("train")):
        if task.template not in seen:
            seen.add(task.template)
            by_suite.setdefault(task.template.partition(".")[0], []).append(task)
    for tasks in by_suite.values():
        tasks.sort(key=lambda task: not knows_way(suite.checkout.make(task.template, task.seed)))
    for turn in zip_longest(*by_suite.values()):
        yield from (task for task in turn if task is not None)


def _play_some(
    seat: Seat, tasks: Iterable[Task], episodes: int, left_out: dict[str, str]
) -> list[Played]:
    """Play until there are enough episodes; what cannot be played is left out, with the reason."""
    played: list[Played] = []
    for task in tasks:
        if len(played) == episodes:
            break
        try:
            played.append(seat.play(task))
        except (TaskError, DeviceError) as error:
            left_out[task.template] = str(error)
    return played


def _play_together(url: str, played: Sequence[Played], pages: int) -> tuple[int, float, float]:
    """Pages, their steps per second together, and the memory of the browser per page in MB."""
    chromium = Chromium()
    seats = [Seat(f"page-{number}", url, chromium) for number in range(pages)]
    try:
        with ThreadPoolExecutor(pages) as threads:
            # The browser is there before the clock runs, as is that of its own runner.
            list(threads.map(lambda seat: seat.device.reset(0), seats))
            began = time.perf_counter()
            done = list(threads.map(lambda seat, one: seat.play(one.task), seats, cycle(played)))
            seconds = time.perf_counter() - began
        assert chromium.pid is not None
        memory = tree_bytes(chromium.pid) / 2**20 / pages
    finally:
        for seat in seats:
            seat.device.close()
        chromium.close()
    return pages, sum(one.steps for one in done) / seconds, memory


def longest(played: Iterable[Played]) -> list[Played]:
    """Those with the most steps, where a reset counts least."""
    return sorted(played, key=lambda one: -one.steps)[:_LONGEST]


async def _beside_its_own(
    suite: MobileGymSuite,
    url: str,
    played: Sequence[Played],
    together: Sequence[tuple[int, float, float]],
    left_out: dict[str, str],
) -> MobileGymFigures:
    """Have its own runner repeat all that, and compare."""
    pairs: list[tuple[Played, OwnEpisode]] = []
    by_pages = []
    async with own_runner(suite.checkout, url) as runner:
        await runner.open(1)
        for one in played:
            own = await runner.play(one.task, one.moves)
            if own.error:
                left_out[one.task.template] = f"its own runner: {own.error}"
            else:
                pairs.append((one, own))
        for pages, ours, memory in together:
            own_rate = await _own_together(runner, longest(played), pages)
            by_pages.append(Pages(pages=pages, ours=ours, own=own_rate, ours_memory_mb=memory))
    async with own_runner(suite.checkout, url, delay=0.0) as runner:
        await runner.open(1)
        untimed = [(one, await runner.play(one.task, one.moves)) for one in longest(played)]
    return figures(pairs, untimed, by_pages, left_out)


async def _own_together(runner: OwnRunner, played: Sequence[Played], pages: int) -> float:
    await runner.open(pages)
    began = time.perf_counter()
    chosen = list(islice(cycle(played), pages))
    done = await asyncio.gather(
        *(runner.play(one.task, one.moves, page=page) for page, one in enumerate(chosen))
    )
    return sum(own.steps for own in done) / (time.perf_counter() - began)


def figures(
    pairs: Sequence[tuple[Played, OwnEpisode]],
    untimed: Sequence[tuple[Played, OwnEpisode]],
    by_pages: Sequence[Pages],
    left_out: dict[str, str],
) -> MobileGymFigures:
    """What is compared of the episodes that both played to the end."""
    if not pairs:
        raise TaskError(f"no episode was played by both: {left_out}")
    compared = [
        Compared(
            task=one.task.template,
            moves=len(one.moves),
            ours=one.verdict,
            own=(own.success, own.clean, own.progress),
        )
        for one, own in pairs
    ]
    ours, theirs = _speeds(pairs)
    same, quick = _speeds(untimed)
    return MobileGymFigures(
        episodes=len(compared),
        left_out=left_out,
        same_verdicts=sum(all(c.ours[:2]) == all(c.own[:2]) for c in compared),
        same_details=sum(c.ours == c.own for c in compared),
        passed=sum(all(c.own[:2]) for c in compared),
        reached=sum(c.own[0] for c in compared),
        unclean=sum(not c.own[1] for c in compared),
        steps_per_second=round(ours, 2),
        own_steps_per_second=round(theirs, 2),
        steps_per_second_of_longest=round(same, 2),
        own_steps_per_second_without_delay=round(quick, 2),
        ratio=round(ours / theirs, 2),
        ratio_without_delay=round(same / quick, 2),
        reset_seconds=round(median(one.reset_seconds for one, _ in pairs), 2),
        own_reset_seconds=round(median(own.setup_seconds for _, own in pairs), 2),
        by_pages=tuple(by_pages),
        differing=tuple(c for c in compared if c.ours != c.own),
    )


def _speeds(pairs: Sequence[tuple[Played, OwnEpisode]]) -> tuple[float, float]:
    """Steps per second of both."""
    ours = sum(one.steps for one, _ in pairs) / sum(one.seconds for one, _ in pairs)
    own = sum(own.steps for _, own in pairs) / sum(own.seconds for _, own in pairs)
    return ours, own
