"""What a run looks like in a terminal: pure functions from a state to a view or to a line.

    ╭───────────────────────────────────────────────────────────────────╮
    │ quickstart  4/5 training                  3:12 elapsed  3:18 left │
    │ ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 49 % │
    │ success while training (newest 200 episodes)                      │
    │ general  0.62  ▄▄▅▅▅▅▅▆▆▆▆▆▆▆▆▆▆▆  test 0.41                      │
    │ collecting                       learning                         │
    │ episodes           4,120         updates              812         │
    │ devices busy        97 %         effective sample    31 % !       │

It fits 80 columns and 24 rows. A number that is out of its healthy range has a `!`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from distrl.config.run import RunConfig
from distrl.monitor.gauges import (
    BY_NAME,
    EVALUATED,
    RECENT_EPISODES,
    SUCCESS,
    clock_time,
    is_healthy,
    show,
)

COLLECTING = (
    "collect/episodes",
    "collect/steps_per_second",
    "collect/utilisation",
    "batcher/batch",
    "collect/faults",
    "replay/episodes",
)
LEARNING = (
    "learn/updates",
    "learn/updates_per_second",
    "learn/lag_mean",
    "learn/replay_ratio",
    "learn/effective",
    "learn/entropy",
)
_SUCCESS_HEAD = f"success while training (newest {RECENT_EPISODES} episodes)"
_WIDEST = 100
_HEADER_WIDTH = 44
_CURVE_WIDTH = 32
_MOST_SUITES = 4
_MOST_EVENTS = 4
_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII_BLOCKS = "_.-=+*%#"
_LINE = (
    "collect/episodes",
    "collect/steps_per_second",
    "collect/utilisation",
    "learn/updates_per_second",
    "learn/lag_mean",
    "learn/replay_ratio",
    "learn/effective",
    "learn/entropy",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """All that a view shows."""

    recipe: str
    phase: str = "starting"
    elapsed: float = 0.0
    """Seconds since the start."""
    share: float | None = None
    """How much of the run is done, in [0, 1]; None where nobody knows."""
    left: float | None = None
    """Seconds until the run ends, by its budgets."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """The newest of each."""
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Running success of each suite, oldest first."""
    events: Sequence[tuple[float, str]] = ()
    """When, and what happened; oldest first."""
    config: RunConfig | None = None
    """The run's settings, which some healthy ranges depend on."""


def render(state: ViewState, *, ascii_only: bool = False) -> RenderableType:
    """The live view."""
    parts: list[RenderableType] = [_header(state), _progress(state)]
    if suites := _suites(state):
        parts += [Text(), Text(_SUCCESS_HEAD, "bold"), _success(state, suites, ascii_only)]
    parts += [Text(), _gauges(state)]
    if state.events:
        parts += [Text(), _events(state, ascii_only)]
    return Panel(Group(*parts), width=_WIDEST, border_style="dim", padding=(0, 1))


def line(state: ViewState) -> str:
    """The same in one line, for logs and pipes."""
    share = "" if state.share is None else f" {100 * state.share:.0f} %"
    left = "" if state.left is None else f", {clock_time(state.left)} left"
    parts = [f"[{clock_time(state.elapsed)}] {state.phase}{share}{left}"]
    parts += [f"success on {suite} {value:.2f}" for suite, value in _suites(state).items()]
    for name in _LINE:
        if name in state.numbers:
            words = BY_NAME[name].words
            value = show(name, state.numbers[name])
            # `142 steps/s`, but `policy lag 3.2`
            parts.append(f"{value} {words}" if words.endswith("/s") else f"{words} {value}")
    return " | ".join(parts)


