from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.contracts.store import make_episode

from distrl.config import RunConfig
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.state.folder import RunFolder, create_run
from distrl.types import Outcome
from distrl.web.live_fleet import last_episodes
from distrl.web.runs import Runs


def ended_run(root: Path) -> RunFolder:
    """Two devices: phone-10's newest episode was lost before its first step."""
    folder = create_run(root, RunConfig())
    with SqliteStore(folder.episodes) as store:
        for name, device in (("a", "phone-10"), ("b", "phone-2"), ("c", "phone-2")):
            store.add(replace(make_episode(name), device=device))
        lost = replace(make_episode("d"), device="phone-10", steps=(), final=None)
        store.add(replace(lost, outcome=Outcome.DEVICE_LOST))
        store.add(replace(make_episode("e"), device="phone-3", final=None))
    return folder


def test_the_end_of_the_newest_episode_of_each_device_is_what_is_left(tmp_path: Path) -> None:
    (run,) = Runs([ended_run(tmp_path / "run").root])
    rows = last_episodes(run)
    assert [(row["device"], row["episode"]) for row in rows] == [
        ("phone-2", "c"),
        ("phone-3", "e"),
        ("phone-10", "a"),
    ]
    reader = run.index.reader
    assert reader is not None
    for row in rows:
        whole = reader.get(row["episode"])
        assert row["screen"] == len(whole.steps) - (whole.final is None)
        assert reader.picture(row["episode"], row["screen"])


def test_a_run_that_runs_shows_what_is_live_instead(tmp_path: Path) -> None:
    folder = ended_run(tmp_path / "run")
    (run,) = Runs([folder.root])
    with folder.lock("run"):
        assert last_episodes(run) == []


def test_a_run_without_episodes_or_with_a_damaged_store_has_no_last_screens(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", RunConfig())
    (run,) = Runs([folder.root])
    assert last_episodes(run) == []
    folder.episodes.write_bytes(b"no database" * 1000)
    assert last_episodes(run) == []
