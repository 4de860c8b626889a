import json

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
    from distrl.bench import faults

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
    from distrl.bench import adb

    figures = adb.AdbFigures(
        overhead_ms=1.0, step_ms=2.0, steps_per_second_1=3.0, steps_per_second_8=4.0,
        steps_per_second_32=5.0,
    )  # fmt: skip
    monkeypatch.setattr(adb, "measure_adb", lambda seconds: figures)
    assert main(["bench", "adb", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["overhead_ms"], found["steps_per_second_32"]) == (1.0, 5.0)
    assert main(["bench", "adb", "--seconds", "0"]) == 2
