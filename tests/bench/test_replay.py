from __future__ import annotations

import json
import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from distrl.bench import replay
from distrl.bench.replay import (
    BATCH,
    WIDTHS,
    Contender,
    CpprbBuffer,
    Entry,
    OurBuffer,
    Times,
    import_cpprb,
    make_entries,
    measure_replay,
    measure_size,
)
from distrl.cli.main import main
from distrl.errors import ConfigError

Make = Callable[[int], Contender]


def make_cpprb(size: int) -> Contender:
    pytest.importorskip("cpprb")
    return CpprbBuffer(size)


@pytest.mark.parametrize("make", [OurBuffer, make_cpprb])
def test_both_hand_out_whole_entries_that_were_put_in(make: Make) -> None:
    buffer = make(40)
    entries = make_entries(60, np.random.default_rng(0))
    for entry in entries:
        buffer.add(entry)
    drawn = buffer.sample()
    assert {name: drawn[name].shape for name in WIDTHS} == {
        name: (BATCH, width) for name, width in WIDTHS.items()
    }
    assert drawn["weights"].shape == (BATCH,)
    newest = {float(entry["log_mu"][0]): entry for entry in entries[20:]}
    assert {float(number) for number in drawn["log_mu"][:, 0]} == set(newest)
    for row in range(BATCH):
        entry = newest[float(drawn["log_mu"][row, 0])]
        assert all((drawn[name][row] == entry[name]).all() for name in WIDTHS)


@pytest.mark.parametrize("make", [OurBuffer, make_cpprb])
def test_both_draw_and_weigh_by_the_same_rule(make: Make) -> None:
    """Priority to the power of ALPHA; weights (N * P)^-IMPORTANCE over the largest."""
    buffer = make(2)
    for entry in make_entries(2, np.random.default_rng(0)):
        buffer.add(entry)
    first = float(buffer.sample()["log_mu"][0, 0])
    drawn = buffer.sample()
    priorities = np.where(drawn["log_mu"][:, 0] == first, 16.0, 1.0)
    buffer.update(priorities)
    shares = []
    for _ in range(40):
        batch = buffer.sample()
        often = batch["log_mu"][:, 0] == first
        shares.append(often.mean())
        wanted = np.where(often, 4**-replay.IMPORTANCE, 1.0)
        assert np.allclose(batch["weights"], wanted, rtol=1e-3)
    assert np.mean(shares) == pytest.approx(4 / 5, abs=0.02)


class Counting:
    """A buffer that counts its calls, each of which takes its own time of a pretended clock."""

    def __init__(self, spend: Callable[[float], None], cost: float) -> None:
        self._spend, self._cost = spend, cost
        self.calls = {"add": 0, "sample": 0, "update": 0}

    def _call(self, name: str, times: float) -> None:
        self.calls[name] += 1
        self._spend(times * self._cost)

    def add(self, entry: Entry) -> None:
        self._call("add", 1.0)

    def sample(self) -> Entry:
        self._call("sample", 10.0)
        return {}

    def update(self, priorities: npt.NDArray[np.float64]) -> None:
        assert priorities.shape == (BATCH,)
        self._call("update", 4.0)


def test_figures_are_times_per_call_and_ratios_of_theirs_to_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    def spend(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("distrl.bench.replay.time.perf_counter", lambda: now)
    ours, theirs = Counting(spend, 1e-6), Counting(spend, 3e-6)
    row = measure_size(ours, theirs, size=50, rounds=3)
    assert ours.calls == theirs.calls
    assert (row.insert_us, row.sample_us, row.update_us, row.cycle_us) == pytest.approx(
        (1.0, 10.0, 4.0, 14.0)
    )
    assert row.cpprb_insert_us == pytest.approx(3.0)
    assert row.cpprb_cycle_us == pytest.approx(42.0)
    for ratio in ("inserts", "samples", "updates", "cycles"):
        assert getattr(row, f"{ratio}_over_cpprb") == pytest.approx(3.0)


def test_the_best_of_each_counts() -> None:
    assert Times(1, 5, 3, 9).best(Times(2, 4, 3, 8)) == Times(1, 4, 3, 8)


def test_the_worst_size_is_the_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cpprb")
    monkeypatch.setattr(replay, "SIZES", (300, 600))
    monkeypatch.setattr(replay, "QUICK_ROUNDS", 2)
    assert main(["bench", "replay", "--quick", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [row["entries"] for row in figures["rows"]] == [300, 600]
    for name in ("inserts", "samples", "updates", "cycles"):
        ratios = [row[f"{name}_over_cpprb"] for row in figures["rows"]]
        assert figures[f"{name}_over_cpprb_min"] == min(ratios) > 0
    assert main(["bench", "replay", "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "sample 256" in shown
    assert "268 bytes" in shown


def test_without_cpprb_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cpprb", None)
    with pytest.raises(ConfigError):
        import_cpprb()
    assert main(["bench", "replay", "--json"]) == 2
    shown = capsys.readouterr()
    assert "pip install 'distrl[bench]'" in shown.err
    assert not shown.out


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.timeout(900)
def test_adds_and_samples_are_at_least_as_fast_as_cpprb_s() -> None:
    pytest.importorskip("cpprb")
    figures = measure_replay()
    assert figures.inserts_over_cpprb_min >= 1.0
    assert figures.samples_over_cpprb_min >= 1.0
