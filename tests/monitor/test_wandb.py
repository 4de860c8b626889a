import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from distrl.errors import ConfigError
from distrl.monitor import wandb
from distrl.monitor.wandb import WandbMonitor


class FakeRun:
    def __init__(self) -> None:
        self.logged: list[dict[str, float]] = []
        self.axes: dict[str, str] = {}
        self.finish: Any = lambda: None

    def define_metric(self, name: str, step_metric: str) -> None:
        self.axes[name] = step_metric

    def log(self, numbers: dict[str, float]) -> None:
        self.logged.append(numbers)


class FakeWandb(SimpleNamespace):
    """Stands in for the package and keeps what it was called with."""

    def __init__(self) -> None:
        super().__init__(run=FakeRun(), asked={}, Settings=SimpleNamespace)

    def init(self, **asked: Any) -> FakeRun:
        self.asked = asked
        run: FakeRun = self.run
        return run


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> FakeWandb:
    fake = FakeWandb()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    for name in ("WANDB_API_KEY", "WANDB_MODE"):
        monkeypatch.delenv(name, raising=False)
    return fake


def begin(folder: Path) -> WandbMonitor:
    return WandbMonitor("phones", folder, name="run-1", settings={"seed": 3})


def test_a_run_begins_with_its_project_name_and_settings(
    package: FakeWandb, tmp_path: Path
) -> None:
    begin(tmp_path / "run")
    assert package.asked["project"] == "phones"
    assert package.asked["name"] == "run-1"
    assert package.asked["config"] == {"seed": 3}
    assert Path(package.asked["dir"]).is_dir()


@pytest.mark.parametrize(
    ("environment", "mode"),
    [
        ({}, "offline"),
        ({"WANDB_MODE": "online"}, "offline"),
        ({"WANDB_MODE": "disabled"}, "disabled"),
        ({"WANDB_API_KEY": "k"}, None),
        ({"WANDB_API_KEY": "k", "WANDB_MODE": "offline"}, None),
    ],
)
def test_without_a_key_in_the_environment_nothing_is_sent_or_asked(
    package: FakeWandb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    mode: str | None,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    begin(tmp_path)
    assert package.asked["mode"] == mode


def test_numbers_are_drawn_over_the_steps_of_their_own_part(
    package: FakeWandb, tmp_path: Path
) -> None:
    monitor = begin(tmp_path)
    monitor.record({"learn/updates": 8.0, "learn/loss": float("nan")}, step=8)
    monitor.record({"collect/episodes": 40.0}, step=40)
    assert package.run.logged == [
        {"learn/updates": 8.0, "learn/step": 8},
        {"collect/episodes": 40.0, "collect/step": 40},
    ]
    assert package.run.axes == {"learn/*": "learn/step", "collect/*": "collect/step"}


def test_closing_gives_up_after_a_while(
    package: FakeWandb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wandb, "_FINISH_SECONDS", 0.05)
    hang = threading.Event()
    package.run.finish = hang.wait
    with pytest.raises(TimeoutError, match="did not finish"):
        begin(tmp_path).close()
    hang.set()


def test_an_error_while_closing_is_raised_where_it_was_closed(
    package: FakeWandb, tmp_path: Path
) -> None:
    def fail() -> None:
        raise OSError("no network")

    package.run.finish = fail
    with pytest.raises(OSError, match="no network"):
        begin(tmp_path).close()


def test_asking_for_it_without_the_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[wandb\]'"):
        begin(tmp_path)
