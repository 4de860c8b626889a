import json
from pathlib import Path
from typing import Any

import pytest

from distrl.bench import phone
from distrl.bench.phone import PhoneFigures
from distrl.cli.main import main

FIGURES = PhoneFigures(
    steps_per_second=1500.0,
    steps_per_second_cold=900.0,
    steps_per_second_blind=6000.0,
    snapshot_ms=0.0001,
    restore_ms=0.0002,
    restore_observe_ms=0.1,
    memory_mb_256=200.0,
    episodes=1100,
)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a measurement was asked for; it returns at once."""
    seconds: list[float] = []

    def measure(given: float) -> PhoneFigures:
        seconds.append(given)
        return FIGURES

    monkeypatch.setattr(phone, "measure_phone", measure)
    return seconds


def test_json_has_the_promised_keys(asked: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "phone", "--json", "--seconds", "2.5"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {
        *("steps_per_second", "steps_per_second_blind"),
        *("snapshot_ms", "restore_ms", "memory_mb_256"),
    } <= set(figures)
    assert figures["steps_per_second"] == 1500.0
    assert asked == [2.5]


def test_the_table_says_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "phone"]) == 0
    shown = capsys.readouterr().out
    assert "1500.000" in shown
    assert "1100 oracle episodes of training tasks, recorded beforehand" in shown


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["fone"], "did you mean 'phone'?"),
        (["phone", "--second", "3"], "did you mean '--seconds'?"),
        (["phone", "--seconds", "0"], "above 0"),
        (["phone", "--seconds", "nan"], "above 0"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *argv]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("misclassified", "code"), [(0, 0), (1, 1)])
def test_faults_have_the_promised_keys(
    misclassified: int,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from distrl.bench.android import faults

    row = faults.FaultRow(
        fault="reboot", cause="rebooted", tried=3, misclassified=misclassified, late=0,
        seconds=1.0, taken_for="",
    )  # fmt: skip
    figures = faults.FaultFigures(
        tried=3, misclassified=misclassified, void_trained=0, late=0, leaked=0,
        neighbour_loss=0.01, unrecovered=0, rows=(row,),
    )  # fmt: skip
    monkeypatch.setattr(faults, "measure_faults", lambda repeats: figures)
    assert main(["bench", "faults", "--json", "--repeats", "3"]) == code
    found = json.loads(capsys.readouterr().out)
    assert {"tried", "misclassified", "void_trained", "late", "leaked", "neighbour_loss"} <= set(
        found
    )
    assert found["rows"][0]["fault"] == "reboot"
    assert main(["bench", "faults"]) == code
    assert "reboot" in capsys.readouterr().out
    assert main(["bench", "faults", "--repeats", "0"]) == 2


def test_adb_has_the_promised_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from distrl.bench.android import adb

    figures = adb.AdbFigures(
        overhead_ms=1.0, step_ms=2.0, steps_per_second_1=3.0, steps_per_second_8=4.0,
        steps_per_second_32=5.0,
    )  # fmt: skip
    monkeypatch.setattr(adb, "measure_adb", lambda seconds: figures)
    assert main(["bench", "adb", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["overhead_ms"], found["steps_per_second_32"]) == (1.0, 5.0)
    assert main(["bench", "adb", "--seconds", "0"]) == 2


KILLED = {
    "kills": 1, "lost": 0, "doubled": 0, "orphans": 0, "went_back": 0, "slowest_s": 60.0,
}  # fmt: skip
CUT_OFF = {
    "network": "loopback", "hosts": 3, "kills": 6, "lost": 0, "doubled": 0, "went_back": 0,
    "throughput": 0.9, "recovered_s": 10.0, "baseline_steps_per_second": 9.0,
    "steps_per_second": 8.0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("killed", "cut_off", "told"),
    [
        ({}, {}, ""),
        ({"lost": 1}, {}, "1 acknowledged episodes were lost"),
        ({}, {"lost": 2}, "2 acknowledged episodes were lost"),
        ({"doubled": 1}, {}, "more than once"),
        ({}, {"went_back": 1}, "went back 1 times"),
        ({"orphans": 3}, {}, "3 processes were left behind"),
        ({"slowest_s": 60.1}, {}, "after 60.1 s, not within 60"),
        ({}, {"throughput": 0.899}, "not 0.9"),
        ({}, {"recovered_s": 10.1}, "after 10.1 s, not within 10"),
    ],
)
def test_what_a_cluster_did_not_survive_is_told_and_ends_with_1(
    killed: dict[str, Any],
    cut_off: dict[str, Any],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    pytest.importorskip("ray")
    from distrl.bench.cluster import chaos as cluster_chaos

    row = cluster_chaos.KillRow(
        victim="gcs", again=True, training_after_s=1.0, after_kill_s=2.0, orphans=0
    )
    kills = cluster_chaos.KillFigures(**{**KILLED, **killed}, rows=(row,))
    off = cluster_chaos.CutOffFigures(**{**CUT_OFF, **cut_off})
    monkeypatch.setattr(cluster_chaos, "measure_kills", lambda each: kills)
    monkeypatch.setattr(cluster_chaos, "measure_cut_off", lambda seconds: off)
    out = tmp_path / "chaos"
    line = ["bench", "cluster", "--chaos", "--json", "--out", str(out)]
    assert main(line) == (1 if told else 0)
    assert json.loads((out / "summary.json").read_text("utf-8"))["rows"]
    said = capsys.readouterr()
    assert json.loads(said.out)["orphans"] == kills.orphans
    assert said.err.count("\n") == bool(told)
    assert told in said.err


def made(kind: type[Any], **values: object) -> Any:
    """Figures of a bench that nobody ran: 1 for every number that is not given."""
    return kind(**{name: values.get(name, 1) for name in kind.__dataclass_fields__})


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ({"kills": 3, "resumed": 3, "lost": 0, "doubled": 0}, 0),
        ({"kills": 3, "resumed": 3, "lost": 1, "doubled": 0}, 1),
        ({"kills": 3, "resumed": 3, "lost": 0, "doubled": 1}, 1),
        ({"kills": 3, "resumed": 2, "lost": 0, "doubled": 0}, 1),
    ],
)
def test_chaos_ends_with_1_when_a_killed_run_lost_doubled_or_did_not_resume(
    found: dict[str, int],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from distrl.bench import chaos

    asked: list[tuple[int, int]] = []

    def measure(*, kills: int, seed: int) -> chaos.ChaosFigures:
        asked.append((kills, seed))
        figures: chaos.ChaosFigures = made(chaos.ChaosFigures, **found)
        return figures

    monkeypatch.setattr(chaos, "measure_chaos", measure)
    assert main(["bench", "chaos", "--kills", "3", "--seed", "5", "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert {*found, "acknowledged", "stored", "updates", "seconds"} == set(told)
    assert asked == [(3, 5)]


@pytest.mark.parametrize(("lost", "code"), [(0, 0), (2, 1)])
def test_a_cluster_is_measured_as_asked_and_ends_with_1_when_an_episode_was_lost(
    lost: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray")
    from distrl.bench.cluster import speed as cluster

    asked: list[tuple[float, float, int]] = []
    row = made(cluster.PublishFigures, engine="ray")

    def measure(*, seconds: float, step_seconds: float, publishes: int) -> cluster.ClusterFigures:
        asked.append((seconds, step_seconds, publishes))
        figures: cluster.ClusterFigures = made(
            cluster.ClusterFigures, lost=lost, doubled=0, rows=(row,)
        )
        return figures

    monkeypatch.setattr(cluster, "measure_cluster", measure)
    line = ["bench", "cluster", "--seconds", "9", "--step-ms", "250", "--publishes", "3"]
    assert main([*line, "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert {"ray_over_local", "publish_p95_s_5mb", "lost", "doubled", "rows"} <= set(told)
    assert told["rows"][0]["engine"] == "ray"
    assert main([*line, "--quick"]) == code
    shown = capsys.readouterr().out
    assert "a cluster against one machine" in shown
    assert "ray over local" in shown
    assert asked == [(9.0, 0.25, 3), (15.0, 0.25, 5)]


@pytest.mark.parametrize(("doubled", "code"), [(0, 0), (2, 1)])
def test_light_devices_are_measured_as_asked_and_their_figures_kept(
    doubled: int, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    from distrl.bench.cluster import devices as cluster_devices

    asked: list[tuple[int, float, float]] = []
    row = made(cluster_devices.DevicesRow)

    def measure(devices: int, *, seconds: float, step_seconds: float) -> object:
        asked.append((devices, seconds, step_seconds))
        return made(cluster_devices.DevicesFigures, lost=0, doubled=doubled, rows=(row,))

    monkeypatch.setattr(cluster_devices, "measure_devices", measure)
    line = ["bench", "cluster", "--devices", "1000", "--out", str(tmp_path / "devices")]
    assert main(line) == code
    told = json.loads((tmp_path / "devices" / "summary.json").read_text("utf-8"))
    assert told["command"].startswith("distrl bench cluster --devices 1000")
    assert {"episodes_per_second", "stored_per_second", "memory_mb", "machine"} <= set(told)
    assert main([*line[:4], "--step-ms", "500", "--quick"]) == code
    assert asked == [(1000, 60.0, 2.0), (1000, 15.0, 0.5)]


def test_the_dashboard_has_the_promised_keys_and_its_table_leaves_the_rows_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fastapi")
    from distrl.bench.dashboard import measure

    row = {"watched": 9.0, "alone": 10.0}
    figures = made(measure.DashboardFigures, rows=[row])
    monkeypatch.setattr(measure, "measure_dashboard", lambda **asked: figures)
    assert main(["bench", "dashboard", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"open_s", "filter_s", "list_first_s", "list_s", "cost", "steps_per_second"} <= set(told)
    assert told["rows"] == [row]
    assert main(["bench", "dashboard"]) == 0
    shown = capsys.readouterr().out
    assert "filter s" in shown
    assert "rows" not in shown


def test_a_language_model_is_measured_by_the_named_recipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    from distrl.bench import lm

    asked: list[tuple[str, int, int]] = []

    def measure(recipe: str, *, episodes: int, updates: int) -> lm.LmFigures:
        asked.append((recipe, episodes, updates))
        figures: lm.LmFigures = made(lm.LmFigures)
        return figures

    monkeypatch.setattr(lm, "measure_lm", measure)
    assert main(["bench", "lm", "--recipe", "mine.yaml", "--episodes", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"rollout_tokens_per_second", "update_tokens_per_second", "share_generate"} <= set(told)
    assert asked == [("mine.yaml", 2, 6)]


def test_the_browser_has_the_promised_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from distrl.bench import browser

    figures = made(browser.BrowserFigures)
    monkeypatch.setattr(browser, "measure_browser", lambda seconds, log: figures)
    assert main(["bench", "browser", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"over_official_1", "over_official_8", "memory_mb", "reset_ms"} <= set(told)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["chaos", "--kills", "0"], "--kills must be at least 1, got 0"),
        (["cluster", "--seconds", "0"], "--seconds must be above 0, got 0.0"),
        (["cluster", "--step-ms", "-1"], "--step-ms must be above 0, got -1.0"),
        (["cluster", "--publishes", "1"], "--publishes must be at least 2, got 1"),
        (["cluster", "--devices", "0"], "--devices must be at least 1, got 0"),
        (["cluster", "--each", "0"], "--each must be at least 1, got 0"),
        (["dashboard", "--episodes", "999"], "--episodes must be at least 1000, got 999"),
        (["dashboard", "--pairs", "0"], "--pairs must be at least 1, got 0"),
        (["dashboard", "--seconds", "1.5"], "--seconds must be at least 2, got 1.5"),
        (["lm", "--episodes", "0"], "--episodes must be at least 1, got 0"),
        (["lm", "--updates", "0"], "--updates must be at least 1, got 0"),
        (["browser", "--seconds", "nan"], "--seconds must be above 0, got nan"),
    ],
)
def test_a_number_that_does_not_fit_is_told_with_its_limit(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *argv]) == 2
    assert message in capsys.readouterr().err


def test_json_of_dumps_has_the_promised_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    button = '<node class="android.widget.Button" clickable="true" bounds="[0,0][1080,100]"/>'
    (tmp_path / "one.xml").write_text(
        f'<hierarchy><node bounds="[0,0][1080,2400]">{button}</node></hierarchy>'
    )
    assert main(["bench", "dumps", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "screens": 1,
        "failed": 0,
        "empty": 0,
        "clickable": 1,
        "missed_share": 0.0,
        "nameless_share": 1.0,
        "as_text_share": 0.0,
    }


def test_dumps_that_cannot_be_read_are_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.xml").write_text("<hierarchy><node")
    assert main(["bench", "dumps", str(tmp_path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == 1
    assert main(["bench", "dumps", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_seed_of_other_phones_is_not_negative(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "adb", "--tasks", "1", "--seed", "-1"]) == 2
    assert "--seed must be a whole number, from 0" in capsys.readouterr().err
