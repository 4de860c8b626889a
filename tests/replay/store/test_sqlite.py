from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

import numpy as np
import pytest
from tests.contracts.store import (
    DEADLINE,
    StoreContract,
    assert_equal,
    make_episode,
    make_observation,
    make_screen,
    make_step,
)

from distrl.clock import RealClock
from distrl.errors import StoreError
from distrl.replay.store import picture_codec, writer
from distrl.replay.store.schema import connect_writer
from distrl.replay.store.sqlite import SqliteStore, StoreReader, WriterSettings
from distrl.types import Picture, Pixels

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
IMPATIENT = WriterSettings(deadline=1.0)


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
        return int(count)


@contextmanager
def held_by_somebody_else(path: Path) -> Iterator[None]:
    """Nothing can be committed inside."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


def until(condition: Callable[[], bool]) -> None:
    assert RealClock().wait_until(condition, timeout=DEADLINE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "episodes.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(path) as opened:
        yield opened


@pytest.fixture
def filled(path: Path) -> Path:
    """A closed store of three episodes."""
    with SqliteStore(path) as opened:
        for place in range(3):
            opened.add(make_episode(f"e-{place}", seed=10 * place))
    return path


class TestSqliteStore(StoreContract):
    @pytest.fixture(params=["webp", "png"])
    def store(self, path: Path, request: pytest.FixtureRequest) -> Iterator[SqliteStore]:
        with SqliteStore(path, WriterSettings(codec=request.param)) as opened:
            yield opened


# Durable: acknowledged after the commit, and the commit is on the disk.


def test_a_commit_waits_for_the_disk_and_does_not_block_readers(path: Path) -> None:
    with closing(connect_writer(path, deadline=1.0)) as database:
        assert database.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_nothing_is_acknowledged_before_it_is_committed(store: SqliteStore) -> None:
    with held_by_somebody_else(store.path):
        pending = store.add_later(make_episode())
        until(lambda: store.gauges()["store/packed"] == 1)
        assert not pending.done()
        assert store.count() == 0
    pending.result(DEADLINE)
    assert store.count() == 1


def test_episodes_that_wait_together_share_a_commit(store: SqliteStore) -> None:
    with held_by_somebody_else(store.path):
        pending = [store.add_later(make_episode(f"e-{place}", steps=1)) for place in range(40)]
        until(lambda: store.gauges()["store/packed"] == 40)
    for future in pending:
        future.result(DEADLINE)
    assert store.count() == store.gauges()["store/stored"] == 40
    assert store.gauges()["store/commits"] <= 2  # the first may have set out alone


def test_another_process_sees_an_episode_as_soon_as_it_is_acknowledged(store: SqliteStore) -> None:
    with StoreReader(store.path) as reader:
        for place in range(5):
            episode = make_episode(f"e-{place}", seed=place)
            store.add(episode)
            assert list(reader.ids()) == [f"e-{n}" for n in range(place + 1)]
            assert_equal(reader.get(episode.id), episode)


def test_a_store_that_is_opened_again_has_everything(filled: Path) -> None:
    with SqliteStore(filled) as store:
        store.add(make_episode("e-0", seed=77))
        store.add(make_episode("e-3"))
        assert list(store.ids()) == ["e-0", "e-1", "e-2", "e-3"]
        assert_equal(store.get("e-0"), make_episode("e-0", seed=0))
        assert [number for number, _ in store.read_after(2, 10)] == [3, 4]


def test_a_process_that_ends_without_closing_keeps_what_was_acknowledged(path: Path) -> None:
    lines = (
        "from tests.contracts.store import make_episode",
        "from distrl.replay.store.sqlite import SqliteStore",
        f"store = SqliteStore({str(path)!r})",
        "store.add(make_episode())",
    )
    subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], env=ENVIRONMENT, check=True, timeout=60
    )
    with StoreReader(path) as reader:
        assert_equal(reader.get("e-1"), make_episode())


def test_a_closed_store_is_one_file(filled: Path) -> None:
    assert [found.name for found in filled.parent.iterdir()] == [filled.name]


def test_a_writer_that_died_while_making_the_file_is_no_harm(path: Path) -> None:
    path.parent.mkdir()
    sql(path, "PRAGMA journal_mode = WAL")  # nothing else happened yet
    with pytest.raises(StoreError, match="no episode store yet"):
        StoreReader(path)
    with SqliteStore(path) as store:
        store.add(make_episode())
        assert store.count() == 1


@pytest.mark.parametrize(
    "kills", [4, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(600)])]
)
def test_a_killed_writer_loses_and_doubles_nothing(path: Path, kills: int) -> None:
    rng = Random(kills)
    acknowledged: list[str] = []
    read: list[str] = []
    with SqliteStore(path):
        pass
    with StoreReader(path) as learner:  # goes on reading whatever happens to the writer
        for kill in range(kills):
            acknowledged += add_until_killed(
                path, f"k{kill}", again=acknowledged[-2:], lines=rng.randrange(1, 25)
            )
            while page := learner.read_after(len(read), 100):
                assert [number for number, _ in page] == list(
                    range(len(read) + 1, len(read) + len(page) + 1)
                )
                read += [episode.id for _, episode in page]
            assert set(acknowledged) <= set(read)
    assert len(set(acknowledged)) > kills
    with StoreReader(path) as viewer:  # finds what the killed one left, without its help
        ids = list(viewer.ids())
    assert len(ids) == len(set(ids))
    # A commit may have been whole without anybody having been told so.
    assert ids[: len(read)] == read
    with SqliteStore(path) as store:
        assert list(store.ids()) == ids
        store.verify()
        assert_equal(store.get("k0-0-0b"), make_episode("k0-0-0b", seed=1, steps=2))


def add_until_killed(path: Path, prefix: str, *, again: list[str], lines: int) -> list[str]:
    """Start a process that adds; kill it after some lines; all ids that it got acknowledged."""
    script = Path(__file__).with_name("adding.py")
    process = subprocess.Popen(
        [sys.executable, str(script), str(path), prefix, *again],
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    with process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(len(again) + lines)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()  # written before the end, read after it
    assert process.returncode == -signal.SIGKILL
    return [line.decode().strip() for line in told]


# Bounded: every wait has a deadline.


def test_a_lock_that_is_not_given_back_is_an_error_that_names_the_file(path: Path) -> None:
    with SqliteStore(path, IMPATIENT) as store:
        with held_by_somebody_else(path):
            pending = store.add_later(make_episode())
            error = pending.exception(DEADLINE)
        assert isinstance(error, StoreError)
        assert str(path) in str(error)
        assert "held by somebody else" in str(error)
        store.add_later(make_episode()).result(DEADLINE)  # the next one goes through again
        assert list(store.ids()) == ["e-1"]


def test_adding_gives_up_after_the_deadline(path: Path) -> None:
    with (
        SqliteStore(path, IMPATIENT) as store,
        held_by_somebody_else(path),
        pytest.raises(StoreError, match=r"episodes\.sqlite"),
    ):
        store.add(make_episode())


def test_whoever_hands_in_too_much_waits_for_room(path: Path) -> None:
    with SqliteStore(path, WriterSettings(most_waiting=2)) as store:
        with held_by_somebody_else(path):
            for place in range(2):
                store.add_later(make_episode(f"e-{place}"))
            third = threading.Thread(target=store.add_later, args=(make_episode("e-2"),))
            third.start()
            until(lambda: store.gauges()["store/packed"] == 2)
            assert third.is_alive()
            assert store.gauges()["store/waiting"] == 2
        third.join(DEADLINE)
        until(lambda: store.count() == 3)


def test_waiting_for_room_ends_at_the_deadline(path: Path) -> None:
    with (
        SqliteStore(path, WriterSettings(most_waiting=0, deadline=0.1)) as store,
        pytest.raises(StoreError, match=r"none was finished within 0\.1 s"),
    ):
        store.add_later(make_episode())


def test_a_screen_that_is_never_drawn_costs_its_own_episode_only(path: Path) -> None:
    released = threading.Event()

    def draw() -> Pixels:
        released.wait(DEADLINE)
        return make_screen(0)

    stuck = replace(
        make_episode("stuck"), final=replace(make_observation(1), picture=Picture(draw))
    )
    with SqliteStore(path, IMPATIENT) as store:
        first, second = store.add_later(stuck), store.add_later(make_episode("e-2"))
        assert "'stuck' was not packed within 1.0 s" in str(first.exception(DEADLINE))
        second.result(DEADLINE)
        released.set()
        assert list(store.ids()) == ["e-2"]


def test_a_closed_store_says_so(filled: Path) -> None:
    reader = StoreReader(filled)
    episode = reader.get("e-1")
    reader.close()
    reader.close()
    with pytest.raises(StoreError, match=r"episodes\.sqlite: the episode store is closed"):
        reader.count()
    assert episode.steps[0].observation.screen.shape == (20, 9, 3)  # what was given stays whole


# Small: what repeats is kept once.


@pytest.mark.parametrize(("codec", "start"), [("png", b"\x89PNG"), ("webp", b"RIFF")])
def test_screens_are_kept_in_the_codec_that_was_asked_for(
    path: Path, codec: Literal["png", "webp"], start: bytes
) -> None:
    with SqliteStore(path, WriterSettings(codec=codec)) as opened:
        for place in range(3):
            opened.add(make_episode(f"e-{place}", seed=10 * place))
    with closing(sqlite3.connect(path)) as database:
        kept = [data for (data,) in database.execute("SELECT data FROM pictures")]
    assert len(kept) == 12
    assert {data[:4] for data in kept} == {start}
    if codec == "webp":
        assert {data[8:16] for data in kept} == {b"WEBPVP8L"}  # the lossless kind


def test_a_screen_that_shows_again_is_kept_once(store: SqliteStore) -> None:
    steps = tuple(make_step(4) for _ in range(5))
    store.add(replace(make_episode("e-1"), steps=steps, final=make_observation(4)))
    store.add(replace(make_episode("e-2"), steps=(*steps, make_step(5)), final=None))
    assert rows(store.path, "pictures") == 2
    for found in ("e-1", "e-2"):
        np.testing.assert_array_equal(store.get(found).steps[3].observation.screen, make_screen(4))


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The digests of the screens that were encoded."""
    digests: list[bytes] = []
    encode = picture_codec.encode

    def counting(screen: Pixels, codec: picture_codec.Codec) -> bytes:
        digests.append(picture_codec.digest_of(screen))
        return encode(screen, codec)

    monkeypatch.setattr(picture_codec, "encode", counting)
    return digests