def sparkline(values: Sequence[float], width: int, *, ascii_only: bool = False) -> str:
    """Shares in [0, 1] as a row of blocks, at most `width`, each the mean of its stretch."""
    blocks = _ASCII_BLOCKS if ascii_only else _BLOCKS
    count = min(width, len(values))
    row = []
    for i in range(count):
        stretch = values[i * len(values) // count : (i + 1) * len(values) // count]
        mean = min(1.0, max(0.0, sum(stretch) / len(stretch)))
        row.append(blocks[min(len(blocks) - 1, int(mean * len(blocks)))])
    return "".join(row)


def printable(text: str, *, ascii_only: bool = False) -> str:
    """Text without what could steer a terminal."""
    clean = "".join(character if character.isprintable() else " " for character in text)
    return clean.encode("ascii", "replace").decode() if ascii_only else clean


def _suites(state: ViewState) -> dict[str, float]:
    """The newest success of each suite."""
    found = {
        name.removeprefix(SUCCESS): value
        for name, value in sorted(state.numbers.items())
        if name.startswith(SUCCESS)
    }
    return dict(list(found.items())[:_MOST_SUITES])


def _header(state: ViewState) -> Table:
    row = _wide_grid()
    recipe = Text(printable(state.recipe), "bold")
    # The phase is news, and stays whole; the name is cut, for its beginning says enough.
    recipe.truncate(max(8, _HEADER_WIDTH - 2 - len(state.phase)), overflow="ellipsis")
    name = Text.assemble(recipe, "  ", (state.phase, "cyan"))
    name.truncate(_HEADER_WIDTH, overflow="ellipsis")
    left = "" if state.left is None else f"  {clock_time(state.left)} left"
    row.add_row(name, Text(f"{clock_time(state.elapsed)} elapsed{left}"))
    return row


def _progress(state: ViewState) -> Table:
    row = Table.grid(expand=True, padding=(0, 1))
    row.add_column(ratio=1)
    row.add_column(justify="right", width=5)
    # Without a share there is nothing to fill in: an empty bar, which does not pulse.
    share = 0.0 if state.share is None else min(1.0, max(0.0, state.share))
    row.add_row(
        ProgressBar(total=1.0, completed=share, complete_style="cyan", finished_style="cyan"),
        Text("-" if state.share is None else f"{100 * share:.0f} %"),
    )
    return row


def _success(state: ViewState, suites: Mapping[str, float], ascii_only: bool) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", max_width=14, no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", no_wrap=True, min_width=4)
    table.add_column(style="green", no_wrap=True)
    table.add_column(style="dim", no_wrap=True, overflow="ellipsis")
    for suite, value in suites.items():
        curve = sparkline(state.curves.get(suite, ()), _CURVE_WIDTH, ascii_only=ascii_only)
        table.add_row(
            Text(suite),
            Text(f"{value:.2f}"),
            Text(curve),
            Text(_evaluated(state, suite)),
        )
    return table


def _evaluated(state: ViewState, suite: str) -> str:
    prefix = f"{EVALUATED}{suite}/"
    return "  ".join(
        f"{name.removeprefix(prefix)} {value:.2f}"
        for name, value in sorted(state.numbers.items())
        if name.startswith(prefix)
    )


def _gauges(state: ViewState) -> Table:
    table = Table.grid(expand=True, padding=(0, 1))
    for _ in range(2):
        table.add_column(ratio=10, no_wrap=True)
        table.add_column(ratio=7, justify="right", no_wrap=True)
        table.add_column(ratio=2)
    heads = (Text("collecting", "bold"), "", "", Text("learning", "bold"), "", "")
    table.add_row(*heads)
    for left, right in zip(COLLECTING, LEARNING, strict=True):
        table.add_row(*_cells(state, left), *_cells(state, right))
    return table


def _cells(state: ViewState, name: str) -> tuple[Text, Text, Text]:
    value = state.numbers.get(name)
    sick = value is not None and is_healthy(name, value, state.config) is False
    return (
        Text(BY_NAME[name].words, "dim"),
        Text(show(name, value), "yellow" if sick else ""),
        Text("!" if sick else "", "yellow"),
    )


def _events(state: ViewState, ascii_only: bool) -> Table:
    table = Table.grid(expand=True, padding=(0, 2))
    table.add_column(justify="right", style="dim", no_wrap=True, min_width=5)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for at, text in state.events[-_MOST_EVENTS:]:
        table.add_row(Text(clock_time(at)), Text(printable(text, ascii_only=ascii_only)))
    return table


def _wide_grid() -> Table:
    table = Table.grid(expand=True)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", no_wrap=True)
    return table
