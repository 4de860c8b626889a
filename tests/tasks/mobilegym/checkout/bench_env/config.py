"""How many steps a task has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class RunnerConfig:
    agent: str
    model_name: str

    def get_max_steps(self, task: Any) -> int:
        return {"L1": 15, "L2": 30}[task.difficulty]
