from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.config import RunConfig, load_run_config
from distrl.run.state.folder import RunFolder, create_run
from distrl.web.runs import Run, Runs, State
from distrl.web.runs_page import summary as module
from distrl.web.runs_page.summary import RunSummary, Summaries, read_summary

NOBODY = 65534


@pytest.fixture
def made(tmp_path: Path) -> Path:
    config = load_run_config("quickstart", ["algorithm.name=ppo", "seed=3"])
    return make_synthetic_run(tmp_path / "runs" / "one", 60, config=config, reaches=0.7).root


def read(root: Path) -> RunSummary:
    return read_summary(Run(root.name, root))


def test_a_line_has_what_the_small_files_of_a_run_say(made: Path) -> None:
    line = read(made)
    assert (line.run, line.state, line.problems) == ("one", State.FINISHED, ())
    assert (line.suite, line.split, line.recipe) == ("general", "test", "quickstart +1")
    assert (line.engine, line.policy, line.algorithm, line.seed) == ("local", "pointer", "ppo", 3)
    assert (line.episodes, line.updates, line.evaluated) == (60, 5, 128)
    assert line.minutes == pytest.approx(0.1)
    assert line.started == pytest.approx((made / "config.yaml").stat().st_mtime)
    assert line.before is not None
    assert line.after is not None
    assert line.after_low is not None
    assert line.after_high is not None
    assert line.before < line.after_low < line.after < line.after_high
    assert line.side_effects is not None
    assert line.false_complete == pytest.approx(1 - line.after)
    assert (line.checkpoint, len(line.weights or "")) == ("step-6", 64)
    assert line.collecting is not None


def test_a_run_that_somebody_runs_is_running_and_one_that_nobody_does_has_stopped(
    tmp_path: Path,
) -> None:
    root = create_run(tmp_path / "run", RunConfig()).root
    summaries, run = Summaries(), Run("run", root)
    assert summaries.of(run).state is State.STOPPED
    with RunFolder(root).lock("run"):
        assert summaries.of(run).state is State.RUNNING
    assert summaries.of(run).state is State.STOPPED


def test_runs_come_newest_first(tmp_path: Path) -> None:
    for number, name in enumerate(("b", "c", "a")):
        config = create_run(tmp_path / name, RunConfig()).config
        os.utime(config, (1000.0 * number, 1000.0 * number))
    assert [line.run for line in Summaries().of_all(Runs([tmp_path]))] == ["a", "c", "b"]


