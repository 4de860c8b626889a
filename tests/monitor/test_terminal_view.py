import logging
import threading
from io import StringIO

import pytest
from rich.console import Console

from distrl.clock import RealClock, VirtualClock
from distrl.config import RunConfig
from distrl.config.load import check
from distrl.monitor.progress import Stage, StageBudget
from distrl.monitor.terminal_view import _MOST_POINTS, Curve, TerminalView

FAST = check({"monitor": {"every_seconds": 0.01}})


class Signalling(StringIO):
    """A file that tells when a text has been written to it."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.seen = threading.Event()
        self._awaited = awaited

    def write(self, text: str) -> int:
        written = super().write(text)
        if self._awaited in self.getvalue():
            self.seen.set()
        return written


def plain(clock: VirtualClock) -> tuple[TerminalView, StringIO]:
    file = StringIO()
    return TerminalView(recipe="quickstart", clock=clock, console=Console(file=file)), file


def test_the_newest_number_of_each_name_is_shown() -> None:
    view, _ = plain(VirtualClock())
    view.record({"collect/episodes": 1, "learn/updates": 5}, step=1)
    view.record({"collect/episodes": 2}, step=2)
    assert view.state().numbers == {"collect/episodes": 2, "learn/updates": 5}


def test_success_is_kept_as_a_curve_per_suite() -> None:
    view, _ = plain(VirtualClock())
    for value in (0.1, 0.2):
        view.record({"collect/success/general": value, "collect/episodes": 3}, step=1)
    assert view.state().curves == {"general": (0.1, 0.2)}


def test_progress_and_time_left_follow_the_budget_of_seconds() -> None:
    clock = VirtualClock()
    view, _ = plain(clock)
    assert (view.state().share, view.state().left) == (None, None)
    clock.sleep(10)
    view.phase("training", StageBudget(seconds=100, spent=20))
    clock.sleep(30)
    state = view.state()
    assert (state.elapsed, state.share, state.left) == (40, 0.5, 50)
    clock.sleep(500)
    assert (view.state().share, view.state().left) == (1.0, 0.0)


def test_a_budget_without_end_is_no_budget() -> None:
    view, _ = plain(VirtualClock())
    view.phase("training", StageBudget(seconds=float("inf"), spent=3))
    view.draw()
    assert (view.state().share, view.state().left) == (None, None)


def test_progress_follows_the_budget_of_things_to_do() -> None:
    clock = VirtualClock()
    view, _ = plain(clock)
    view.phase("evaluating", StageBudget(total=40))
    assert (view.state().share, view.state().left) == (0.0, None)
    clock.sleep(5)
    view.advance(10)
    assert (view.state().share, view.state().left) == (0.25, 15)


def test_the_budget_that_is_spent_first_counts() -> None:
    clock = VirtualClock()
    view, _ = plain(clock)
    view.phase("training", StageBudget(seconds=100, total=1000))
    clock.sleep(10)
    view.advance(500)
    assert (view.state().share, view.state().left) == (0.5, 10)
    view.advance(1)
    assert (view.state().share, view.state().left) == (0.1, 90)


PLAN = (
    Stage(name="evaluating", seconds=10, kind="evaluating"),
    Stage(name="training", seconds=100),
    Stage(name="evaluating", seconds=10, kind="evaluating"),
)


def test_one_bar_spans_all_phases_of_a_plan_and_never_runs_backwards() -> None:
    clock = VirtualClock()
    view, _ = plain(clock)
    view.plan(PLAN)
    shares, titles = [], []
    for phase, budget in (("evaluating", {"total": 40.0}), ("training", {"seconds": 100.0})):
        view.phase(phase, StageBudget(**budget))
        for done in (0, 20, 40):
            view.advance(done)
            shares.append(view.state().share or 0.0)
            titles.append(view.state().phase)
            clock.sleep(25)
    view.phase("evaluating", StageBudget(total=40))
    shares.append(view.state().share or 0.0)
    assert shares == sorted(shares)
    assert 0.0 == shares[0] < shares[-1] < 1.0
    assert list(dict.fromkeys(titles)) == ["1/3 evaluating", "2/3 training"]
    assert view.state().phase == "3/3 evaluating"


def test_the_time_left_counts_what_an_earlier_evaluation_took() -> None:
    clock = VirtualClock()
    view, _ = plain(clock)
    view.plan(PLAN)
    view.phase("evaluating", StageBudget(total=40))
    clock.sleep(60)
    view.phase("training", StageBudget(seconds=100, total=1000))
    assert view.state().left == 160
    clock.sleep(10)
    view.advance(500)  # the episodes will be spent before the time is
    assert view.state().left == 70


def test_where_nobody_watches_phases_and_events_are_plain_lines() -> None:
    clock = VirtualClock()
    view, file = plain(clock)
    view.phase("training", StageBudget(seconds=10))
    clock.sleep(61)
    view.event("device [phone-3]\x1b[2J was lost")
    assert file.getvalue() == "[0:00] training\n[1:01] device [phone-3] [2J was lost\n"


def test_where_nobody_watches_a_line_comes_now_and_then_and_at_the_end() -> None:
    file = Signalling("episodes 7\n")
    view = TerminalView(
        recipe="r", clock=RealClock(), config=FAST, console=Console(file=file), plain_seconds=0.01
    )
    with view:
        view.record({"collect/episodes": 7}, step=7)
        assert file.seen.wait(timeout=20)
        view.record({"collect/episodes": 9}, step=9)
    assert file.getvalue().endswith("starting | episodes 9\n")
    view.close()


def test_in_a_terminal_the_view_is_redrawn_and_the_terminal_given_back() -> None:
    file = Signalling("4,321")
    console = Console(file=file, force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with TerminalView(recipe="quickstart", clock=RealClock(), config=FAST, console=console) as view:
        view.record({"collect/episodes": 4321}, step=1)
        assert file.seen.wait(timeout=20)
        view.event("said in the view")
    shown = file.getvalue()
    assert "said in the view" in shown
    hide, unhide = "\x1b[?25l", "\x1b[?25h"
    assert shown.count(hide) == shown.count(unhide) == 1


def test_the_view_can_be_switched_off_for_plain_lines() -> None:
    off: RunConfig = check({"monitor": {"console": False}})
    file = StringIO()
    console = Console(file=file, force_terminal=True, _environ={"TERM": "xterm"})
    view = TerminalView(recipe="r", clock=VirtualClock(), config=off, console=console)
    view.draw()
    assert file.getvalue() == "[0:00] starting\n"


def test_a_view_that_cannot_be_drawn_is_given_up_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(StringIO):
        def write(self, text: str) -> int:
            raise OSError("broken pipe")

    view = TerminalView(recipe="r", clock=VirtualClock(), console=Console(file=Broken()))
    with caplog.at_level(logging.WARNING), view:
        view.event("one")
        view.event("two")
        view.record({"collect/episodes": 1}, step=1)
    assert len(caplog.records) == 1
    assert "broken pipe" in caplog.text


def test_a_long_curve_stays_bounded_and_keeps_its_shape() -> None:
    curve = Curve()
    count = 10 * _MOST_POINTS
    for i in range(count):
        curve.add(i / count)
    assert _MOST_POINTS // 4 < len(curve.points) <= _MOST_POINTS
    assert curve.points == sorted(curve.points)
    steps = [b - a for a, b in zip(curve.points, curve.points[1:], strict=False)]
    assert max(steps) == pytest.approx(min(steps))
    assert curve.points[0] < 0.01
    assert curve.points[-1] > 0.95
