"""The judge of a run, from its settings, with what it needs for as long as the run lasts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.judging.judging_hook import Judging
from distrl.config import RunConfig
from distrl.config.judges import JUDGE_PARTS, SCRIPTED, JudgeConfig, judge_parts
from distrl.errors import ConfigError
from distrl.interfaces import EpisodeStore
from distrl.run.processes.supervisor import Supervisor
from distrl.services import ChatClient, CostTracker, EndpointSettings, Prices
from distrl.services.scripted_server import ScriptedServer
from distrl.tasks.judges.factory import JudgeContext, make_judge
from distrl.tasks.judges.gullible_model import gullible
from distrl.types import Episode


def require_judge(config: RunConfig) -> None:
    """ConfigError when the judge of a run needs a package that is not there, or cannot be made.

    A plug-in's judge is made once: only the plug-in knows whether it takes its options.
    """
    name = config.judge.name
    if name is None:
        return
    parts = judge_parts(name)
    if "ocr" in parts and find_spec("rapidocr") is None:
        raise ConfigError(f"the judge {name} needs the package rapidocr: pip install 'distrl[ocr]'")
    with ExitStack() as opened:
        context = _context(config, opened, lambda: CostTracker(cap=config.judge.cap))
        for part in parts:
            if part not in JUDGE_PARTS:
                make_judge(part, context)


def _context(
    config: RunConfig, opened: ExitStack, cost_tracker: Callable[[], CostTracker]
) -> JudgeContext:
    """What judges of a run may work with; what they open is closed with `opened`."""
    return JudgeContext(
        phone=config.phone,
        client=lambda: _open_client(config.judge, opened, cost_tracker()),
        options=config.judge.options,
    )


def _open_client(config: JudgeConfig, opened: ExitStack, cost_tracker: CostTracker) -> ChatClient:
    address, model = config.endpoint, config.model
    if address == SCRIPTED:
        server = opened.enter_context(ScriptedServer(gullible))
        address, model = server.base_url, model or SCRIPTED
    settings = EndpointSettings(
        base_url=address,
        model=model,
        key_env=config.key_env,
        attempt_seconds=config.seconds / 2,  # a request that hangs leaves time for another
        total_seconds=config.seconds,
        per_minute=config.per_minute,
        concurrency=config.concurrency,
        prices=Prices(prompt=config.price_prompt, completion=config.price_completion),
    )
    return ChatClient(settings, clock=RealClock(), cost_tracker=cost_tracker)


class RunJudge:
    """The judge that a run's settings ask for, or nobody."""

    def __init__(
        self,
        config: RunConfig,
        store: EpisodeStore,
        *,
        finish: Callable[[Episode], Episode],
        acknowledged: Callable[[Episode], None] = lambda _: None,
        costs: Path | None = None,
    ) -> None:
        """Make the judge. `costs` is a file for what it costs, which counts towards the cap."""
        self.judging: Judging | None = None
        self._cost_tracker: CostTracker | None = None
        self._opened = ExitStack()
        if config.judge.name is None:
            return

        def cost_tracker() -> CostTracker:
            self._cost_tracker = CostTracker(cap=config.judge.cap, path=costs)
            return self._cost_tracker

        context = _context(config, self._opened, cost_tracker)
        judge = make_judge(config.judge.name, context)
        self.judging = Judging(
            judge,
            store,
            config.judge,
            seed=config.seed,
            finish=finish,
            acknowledged=acknowledged,
        )

    def start(self, supervisor: Supervisor) -> None:
        """Set it going, if there is one."""
        if self.judging is not None:
            supervisor.start("judge", self.judging.run)

    def gauges(self) -> dict[str, float]:
        """What it has said, and what that has cost."""
        return {
            **({} if self.judging is None else self.judging.gauges()),
            **({} if self._cost_tracker is None else self._cost_tracker.gauges()),
        }

    def close(self) -> None:
        """Store what is still to be judged as it is; call it before the store is closed."""
        if self.judging is not None:
            self.judging.close()
        self._opened.close()
