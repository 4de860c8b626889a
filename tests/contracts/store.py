"""The promises of an episode store, written once; a test of an implementation subclasses this."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pytest
from tests.contracts.device import assert_same

from distrl import actions
from distrl.errors import StoreError
from distrl.replay.pieces import join
from distrl.replay.store.memory import MemoryStore
from distrl.replay.store.sqlite import SqliteStore
from distrl.types import (
    Action,
    Choice,
    Element,
    Episode,
    Key,
    Observation,
    Outcome,
    Picture,
    Pixels,
    Step,
    StoredStep,
    Task,
    Verdict,
)

DEADLINE = 60.0

Store: TypeAlias = SqliteStore | MemoryStore
"""The stores that keep episodes: they are written, read, looked at and closed alike."""

ACTIONS: tuple[Action, ...] = (
    actions.tap(0.25, 0.1 + 0.2),
    actions.type_text("naïve 日本 🙂 '; DROP TABLE episodes"),
    actions.press(Key.ENTER),
    actions.swipe(0.5, 0.8, 0.5, 0.2),
    actions.complete(),
)


LARGE = bytes(range(256)) * 4
"""A piece of inputs that all steps have."""


def make_screen(seed: int, height: int = 20, width: int = 9) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def make_task(**changes: Any) -> Task:
    task = Task(
        id="general/train/17",
        goal="Say “hello” to Ada",
        suite="general",
        split="train",
        template="greet",
        parameters={"name": "Ada", "times": 3, "aloud": True, "silence_exporter": False},
        seed=2**64 - 1,
        step_limit=12,
    )
    return replace(task, **changes)


def make_observation(seed: int) -> Observation:
    elements = (
        Element("button", f"Save {seed}", "", (0.1, 0.2, 1 / 3, 0.4), checked=True),
        Element("field", "", "Name", (0.0, 0.5, 1.0, 0.6), enabled=False, focused=True),
    )
    return Observation(Picture(make_screen(seed)), elements, bool(seed % 2), f"app-{seed % 3}")


def make_step(seed: int, **changes: Any) -> Step:
    choice = Choice(
        action=ACTIONS[seed % len(ACTIONS)],
        decision=(seed, -1, 0),
        log_prob=-0.1 * seed,
        entropy=1 / 3,
        value=0.1 * seed,
        version=seed,
        digest=f"{seed:064x}",
        inputs=join([b"head %d" % seed, LARGE, bytes([seed % 256]) * 600, LARGE]),
    )
    return Step(
        observation=make_observation(seed),
        choice=replace(choice, **changes),
        reward=0.25,
        penalties={"invalid": 0.1, "repeat": 0.7 * seed},
        decide_seconds=0.001,
        device_seconds=0.1,
    )


def make_episode(episode_id: str = "e-1", *, seed: int = 3, steps: int = 3) -> Episode:
    return Episode(
        id=episode_id,
        task=make_task(),
        steps=tuple(make_step(seed + place) for place in range(steps)),
        final=make_observation(seed + steps),
        outcome=Outcome.SUCCEEDED,
        verdicts=(
            Verdict(judge="state", success=True, reason="seen", side_effects=("alarm 7:00",)),
            Verdict(judge="vlm", success=None, reason="timed out"),
        ),
        device="phone-3",
        started=12.5,
        ended=13.75,
    )


def broken_picture() -> Picture:
    def draw() -> Pixels:
        raise RuntimeError("the renderer is gone")

    return Picture(draw)


def showing(picture: Picture) -> Episode:
    """An episode whose last screen is this picture."""
    return replace(make_episode("odd"), final=replace(make_observation(0), picture=picture))


UNSTORABLE: dict[str, Callable[[], Episode]] = {
    "grey screen": lambda: showing(Picture(np.zeros((4, 4), np.uint8))),
    "float screen": lambda: showing(Picture(np.zeros((4, 4, 3)))),  # type: ignore[arg-type]
    "empty screen": lambda: showing(Picture(np.zeros((0, 4, 3), np.uint8))),
    "broken screen": lambda: showing(broken_picture()),
    "half a character": lambda: replace(make_episode("odd"), fault="\ud800"),
    "huge seed": lambda: replace(make_episode("odd"), task=make_task(seed=2**64)),
    "huge version": lambda: replace(make_episode("odd"), steps=(make_step(1, version=2**63),)),
    "object as parameter": lambda: replace(
        make_episode("odd"), task=make_task(parameters={"at": object()})
    ),
    "word as decision": lambda: replace(
        make_episode("odd"), steps=(make_step(1, decision=("tap",)),)
    ),
    "no reward": lambda: replace(
        make_episode("odd"), steps=(replace(make_step(1), reward=float("nan")),)
    ),
    "no time": lambda: replace(make_episode("odd"), ended=float("inf")),
}


def assert_equal(stored: Episode, original: Episode) -> None:
    """Two episodes hold the same, to the pixel."""

    def rest(episode: Episode) -> object:
        steps = [StoredStep.of(step) for step in episode.steps]
        return replace(episode, steps=(), final=None), steps

    assert rest(stored) == rest(original)
    for got, given in zip(stored.steps, original.steps, strict=True):
        assert_same(got.observation, given.observation)
    assert (stored.final is None) == (original.final is None)
    if stored.final is not None and original.final is not None:
        assert_same(stored.final, original.final)


class StoreContract:
    """What every store promises."""

    @pytest.fixture
    def store(self) -> Store:
        """A new store of the kind under test; the fixture closes it in the end."""
        raise NotImplementedError

    def test_a_new_store_is_empty(self, store: Store) -> None:
        assert list(store.ids()) == []
        assert store.count() == 0
        assert store.read_after(0, 10) == []
        assert store.summaries() == []
        assert store.outcomes() == {}

    def test_what_is_added_comes_back_whole(self, store: Store) -> None:
        episode = make_episode()
        store.add(episode)
        assert_equal(store.get("e-1"), episode)

    @pytest.mark.parametrize(
        "changes",
        [
            {"final": None, "outcome": Outcome.DEVICE_LOST, "fault": "the cable is loose\n"},
            {"steps": (), "final": None, "outcome": Outcome.TASK_ERROR, "verdicts": ()},
            {"steps": ()},
            {"steps": (make_step(1, decision=None, log_prob=None, entropy=None, inputs=b""),)},
            {"steps": (make_step(1, inputs=bytes(range(256))), make_step(2, inputs=join([])))},
            {"steps": (make_step(1, decision=()), replace(make_step(2), penalties={}))},
            {"final": replace(make_observation(5), elements=None)},
            {"final": replace(make_observation(5), elements=())},
            {"task": make_task(goal="", parameters={}, seed=-(2**63))},
        ],
    )
    def test_every_kind_of_episode_comes_back(self, store: Store, changes: dict[str, Any]) -> None:
        episode = replace(make_episode(), **changes)
        store.add(episode)
        assert_equal(store.get("e-1"), episode)

    @pytest.mark.parametrize("size", [(1, 1), (3, 200), (400, 180)])
    def test_screens_of_any_size_come_back_to_the_pixel(
        self, store: Store, size: tuple[int, int]
    ) -> None:
        screen = make_screen(1, *size)
        store.add(showing(Picture(screen)))
        final = store.get("odd").final
        assert final is not None
        np.testing.assert_array_equal(final.screen, screen)

    def test_a_part_of_a_larger_screen_comes_back(self, store: Store) -> None:
        part = make_screen(1, 40, 30)[5:25:2, ::-1]
        store.add(showing(Picture(part)))
        final = store.get("odd").final
        assert final is not None
        np.testing.assert_array_equal(final.screen, part)

    def test_what_was_stored_does_not_change_with_its_source(self, store: Store) -> None:
        screen = make_screen(1)
        store.add(showing(Picture(screen)))
        screen[:] = 0
        final = store.get("odd").final
        assert final is not None
        np.testing.assert_array_equal(final.screen, make_screen(1))

    def test_numbers_of_numpy_come_back_as_plain_ones(self, store: Store) -> None:
        choice = {"decision": (np.int64(4),), "log_prob": np.float64(-0.1)}
        step = make_step(1, **choice, entropy=np.float32(0.5), version=np.int64(6))
        store.add(replace(make_episode(), steps=(step,)))
        (stored,) = store.get("e-1").steps
        assert repr(stored.choice.decision) == "(4,)"
        assert repr(stored.choice.log_prob) == "-0.1"
        assert repr(stored.choice.entropy) == "0.5"
        assert repr(store.summaries()[0].max_version) == repr(stored.choice.version) == "6"

    def test_an_unknown_id_is_a_key_error(self, store: Store) -> None:
        store.add(make_episode())
        with pytest.raises(KeyError):
            store.get("e-2")

    def test_adding_an_id_again_changes_nothing(self, store: Store) -> None:
        first = make_episode()
        store.add(first)
        store.add(first)
        store.add(replace(make_episode(seed=50), outcome=Outcome.FAILED))
        assert list(store.ids()) == ["e-1"]
        assert len(store.read_after(0, 10)) == 1
        assert_equal(store.get("e-1"), first)

    def test_later_means_durable_when_the_future_is_done(self, store: Store) -> None:
        store.add_later(make_episode()).result(DEADLINE)
        assert list(store.ids()) == ["e-1"]

    def test_episodes_become_durable_in_the_order_of_handing_in(self, store: Store) -> None:
        wanted = [f"e-{number}" for number in range(30)]
        # The first ones take longest to encode.
        pending = [
            store.add_later(make_episode(episode_id, seed=place, steps=8 if place < 5 else 0))
            for place, episode_id in enumerate(wanted)
        ]
        wait(pending, timeout=DEADLINE)
        assert list(store.ids()) == wanted

    def test_many_threads_add_and_nothing_is_lost_or_doubled(self, store: Store) -> None:
        def add_some(thread: int) -> None:
            for number in range(10):
                store.add(make_episode(f"{thread}-{number}", seed=number, steps=1))
                store.add(make_episode("shared", steps=1))

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(add_some, range(6)))
        ids = list(store.ids())
        assert len(ids) == len(set(ids)) == store.count() == 61
        for thread in range(6):
            own = [found for found in ids if found.startswith(f"{thread}-")]
            assert own == [f"{thread}-{number}" for number in range(10)]

    def test_reading_after_a_number_in_pages_misses_nothing(self, store: Store) -> None:
        added = [make_episode(f"e-{place}", seed=place, steps=place % 4) for place in range(11)]
        for episode in added:
            store.add(episode)
        number, read = 0, []
        while page := store.read_after(number, 4):
            assert len(page) <= 4
            assert [found for found, _ in page] == sorted({found for found, _ in page})
            assert page[0][0] > number
            number = page[-1][0]
            read += [episode for _, episode in page]
        for got, given in zip(read, added, strict=True):
            assert (got.id, got.task, got.outcome) == (given.id, given.task, given.outcome)
            assert got.steps == tuple(StoredStep.of(step) for step in given.steps)

    def test_whoever_asks_again_gets_only_what_is_new(self, store: Store) -> None:
        store.add(make_episode("e-1"))
        ((number, _),) = store.read_after(0, 10)
        assert store.read_after(number, 10) == []
        store.add(make_episode("e-1"))
        store.add(make_episode("e-2"))
        assert [episode.id for _, episode in store.read_after(number, 10)] == ["e-2"]

    def test_the_summary_tells_what_a_dashboard_asks_for(self, store: Store) -> None:
        store.add(make_episode(seed=7))
        store.add(replace(make_episode("lost"), steps=(), outcome=Outcome.DEVICE_LOST, fault="x"))
        line, lost = store.summaries()
        assert (line.number, line.id, line.task_id) == (1, "e-1", "general/train/17")
        assert (line.suite, line.split, line.template) == ("general", "train", "greet")
        assert (line.outcome, line.steps, line.reward) == (Outcome.SUCCEEDED, 3, 0.75)
        assert (line.started, line.ended, line.device) == (12.5, 13.75, "phone-3")
        assert (line.min_version, line.max_version, line.fault) == (7, 9, "")
        assert (lost.number, lost.steps, lost.fault) == (2, 0, "x")
        assert (lost.min_version, lost.max_version) == (None, None)
        assert store.summaries(after=1) == [lost]
        assert store.summaries(limit=1) == [line]

    def test_outcomes_are_counted_for_all_or_for_some(self, store: Store) -> None:
        for place, (suite, split, template, outcome) in enumerate(
            [
                ("general", "train", "greet", Outcome.SUCCEEDED),
                ("general", "train", "greet", Outcome.FAILED),
                ("general", "train", "alarm", Outcome.SUCCEEDED),
                ("general", "test", "greet", Outcome.STEP_LIMIT),
                ("shopping", "train", "greet", Outcome.SUCCEEDED),
            ]
        ):
            task = make_task(suite=suite, split=split, template=template)
            store.add(replace(make_episode(f"e-{place}", steps=0), task=task, outcome=outcome))
        done, failed, limit = Outcome.SUCCEEDED, Outcome.FAILED, Outcome.STEP_LIMIT
        assert store.outcomes() == {done: 3, failed: 1, limit: 1}
        assert store.outcomes(suite="general") == {done: 2, failed: 1, limit: 1}
        assert store.outcomes(suite="general", split="train") == {done: 2, failed: 1}
        assert store.outcomes(template="greet", split="train") == {done: 2, failed: 1}
        assert store.outcomes(suite="browser") == {}

    @pytest.mark.parametrize("kind", UNSTORABLE)
    def test_what_cannot_be_stored_is_refused_alone(self, store: Store, kind: str) -> None:
        before, odd, after = (
            store.add_later(make_episode("before")),
            store.add_later(UNSTORABLE[kind]()),
            store.add_later(make_episode("after")),
        )
        assert isinstance(odd.exception(DEADLINE), StoreError)
        before.result(DEADLINE)
        after.result(DEADLINE)
        with pytest.raises(StoreError, match="odd"):
            store.add(UNSTORABLE[kind]())
        assert list(store.ids()) == ["before", "after"]

    def test_a_listener_of_the_future_may_add(self, store: Store) -> None:
        second = threading.Event()

        def add_another(_: object) -> None:
            store.add_later(make_episode("e-2")).add_done_callback(lambda _: second.set())

        store.add_later(make_episode("e-1")).add_done_callback(add_another)
        assert second.wait(DEADLINE)
        assert list(store.ids()) == ["e-1", "e-2"]

    def test_closing_finishes_what_was_handed_in(self, store: Store) -> None:
        pending = [store.add_later(make_episode(f"e-{place}")) for place in range(20)]
        store.close()
        assert [future.exception(0) for future in pending] == [None] * 20

    def test_a_closed_store_takes_no_more(self, store: Store) -> None:
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.add(make_episode())
        with pytest.raises(StoreError, match="closed"):
            store.add_later(make_episode())

    def test_closing_twice_does_nothing_more(self, store: Store) -> None:
        pending = store.add_later(make_episode())
        store.close()
        store.close()
        assert pending.exception(0) is None
