from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.packages import write_example, write_package

from distrl.clock import VirtualClock
from distrl.config import RunConfig
from distrl.config.load import check
from distrl.errors import ConfigError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.monitor.trackers import open_trackers

BROKEN = """
class Broken:
    def __init__(self, context):
        if context.options:
            raise OSError("no server")

    def record(self, numbers, *, step):
        raise ZeroDivisionError("out of ink")

    def close(self):
        pass
"""


def with_trackers(trackers: Mapping[str, Mapping[str, object]]) -> RunConfig:
    return check({"monitor": {"tensorboard": False, "trackers": trackers}})


def test_the_tracker_of_the_example_gets_all_numbers_of_a_run(site: Path, tmp_path: Path) -> None:
    name = write_example(site, "tracker")
    run = tmp_path / "run"
    run.mkdir()
    config = with_trackers({name: {"file": "told.txt"}})
    hub = MetricsHub(run, config, VirtualClock(), tell=pytest.fail)
    hub.collect({"collect/episodes": 2}, step=2)
    hub.evaluate({"evaluate/success/general/val": 0.5}, step=3)
    hub.close()
    assert (run / "told.txt").read_text().splitlines() == [
        "2 collect/episodes 2",
        "3 evaluate/success/general/val 0.5",
    ]


@pytest.mark.parametrize(
    ("options", "error"), [({}, "ZeroDivisionError"), ({"server": "far"}, "OSError")]
)
def test_a_broken_tracker_is_switched_off_and_the_others_go_on(
    options: dict[str, object],
    error: str,
    site: Path,
    tmp_path: Path,
) -> None:
    write_package(site, "odd-ones", {"distrl.trackers": {"odd": "odd:Broken"}}, {"odd": BROKEN})
    name = write_example(site, "tracker")
    told: list[str] = []
    (tmp_path / "run").mkdir()
    trackers = open_trackers(
        tmp_path / "run", with_trackers({"odd": options, name: {}}), told.append
    )
    for step in range(2):
        for tracker in trackers:
            tracker.record({"loss": 1.0}, step=step)
    for tracker in trackers:
        tracker.close()
    (message,) = told
    assert message.startswith(f"odd is switched off after an error: {error}")
    assert (tmp_path / "run" / "numbers.txt").read_text() == "0 loss 1\n1 loss 1\n"


def test_a_tracker_that_nobody_offers_is_answered_with_the_nearest(
    site: Path,
    tmp_path: Path,
) -> None:
    write_example(site, "tracker")
    with pytest.raises(ConfigError, match=r"unknown tracker 'lnies'; did you mean 'lines'\?"):
        open_trackers(tmp_path, with_trackers({"lnies": {}}), pytest.fail)


def test_built_in_trackers_have_switches_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"wandb is switched on by monitor\.wandb"):
        open_trackers(tmp_path, with_trackers({"wandb": {}}), pytest.fail)


def test_what_makes_no_monitor_is_refused(site: Path, tmp_path: Path) -> None:
    write_package(site, "odd-ones", {"distrl.trackers": {"odd": "odd:made"}}, {"odd": "made = str"})
    with pytest.raises(ConfigError, match=r"odd-ones 0\.1 .* which is no Monitor"):
        open_trackers(tmp_path, with_trackers({"odd": {}}), pytest.fail)
