"""MobileGym's own runner on its own environment: Playwright's Chromium, its delays, its judge."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from distrl.bench.mobilegym.recordings import Move, Patch
from distrl.devices.browser.chromium import find_chromium
from distrl.tasks.mobilegym.checkout import EVAL_MODE, MobileGymCheckout
from distrl.types import Action, Key, Kind, Task

_KEYS = {Key.BACK: "BACK", Key.HOME: "HOME", Key.RECENTS: "RECENT", Key.ENTER: "ENTER"}
_EPISODE_SECONDS = 300.0
DELAY_SECONDS = 1.0
"""Its runner's default wait after an action."""


@dataclass(frozen=True, slots=True)
class OwnEpisode:
    """What its runner says of an episode."""

    passed: bool
    success: bool
    clean: bool
    progress: float
    error: str
    steps: int
    """Actions before the declared end."""
    setup_seconds: float
    seconds: float
    """Of those, each with its picture; without set-up and judging."""


class _Player:
    """Does in its runner what was recorded; what it needs of an agent, by its names."""

    name = "recorded"
    history: Sequence[Any] = ()
    config = SimpleNamespace(info_reply=None)

    def __init__(self, module: Any, env: Any, moves: Sequence[Move]) -> None:
        self._module, self._env, self._left = module, env, list(moves)
        self._loop = asyncio.get_running_loop()
        self.began = self.ended = 0.0
        """When the first action was asked for, and the declared end."""
        self._patching = 0.0

    @property
    def seconds(self) -> float:
        """Of the actions before the declared end."""
        return self.ended - self.began - self._patching

    def reset(self, task: str) -> None:  # noqa: ARG002 - its runner tells the goal
        self.began = time.perf_counter()

    def reset_history(self) -> None:
        """There is none."""

    def act(self, shown: Any) -> Any:  # noqa: ARG002 - what to do was decided elsewhere
        asked = time.perf_counter()
        while isinstance(move := self._left.pop(0), Patch):
            changing = self._env.set_state(move.state, deep=True, reload=False)
            asyncio.run_coroutine_threadsafe(changing, self._loop).result(_EPISODE_SECONDS)
        self.ended = time.perf_counter()
        self._patching += self.ended - asked
        return translated(self._module, move)


def translated(module: Any, action: Action) -> Any:
    """One of our actions as one of its own."""
    point, end = [1000 * action.x, 1000 * action.y], [1000 * action.x2, 1000 * action.y2]
    kinds = module.ActionType
    match action.kind:
        case Kind.TAP:
            return module.Action(kinds.CLICK, {"point": point})
        case Kind.SWIPE:
            return module.Action(kinds.SWIPE, {"point1": point, "point2": end})
        case Kind.TYPE:
            return module.Action(kinds.TYPE, {"value": action.text})
        case Kind.PRESS:
            assert action.key is not None
            return module.Action(kinds[_KEYS[action.key]], {})
        case Kind.COMPLETE:
            return module.Action(kinds.COMPLETE, {"return": ""})
    raise AssertionError(f"no recording has {action.kind}")


class OwnRunner:
    """Plays recordings, as many at a time as it has pages. Use inside `running`."""

    def __init__(self, checkout: MobileGymCheckout, url: str, browser: Any, delay: float) -> None:
        self._checkout, self._url, self._browser, self._delay = checkout, url, browser, delay
        self._envs: list[Any] = []

    async def open(self, pages: int) -> None:
        """Have this many pages."""
        kind = self._checkout.module("env.mobile_gym").MobileGymEnv
        while len(self._envs) < pages:
            env = kind(
                url=self._url,
                browser=self._browser,
                headless=True,
                delay_after_action=self._delay,
                verbose=False,
            )
            await env.start()
            self._envs.append(env)

    async def play(self, task: Task, moves: Sequence[Move], *, page: int = 0) -> OwnEpisode:
        """One episode, judged by its own runner."""
        runner, module = self._checkout.module("runner.base"), self._checkout.module("env.base")
        env = self._envs[page]
        running = self._checkout.make(task.template, task.seed)
        player = _Player(module, env, moves)
        began = time.perf_counter()
        judge = runner.Evaluator(judge_mode="state", eval_mode=EVAL_MODE)
        async with asyncio.timeout(_EPISODE_SECONDS):
            played = await runner.BaseRunner.run_episode(
                env, player, running, max_steps=len(moves), evaluator=judge
            )
        said = played.judge
        return OwnEpisode(
            passed=bool(played.success),
            success=bool(said and said.success),
            clean=bool(said and said.clean),
            progress=float(said.progress) if said else 0.0,
            error=played.error or "",
            steps=played.execution.steps - 1,
            setup_seconds=player.began - began,
            seconds=player.seconds,
        )

    async def close(self) -> None:
        """Close the pages."""
        for env in self._envs:
            await env.close()


@asynccontextmanager
async def own_runner(
    checkout: MobileGymCheckout, url: str, *, delay: float = DELAY_SECONDS
) -> AsyncIterator[OwnRunner]:
    """Its runner with a browser of its own, which is the one that we use, too."""
    from playwright.async_api import async_playwright

    logging.getLogger("bench_env").setLevel(logging.ERROR)
    environment = checkout.module("env.mobile_gym").MobileGymEnv
    async with async_playwright() as playwright:
        launched = environment.get_launch_args(True)
        browser = await playwright.chromium.launch(executable_path=find_chromium(), **launched)
        runner = OwnRunner(checkout, url, browser, delay)
        try:
            yield runner
        finally:
            await runner.close()
            await browser.close()
