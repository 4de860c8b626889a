"""The replay index against cpprb's prioritised buffer, in one run, with the same payload.

Both keep entries as rows of arrays and are filled to the last row, and then do the same in turns:

    add      one entry at a time: a slot is found, its arrays are copied in
    sample   draw 256 by priority, with importance weights, and gather the rows of every array;
             each timed draw follows an add that is not timed, so that sums that were left for
             later are made up for inside the draw
    update   new priorities for the 256 drawn; ours leaves the sums above for the next draw
    cycle    sample and update, as a learner does: nothing is left out of it

A figure is the mean over a short round and the best of many rounds: neighbours on the machine make
a round longer, never shorter. Ours and theirs take turns, and who is first changes from round to
round. cpprb knows no age of entries, so ours draws all from one tree here (`old_share` 0), as
cpprb does. A run keeps its episodes, which differ in length, as objects over the same index
instead of as rows.
"""

from __future__ import annotations

import importlib
import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from distrl.config.replay import ReplayConfig
from distrl.errors import ConfigError
from distrl.replay.index import ReplayIndex

Floats: TypeAlias = npt.NDArray[np.float32]
Entry: TypeAlias = Mapping[str, Floats]
"""Arrays by name: of one entry, or of a batch."""

SIZES = (10_000, 100_000, 1_000_000)
BATCH = 256
ALPHA, IMPORTANCE = 0.5, 0.4
WIDTHS = {"inputs": 64, "log_mu": 1, "rewards": 1, "penalties": 1}
"""The arrays of an entry and how many numbers each has."""
_ENDS = tuple(itertools.accumulate(WIDTHS.values()))
_PLACES = dict(zip(WIDTHS, zip((0, *_ENDS), _ENDS, strict=False), strict=True))
"""Where each array begins and ends in the row of an entry."""
QUICK_ROUNDS = 15
_ADDS = 256
_DRAWS = 16


class Contender(Protocol):
    """A buffer that is measured."""

    def add(self, entry: Entry) -> None:
        """Take in one entry, in place of the oldest."""
        ...

    def sample(self) -> Entry:
        """Draw a batch: the arrays of its entries, one below the other, and `weights`."""
        ...

    def update(self, priorities: npt.NDArray[np.float64]) -> None:
        """Give the entries drawn last their new priorities."""
        ...


class OurBuffer:
    """The index of this package, with a row of every array for an entry."""

    def __init__(self, size: int, seed: int = 0) -> None:
        """Start empty; draws follow from the seed."""
        config = ReplayConfig(capacity=size, alpha=ALPHA, old_share=0.0)
        self._index = ReplayIndex(config, np.random.default_rng(seed))
        self._rows = np.zeros((size, sum(WIDTHS.values())), np.float32)
        self._columns = _columns(self._rows)
        self._drawn: npt.NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, entry: Entry) -> None:
        """Take in one entry."""
        slot = self._index.add(0)
        for name, array in entry.items():
            self._columns[name][slot] = array

    def sample(self) -> Entry:
        """Draw a batch."""
        drawn = self._index.sample(BATCH, version=0, importance=IMPORTANCE)
        self._drawn = drawn.slots
        # One piece of memory for an entry: a draw fetches it at once, and the arrays are views.
        rows = _columns(self._rows.take(drawn.slots, axis=0))
        return {**rows, "weights": drawn.weights}

    def update(self, priorities: npt.NDArray[np.float64]) -> None:
        """New priorities for what was drawn."""
        self._index.update(self._drawn, priorities, version=0)


def _columns(rows: Floats) -> dict[str, Floats]:
    """The arrays of entries that lie one behind the other in each row, as views."""
    return {name: rows[:, first:last] for name, (first, last) in _PLACES.items()}


class CpprbBuffer:
    """cpprb's prioritised buffer."""

    def __init__(self, size: int) -> None:
        """Start empty; ConfigError when cpprb is not installed."""
        fields = {name: {"shape": width} for name, width in WIDTHS.items()}
        self._buffer = import_cpprb().PrioritizedReplayBuffer(size, fields, alpha=ALPHA)
        self._drawn: Any = None

    def add(self, entry: Entry) -> None:
        """Take in one entry."""
        self._buffer.add(**entry)

    def sample(self) -> Entry:
        """Draw a batch."""
        drawn: dict[str, Any] = self._buffer.sample(BATCH, IMPORTANCE)
        self._drawn = drawn["indexes"]
        return drawn

    def update(self, priorities: npt.NDArray[np.float64]) -> None:
        """New priorities for what was drawn."""
        self._buffer.update_priorities(self._drawn, priorities)


