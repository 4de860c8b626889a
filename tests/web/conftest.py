"""A run full of made-up episodes that several tests look at; nobody changes its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import make_synthetic_run


@pytest.fixture(scope="session")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs") / "crowded"
    make_synthetic_run(root, 240)
    return root
