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
