"""A benchmark as BrowserGym's packages are: it registers its tasks when it is imported."""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import gymnasium
import pytest

PAGE = """<title>Mail</title><body style="margin:0">
<input placeholder="To"><button onclick="this.textContent = 'Sent'">Send</button></body>"""


class ToyTask:
    """Done when the button was pressed."""

    torn_down: list[int] = []  # noqa: RUF012 - seen by tests, emptied by the fixture

    def __init__(self, seed: int, name: str) -> None:
        self.seed, self.name = seed, name
        self.viewport = {"width": 300, "height": 200}
        self.timeout, self.locale, self.timezone_id = 2000, None, None

    def setup(self, page: Any) -> tuple[Any, dict[str, Any]]:
        if self.name == "broken":
            raise KeyError("no such record")
        page.set_content(PAGE)
        return [{"type": "text", "text": f"Mail number {self.seed}"}], {}

    def validate(self, page: Any, chat: list[dict[str, Any]]) -> tuple[float, bool, str, Any]:
        said = (chat[-1]["role"], chat[-1]["message"])
        wanted = {"ask": ("assistant", "42"), "refuse": ("infeasible", "")}.get(self.name)
        if wanted is not None:
            return float(said == wanted), said[0] != "user", "", {}
        if self.name == "confused":
            raise KeyError("no such state")
        sent = page.get_by_text("Sent").count() == 1
        return (0.0 if self.name == "lost" else 1.0) * sent, sent, "", {}

    def teardown(self) -> None:
        self.torn_down.append(self.seed)


NAMES = ("press", "ask", "refuse", "broken", "confused", "lost")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `browsergym.toy` and `browsergym.miniwob` importable, both with the tasks above."""
    from distrl.tasks.browsergym.referee import make_task
    from distrl.tasks.suites import load_suite

    for module in ("browsergym", "browsergym.toy", "browsergym.miniwob"):
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
    for benchmark in ("toy", "miniwob"):
        for name in NAMES:
            made = SimpleNamespace(task_entrypoint=ToyTask, task_kwargs={"name": name})
            spec = gymnasium.envs.registration.EnvSpec(
                f"browsergym/{benchmark}.{name}", entry_point=partial(_Wrapped, made)
            )
            monkeypatch.setitem(gymnasium.registry, spec.id, spec)
    ToyTask.torn_down.clear()
    load_suite.cache_clear()
    make_task.cache_clear()


class _Wrapped(gymnasium.Env[Any, Any]):
    """What BrowserGym registers: an environment that knows how its task is made."""

    def __init__(self, made: Any) -> None:
        self.task_entrypoint, self.task_kwargs = made.task_entrypoint, made.task_kwargs
        self.observation_space = self.action_space = gymnasium.spaces.Discrete(1)
