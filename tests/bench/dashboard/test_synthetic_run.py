from __future__ import annotations

from pathlib import Path

from distrl.bench.dashboard.synthetic_run import make_synthetic_run, make_synthetic_runs
from distrl.replay.store.reader import StoreReader


def test_a_run_that_has_ended_has_figures_before_and_after(tmp_path: Path) -> None:
    noted = make_synthetic_run(tmp_path / "run", 20, reaches=0.9).progress()
    assert noted["before"]["overall"]["success"] < noted["after"]["overall"]["success"]
    assert "after" not in make_synthetic_run(tmp_path / "other", 20).progress()


def test_a_weeks_runs_are_made_oldest_first_with_seeds_of_their_own(tmp_path: Path) -> None:
    folders = make_synthetic_runs(tmp_path, episodes=20)
    began = [folder.config.stat().st_mtime for folder in folders]
    assert began == sorted(began)
    assert {folder.load_config().seed for folder in folders} == {0, 1, 2, 7}
    with StoreReader(folders[0].episodes) as store:
        assert store.count() == 20
