"""Setting up and judging."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class JudgeResult:
    success: bool
    clean: bool
    progress: float
    warnings: list[dict[str, Any]]
    judge_error: str | None = None


class Controller:
    @staticmethod
    async def setup(env: Any, task: Any, eval_mode: str = "text") -> tuple[Any, dict[str, Any]]:
        assert eval_mode == "grounded"
        return await task.setup(env), {}


class Evaluator:
    def __init__(self, judge_mode: str = "auto", eval_mode: str = "text") -> None:
        assert (judge_mode, eval_mode) == ("state", "grounded")

    async def evaluate(self, task: Any, init_obs: Any, last_obs: Any, played: Any) -> JudgeResult:
        if task.name == "JudgeFails":
            return JudgeResult(False, True, 0.0, [], "no such contact")
        apps, before = last_obs.state["apps"], init_obs.state["apps"]
        success = task.reached(apps, last_obs.route, played.agent_answer)
        changed = [app for app in apps if apps[app] != before[app] and app not in task.apps]
        warnings = [{"field": f"apps.{app}"} for app in changed]
        return JudgeResult(success, not changed, float(success), warnings)
