from __future__ import annotations

from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.run.virtual.cost import measured_cost, read_cost
from distrl.run.virtual.engine import VirtualSettings


def test_virtual_runs_cost_what_was_measured() -> None:
    cost, settings = measured_cost(), VirtualSettings(seconds=1.0)
    assert settings.learn_seconds == cost.learn_seconds
    assert settings.decide_seconds == cost.decide_seconds
    assert 0.0 < cost.learn_seconds < 0.1
    assert cost.steps > 100
    assert cost.command == "distrl bench cost --write"


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "cost.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"cost\.json cannot be read"):
        read_cost(tmp_path / "cost.json")
