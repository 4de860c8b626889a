"""The terminal view of a run: redrawn in a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from distrl.config.run import RunConfig
from distrl.interfaces import Clock
from distrl.monitor.gauges import SUCCESS, clock_time
from distrl.monitor.progress import (
    NO_BUDGET,
    Progress,
    Stage,
    StageBudget,
    learn_duration,
    next_position,
    run_progress,
    stage_progress,
)
from distrl.monitor.terminal_render import ViewState, line, printable, render

_MOST_POINTS = 512
"""Of a curve: more than a terminal has columns, and bounded however long a run lasts."""
_JOIN_SECONDS = 5.0
"""A terminal that is stopped (Ctrl-S) blocks the thread that draws; the run ends all the same."""
_log = logging.getLogger(__name__)


class Curve:
    """A curve of bounded length: when it grows too long, every two points become one."""

    def __init__(self) -> None:
        """Start empty."""
        self.points: list[float] = []
        self._stride = 1
        self._pending: list[float] = []

    def add(self, value: float) -> None:
        """Go on with a value."""
        self._pending.append(value)
        if len(self._pending) < self._stride:
            return
        self.points.append(sum(self._pending) / len(self._pending))
        self._pending.clear()
        if len(self.points) >= _MOST_POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [(first + second) / 2 for first, second in pairs]
            self._stride *= 2


class TerminalView:
    """A Monitor that shows the newest numbers. Any thread may call.

    Use it as a context: it draws in a thread of its own until it is closed. It goes to stdout, or
    to the rich console given: a command that prints JSON passes `Console(stderr=True)`.
    """

    def __init__(
        self,
        *,
        recipe: str,
        clock: Clock,
        config: RunConfig | None = None,
        console: Console | None = None,
        plain_seconds: float = 10.0,
    ) -> None:
        """Show nothing yet. How often it is drawn, and if at all, is in `config.monitor`."""
        self._recipe, self._clock, self._config = recipe, clock, config
        self._console = console or Console()
        wanted = config.monitor.console if config else True
        self._every = config.monitor.every_seconds if config else 1.0
        self._live: Live | None = None
        if wanted and self._console.is_terminal and not self._console.is_dumb_terminal:
            self._live = Live(console=self._console, auto_refresh=False)
        self._plain_seconds = max(plain_seconds, self._every)
        self._lock = threading.Lock()
        self._numbers: dict[str, float] = {}
        self._curves: dict[str, Curve] = {}
        self._events: deque[tuple[float, str]] = deque(maxlen=16)
        self._plan: tuple[Stage, ...] = ()
        self._position: int | None = None
        self._furthest = 0.0
        self._phase = _Phase("starting", clock.now(), clock.now())
        self._broken = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="view", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Begin to draw."""
        if self._live is not None:
            self._live.start()
        self._thread.start()

    def close(self) -> None:
        """Draw a last time and give the terminal back; a second call does nothing."""
        if self._closing.is_set():
            return
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(_JOIN_SECONDS)
            self._guard(self.draw)
        if self._live is not None:
            self._guard(self._live.stop)

    def plan(self, stages: Sequence[Stage]) -> None:
        """Show one bar for all of these stages, which begin in this order; some may be left out."""
        with self._lock:
            self._plan, self._position, self._furthest = tuple(stages), None, 0.0

    def phase(self, name: str, budget: StageBudget = NO_BUDGET) -> None:
        """Begin a phase, with a budget of time or of work, or without one."""
        now = self._clock.now()
        with self._lock:
            if self._position is not None:
                self._plan = learn_duration(self._plan, self._position, now - self._phase.began)
            self._position = next_position(self._plan, self._position, name)
            self._phase = _Phase(name, began=now, counted_from=now - budget.spent, budget=budget)
            title = self._title()
        self._say(title)

    def advance(self, done: float) -> None:
        """Set how much of this phase's `total` is done."""
        with self._lock:
            self._phase.done = done

    def event(self, text: str) -> None:
        """Show something that happened."""
        with self._lock:
            self._events.append((self._clock.now(), text))
        self._say(text)

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Take the newest numbers."""
        del step  # everything is shown over time
        with self._lock:
            self._numbers.update(numbers)
            for name, value in numbers.items():
                if name.startswith(SUCCESS):
                    suite = name.removeprefix(SUCCESS)
                    self._curves.setdefault(suite, Curve()).add(value)

    def state(self) -> ViewState:
        """A snapshot of what is to be shown."""
        now = self._clock.now()
        # Copies, so that drawing, which is slow, needs no lock.
        with self._lock:
            progress = self._progress(now)
            return ViewState(
                recipe=self._recipe,
                phase=self._title(),
                elapsed=now,
                share=progress.share,
                left=progress.left,
                numbers=dict(self._numbers),
                curves={suite: tuple(curve.points) for suite, curve in self._curves.items()},
                events=tuple(self._events),
                config=self._config,
            )

    def draw(self) -> None:
        """Show the state now."""
        if self._live is None:
            self._print(line(self.state()))
        else:
            ascii_only = self._console.options.ascii_only
            self._live.update(render(self.state(), ascii_only=ascii_only), refresh=True)

    def _progress(self, now: float) -> Progress:
        """Of the run, or of the phase if it is not part of a plan."""
        phase = self._phase
        current = stage_progress(phase.budget, now - phase.counted_from, phase.done)
        if self._position is None:
            return current
        found = run_progress(self._plan, self._position, current, now - phase.began)
        # What a stage really took changes the parts of later ones; the bar waits for them.
        self._furthest = max(self._furthest, found.share or 0.0)
        return Progress(self._furthest, found.left)

    def _title(self) -> str:
        if self._position is None:
            return self._phase.name
        return f"{self._position + 1}/{len(self._plan)} {self._phase.name}"

    def _run(self) -> None:
        every = self._plain_seconds if self._live is None else self._every
        while not self._broken and not self._closing.wait(every):
            self._guard(self.draw)

    def _say(self, text: str) -> None:
        """Print an event at once where there is no live view that shows it."""
        if self._live is None:
            now = clock_time(self._clock.now())
            self._guard(lambda: self._print(f"[{now}] {text}"))

    def _print(self, text: str) -> None:
        ascii_only = self._console.options.ascii_only
        self._console.print(Text(printable(text, ascii_only=ascii_only)), soft_wrap=True)

    def _guard(self, work: Callable[[], None]) -> None:
        """Do something; an error switches the view off and is logged once, and the run goes on."""
        if self._broken:
            return
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it is, training is worth more
            self._broken = True
            _log.warning("the view is switched off after an error: %r", error)


@dataclass(slots=True)
class _Phase:
    """The stretch of a run that is going on."""

    name: str
    began: float
    counted_from: float
    """When it would have begun, had all of its budget been spent in one go."""
    budget: StageBudget = StageBudget()  # noqa: RUF009 - frozen
    done: float = 0.0