def test_a_screen_is_encoded_once(store: SqliteStore, encoded: list[bytes]) -> None:
    steps = (make_step(1), make_step(1), make_step(2), make_step(1))
    for place in range(3):
        store.add(replace(make_episode(f"e-{place}"), steps=steps, final=make_observation(2)))
    assert len(encoded) == len(set(encoded)) == 2


def test_the_memory_of_screens_that_are_kept_is_bounded(
    store: SqliteStore, encoded: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_KNOWN", 3)
    for place in range(3):  # four screens are too many to remember: the third has to encode again
        store.add(make_episode(f"e-{place}", seed=1, steps=3))
    assert (len(encoded), len(set(encoded))) == (8, 4)
    assert rows(store.path, "pictures") == 4
    store.verify()


def test_a_screen_of_a_failed_commit_is_not_taken_for_kept(path: Path) -> None:
    with SqliteStore(path, IMPATIENT) as store:
        with held_by_somebody_else(path):
            assert store.add_later(make_episode("e-1")).exception(DEADLINE) is not None
        store.add_later(make_episode("e-2")).result(DEADLINE)
        assert_equal(store.get("e-2"), make_episode("e-2"))
        store.verify()


def test_a_screen_of_an_episode_that_was_there_already_is_not_taken_for_kept(
    store: SqliteStore,
) -> None:
    store.add(make_episode("e-1", seed=1))
    store.add(make_episode("e-1", seed=50))
    store.add(make_episode("e-2", seed=50))
    assert_equal(store.get("e-2"), make_episode("e-2", seed=50))


def test_a_learner_never_touches_what_was_seen(filled: Path) -> None:
    with StoreReader(filled) as reader:
        sql(filled, "ALTER TABLE pictures RENAME TO away", "DELETE FROM screens")
        read = reader.read_after(0, 10)
        assert [episode.id for _, episode in read] == ["e-0", "e-1", "e-2"]
        assert read[2][1].steps[1].inputs == make_step(21).choice.inputs
        with pytest.raises(StoreError, match="with 0 screens"):
            reader.get("e-0")


@pytest.mark.parametrize(
    "question",
    [
        "SELECT id FROM episodes WHERE task_id = 'x'",
        "SELECT outcome, count(*) FROM episodes WHERE suite = 'x' AND split = 'y' GROUP BY outcome",
        "SELECT id FROM episodes WHERE template = 'x'",
        "SELECT id FROM episodes WHERE outcome = 'x'",
        "SELECT id FROM episodes WHERE device = 'x'",
        "SELECT id FROM episodes ORDER BY started DESC LIMIT 10",
        "SELECT id FROM episodes ORDER BY ended DESC LIMIT 10",
        "SELECT id FROM episodes WHERE min_version < 5",
        "SELECT max(max_version) FROM episodes",
        "SELECT id FROM episodes WHERE reward > 0",
        "SELECT id FROM episodes WHERE steps > 10",
    ],
)
def test_what_a_dashboard_asks_is_answered_from_an_index(filled: Path, question: str) -> None:
    with closing(sqlite3.connect(filled)) as database:
        plan = " ".join(row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {question}"))
    assert "INDEX episodes_by_" in plan


# Honest: what is damaged is refused, by name.


def write_garbage(path: Path) -> None:
    path.write_bytes(b"these are not the episodes " * 1000)


def cut_off(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def overwrite_the_middle(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "garbage": (write_garbage, "not an episode store"),
    "half of it": (cut_off, "damaged"),
    "overwritten": (overwrite_the_middle, "damaged"),
    "another format": (lambda p: sql(p, "PRAGMA user_version = 9"), "written in format 9"),
    "another application": (lambda p: sql(p, "PRAGMA application_id = 1"), "not an episode store"),
}


@pytest.mark.parametrize("opening", [StoreReader, SqliteStore])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name(
    filled: Path, damage: str, opening: Callable[[Path], StoreReader]
) -> None:
    spoil, reason = DAMAGES[damage]
    spoil(filled)
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=reason) as caught:
        opening(filled)
    assert str(caught.value).startswith(f"{filled}: ")
    assert filled.read_bytes() == before  # nobody tried to mend it


@pytest.mark.parametrize("opening", [StoreReader, SqliteStore])
def test_a_folder_is_refused_by_name(
    tmp_path: Path, opening: Callable[[Path], StoreReader]
) -> None:
    with pytest.raises(StoreError) as caught:
        opening(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}: ")


def test_a_file_in_the_place_of_the_folder_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("not a folder")
    with pytest.raises(StoreError, match=r"run.episodes\.sqlite: "):
        SqliteStore(tmp_path / "run" / "episodes.sqlite")


def test_a_reader_does_not_make_what_is_missing(path: Path) -> None:
    with pytest.raises(StoreError, match="there is no episode store"):
        StoreReader(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("DELETE FROM trajectories WHERE episode = 2", "of 3 steps, 0 are there"),
        ("DELETE FROM screens WHERE episode = 2", "with 0 screens"),
        ("DELETE FROM pictures", "is not there"),
        ("DELETE FROM pieces", "is not there"),
        ("UPDATE pieces SET data = X'00FF'", "cannot be read"),
        ("UPDATE pieces SET data = substr(data, 1, 20)", "cut off"),
        ("UPDATE pieces SET data = (SELECT max(data) FROM pieces)", "is something else"),
        ("UPDATE pictures SET data = X'00FF'", "cannot be read"),
        ("UPDATE pictures SET data = (SELECT max(data) FROM pictures)", "shows something else"),
        ("UPDATE screens SET data = CAST(data || X'00' AS BLOB)", "checksum"),
        ("UPDATE trajectories SET data = X''", "checksum"),
        ("UPDATE episodes SET head = CAST(substr(head, 2) AS BLOB)", "checksum"),
        ("UPDATE episodes SET reward = 7.0", "columns"),
        ("UPDATE episodes SET outcome = 'won'", "a row is damaged"),
    ],
)
def test_damage_inside_is_found_and_named(filled: Path, change: str, reason: str) -> None:
    sql(filled, change)
    with StoreReader(filled) as reader, pytest.raises(StoreError, match=reason) as caught:
        reader.verify()
    assert str(caught.value).startswith(f"{filled}: ")


def test_any_flipped_byte_gives_a_store_error_or_does_no_harm(filled: Path, tmp_path: Path) -> None:
    whole = filled.read_bytes()
    wanted = [make_episode(f"e-{place}", seed=10 * place) for place in range(3)]
    used = [place for place, byte in enumerate(whole) if byte]
    rng = Random(5)
    refused = 0
    for place in range(200):
        spoiled = bytearray(whole)
        spoiled[rng.choice(used)] ^= 1 << rng.randrange(8)
        copy = tmp_path / f"copy-{place}.sqlite"
        copy.write_bytes(spoiled)
        try:
            with StoreReader(copy) as reader:
                reader.verify()
                for episode in wanted:
                    assert_equal(reader.get(episode.id), episode)
        except StoreError as error:
            assert str(error).startswith(f"{copy}: ")
            refused += 1
    assert refused > 150