def import_cpprb() -> Any:
    """The package to compare with; ConfigError says how to get it."""
    try:
        return importlib.import_module("cpprb")
    except ImportError as missing:
        raise ConfigError(
            "the replay buffer is measured against cpprb, which is not installed; "
            "get it with: pip install 'distrl[bench]'"
        ) from missing


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeRow:
    """What was measured at one size. Times in microseconds; ratios above 1 mean we are faster."""

    entries: int
    insert_us: float
    cpprb_insert_us: float
    inserts_over_cpprb: float
    sample_us: float
    cpprb_sample_us: float
    samples_over_cpprb: float
    update_us: float
    cpprb_update_us: float
    updates_over_cpprb: float
    cycle_us: float
    cpprb_cycle_us: float
    cycles_over_cpprb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFigures:
    """The worst of all sizes, and all of them."""

    inserts_over_cpprb_min: float
    samples_over_cpprb_min: float
    updates_over_cpprb_min: float
    cycles_over_cpprb_min: float
    batch: int
    payload_bytes: int
    """Of one entry."""
    rounds: int
    seed: int
    """Of entries, of priorities and of our draws; cpprb draws by a seed of its own."""
    rows: tuple[SizeRow, ...]


def measure_replay(
    sizes: Sequence[int] = SIZES, *, rounds: int = 60, seed: int = 0
) -> ReplayFigures:
    """Measure all sizes, one after the other; the best of `rounds` counts."""
    import_cpprb()
    rows = [
        measure_size(OurBuffer(size, seed), CpprbBuffer(size), size, rounds, seed=seed)
        for size in sizes
    ]
    return ReplayFigures(
        inserts_over_cpprb_min=min(row.inserts_over_cpprb for row in rows),
        samples_over_cpprb_min=min(row.samples_over_cpprb for row in rows),
        updates_over_cpprb_min=min(row.updates_over_cpprb for row in rows),
        cycles_over_cpprb_min=min(row.cycles_over_cpprb for row in rows),
        batch=BATCH,
        payload_bytes=4 * sum(WIDTHS.values()),
        rounds=rounds,
        seed=seed,
        rows=tuple(rows),
    )


def make_entries(count: int, rng: np.random.Generator) -> list[Entry]:
    """Random entries; both buffers copy what they are given."""
    return [
        {name: rng.random(width, np.float32) for name, width in WIDTHS.items()}
        for _ in range(count)
    ]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of one contender: in one round, or the best of several."""

    add: float = math.inf
    sample: float = math.inf
    update: float = math.inf
    cycle: float = math.inf

    def best(self, other: Times) -> Times:
        """The shorter of each."""
        return Times(
            add=min(self.add, other.add),
            sample=min(self.sample, other.sample),
            update=min(self.update, other.update),
            cycle=min(self.cycle, other.cycle),
        )


def measure_size(
    ours: Contender, theirs: Contender, size: int, rounds: int, *, seed: int = 0
) -> SizeRow:
    """Fill both, then let them take turns."""
    rng = np.random.default_rng([seed, size])
    entries = make_entries(_ADDS, rng)
    for number in range(size):
        ours.add(entries[number % _ADDS])
        theirs.add(entries[number % _ADDS])
    best = {True: Times(), False: Times()}
    for number in range(rounds):
        priorities = rng.random((_DRAWS, BATCH)) + 0.01
        for is_ours in (True, False) if number % 2 else (False, True):
            taken = one_round(ours if is_ours else theirs, entries, priorities)
            best[is_ours] = best[is_ours].best(taken)
    a, b = best[True], best[False]
    return SizeRow(
        entries=size,
        insert_us=1e6 * a.add,
        cpprb_insert_us=1e6 * b.add,
        inserts_over_cpprb=b.add / a.add,
        sample_us=1e6 * a.sample,
        cpprb_sample_us=1e6 * b.sample,
        samples_over_cpprb=b.sample / a.sample,
        update_us=1e6 * a.update,
        cpprb_update_us=1e6 * b.update,
        updates_over_cpprb=b.update / a.update,
        cycle_us=1e6 * a.cycle,
        cpprb_cycle_us=1e6 * b.cycle,
        cycles_over_cpprb=b.cycle / a.cycle,
    )


def one_round(
    buffer: Contender, entries: Sequence[Entry], priorities: npt.NDArray[np.float64]
) -> Times:
    """Everything once; seconds for each add, draw, update and cycle."""
    start = time.perf_counter()
    for entry in entries:
        buffer.add(entry)
    added = time.perf_counter() - start
    # The first draw after many adds also brings the processor's caches back to this buffer.
    buffer.sample()
    sampled = updated = 0.0
    for _, entry in zip(priorities, entries, strict=False):
        buffer.add(entry)
        sampled += _seconds(buffer.sample)
    for new in priorities:
        buffer.sample()
        updated += _seconds(partial(buffer.update, new))
    start = time.perf_counter()
    for new in priorities:
        buffer.sample()
        buffer.update(new)
    cycled = time.perf_counter() - start
    draws = len(priorities)
    return Times(added / len(entries), sampled / draws, updated / draws, cycled / draws)


def _seconds(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start