def test_files_that_did_not_change_are_not_read_again(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summaries, run, reads = Summaries(), Run("one", made), []

    def counting(found: Run) -> RunSummary:
        reads.append(found.name)
        return read_summary(found)

    monkeypatch.setattr(module, "read_summary", counting)
    for _ in range(3):
        summaries.of(run)
    assert reads == ["one"]
    noted = json.loads((made / "progress.json").read_text())
    (made / "progress.json").write_text(json.dumps({**noted, "seconds": 600.0}))
    assert summaries.of(run).minutes == 10.0
    assert summaries.of(run).minutes == 10.0
    assert reads == ["one", "one"]


def test_new_episodes_are_counted_while_they_are_in_the_write_ahead_log(made: Path) -> None:
    summaries, run = Summaries(), Run("one", made)
    assert summaries.of(run).episodes == 60
    database = sqlite3.connect(made / "episodes.sqlite")
    names = [row[1] for row in database.execute("PRAGMA table_info(episodes)")]
    kept = ", ".join(name for name in names if name not in ("number", "id"))
    database.execute(
        f"INSERT INTO episodes (id, {kept}) SELECT 'new', {kept} FROM episodes LIMIT 1"  # noqa: S608 - names of columns
    )
    database.commit()
    assert summaries.of(run).episodes == 61
    database.close()


def bad_store(root: Path) -> None:
    (root / "episodes.sqlite").write_bytes(b"this is no database at all" * 100)


def bad_settings(root: Path) -> None:
    (root / "config.yaml").write_text("seed: [")


def half_written(root: Path) -> None:
    path = root / "progress.json"
    path.write_bytes(path.read_bytes()[:40])


def removed(root: Path) -> None:
    shutil.rmtree(root)


def folder_for_file(root: Path) -> None:
    path = root / "metrics" / "collect.jsonl"
    path.unlink()
    path.mkdir()


DAMAGES = [
    (bad_store, "not an episode store"),
    (bad_settings, "not YAML"),
    (half_written, "progress.json cannot be read"),
    (removed, "is no longer there"),
    (folder_for_file, "collect.jsonl cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_a_run_that_is_damaged_while_it_is_shown_is_broken_and_says_why(
    made: Path, damage: Callable[[Path], None], said: str
) -> None:
    other = create_run(made.parent / "other", RunConfig()).root
    runs, summaries = Runs([made.parent]), Summaries()
    assert {line.state for line in summaries.of_all(runs)} == {State.FINISHED, State.STOPPED}
    damage(made)
    runs.look()
    lines = {line.run: line for line in summaries.of_all(runs)}
    assert lines["one"].state is State.BROKEN
    (problem,) = lines["one"].problems
    assert said in problem
    assert (lines[other.name].state, lines[other.name].problems) == (State.STOPPED, ())


def test_a_key_that_this_version_does_not_know_breaks_nothing(made: Path) -> None:
    path = made / "config.yaml"
    path.write_text(path.read_text() + "quantum: {flux: 3}\n")
    line = read(made)
    assert (line.state, line.seed, line.recipe) == (State.FINISHED, 3, "quickstart +1")


def test_an_empty_folder_is_no_run_and_keeps_nobody_from_being_listed(made: Path) -> None:
    (made.parent / "empty").mkdir()
    assert [line.run for line in Summaries().of_all(Runs([made.parent]))] == ["one"]


def test_figures_of_another_shape_are_left_out(made: Path) -> None:
    for noted in (
        {"after": 3},
        {"after": {"overall": [1]}},
        {"after": {"overall": {"success": "much", "low": 0.1, "high": 0.2}}},
        {"after": {"overall": {"success": 7, "low": 0.1, "high": 0.2}}, "episodes": True},
        {"after": {"overall": {"success": 10**400, "low": 0, "high": 1}}, "seconds": "many"},
    ):
        (made / "progress.json").write_text(json.dumps(noted))
        line = read(made)
        assert (line.after, line.problems) == (None, ())


def test_a_failure_that_nobody_thought_of_stays_with_its_run(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run("one", made)

    def fail() -> None:
        raise RuntimeError("cosmic ray")

    monkeypatch.setattr(run, "checkpoints", fail)
    line = read_summary(run)
    assert line.state is State.BROKEN
    assert "cosmic ray" in line.problems[0]


@pytest.fixture
def forbidden(made: Path) -> Iterator[Path]:
    """A folder of two runs, one of which we may not look into; tests may be run by root."""
    parent = Path(tempfile.mkdtemp(prefix="distrl-test-"))
    shutil.copytree(made, parent / "secret")
    create_run(parent / "open", RunConfig())
    is_root = os.geteuid() == 0
    parent.chmod(0o755)
    (parent / "secret").chmod(0o000)
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield parent
    finally:
        if is_root:
            os.seteuid(0)
        (parent / "secret").chmod(0o755)
        shutil.rmtree(parent)


def test_a_folder_that_we_may_not_look_into_is_listed_and_says_so(forbidden: Path) -> None:
    lines = {line.run: line for line in Summaries().of_all(Runs([forbidden]))}
    assert lines["secret"].state is State.BROKEN
    assert "Permission denied" in lines["secret"].problems[0]
    assert (lines["open"].state, lines["open"].problems) == (State.STOPPED, ())
