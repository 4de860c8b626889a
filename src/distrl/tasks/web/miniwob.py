"""MiniWoB++: the pages of the package `miniwob`, all of them.

A page gets its seed as the package's own environment gives it, asks for its goal itself, ends its
episodes itself, and says what they are worth. Its time limit is lifted: time on a page passes with
actions, and the step limit is the horizon. The published reward shrinks with the seconds that
were taken; success here is the raw reward, reached in full.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from distrl.devices.browser.site import Site
from distrl.errors import ConfigError
from distrl.tasks.web.suite import PageGoal, PageSuite, PageTask

ORIGIN = "http://miniwob.test"
PER_TASK = {"train": 300, "val": 10, "test": 100, "unseen": 0}
"""Seeds of each split."""
WIDTH, HEIGHT = 160, 210
_WINDOW = (340, 320)
_FLIGHT_WIDTH, _FLIGHT_HEIGHT = 375, 667

_SCORE = "#reward-display"
"""Stands beside a task; in a window without room for it, a page would scroll towards it."""
_IGNORED = "#sync-task-cover,#click-canvas,#query"
"""What is around a task: the cover between episodes, and the goal."""
_BEGIN = """
document.activeElement?.blur();
core.EPISODE_MAX_TIME = 864e5;
core.endEpisode(0);
Math.seedrandom(SEED);
core.setDataMode(SPLIT === 'train' ? 'train' : 'test');
core.startEpisodeReal();
await __distrl.until(() => WOB_TASK_READY);
"""
_PROBE = """(said => ({{
  goal: said.utterance ?? said, ended: WOB_DONE_GLOBAL, success: WOB_RAW_REWARD_GLOBAL >= {enough},
}}))(core.getUtterance())"""

_CLOSENESS = frozenset(
    {"bisect-angle", "circle-center", "find-midpoint", "use-colorwheel", "use-colorwheel-2"}
)
"""Tasks whose reward is how close one came."""
_CLOSE = 0.8
"""Reward from which on such a task counts as solved: nobody hits the very pixel."""
_TYPING = frozenset(
    {
        *("book-flight", "book-flight-nodelay", "copy-paste", "copy-paste-2", "daily-calendar"),
        *("email-inbox", "email-inbox-forward", "email-inbox-forward-nl", "email-inbox-noscroll"),
        *("email-inbox-forward-nl-turk", "email-inbox-nl-turk", "email-inbox-reply"),
        *("email-inbox-star-reply", "enter-date", "enter-password", "enter-text", "enter-text-2"),
        *("enter-text-dynamic", "enter-time", "find-word", "form-sequence-2", "guess-number"),
        *("login-user", "login-user-popup", "multi-layouts", "multi-orderings", "phone-book"),
        *("read-table", "read-table-2", "scroll-text", "search-engine", "sign-agreement"),
        *("simple-algebra", "simple-arithmetic", "terminal", "text-transform", "unicode-test"),
        *("use-autocomplete", "use-autocomplete-nodelay", "visual-addition", "flight.AA"),
        *("flight.Alaska", "flight.Alaska-auto", "flight.Alaska-auto-medium"),
    }
)
_DRAGGING = frozenset(
    {
        *("daily-calendar", "drag-box", "drag-circle", "drag-cube", "drag-items", "draw-line"),
        *("drag-items-grid", "drag-shapes", "drag-shapes-2", "drag-single-shape", "draw-circle"),
        *("drag-sort-numbers", "form-sequence", "highlight-text", "highlight-text-2"),
        *("resize-textarea", "use-slider", "use-slider-2", "use-colorwheel", "use-colorwheel-2"),
    }
)
_SCROLLING = frozenset(
    {
        *("book-flight", "book-flight-nodelay", "click-scroll-list", "daily-calendar"),
        *("email-inbox", "email-inbox-delete", "email-inbox-forward", "email-inbox-forward-nl"),
        *("email-inbox-forward-nl-turk", "email-inbox-important", "email-inbox-nl-turk"),
        *("email-inbox-reply", "email-inbox-star-reply", "order-food", "scroll-text"),
        *("scroll-text-2", "sign-agreement", "social-media", "social-media-all"),
        *("social-media-some", "terminal"),
    }
)
_HOVERING = frozenset({"chase-circle", "hot-cold", "hover-shape"})
_LONG = frozenset(
    {
        *("book-flight", "book-flight-nodelay", "click-checkboxes-large", "simon-says"),
        *("form-sequence-2", "form-sequence-3", "guess-number", "order-food", "buy-ticket"),
        *("social-media-all", "tic-tac-toe", "generate-number", "stock-market", "use-spinner"),
        *("choose-date", "choose-date-medium", "choose-date-nodelay", "number-checkboxes"),
        *("flight.AA", "flight.Alaska", "flight.Alaska-auto", "flight.Alaska-auto-medium"),
    }
)
# The horizon is in actions, because time on a page passes with actions only; the package itself
# limits seconds. Tasks of many fields or turns need the longer one.
_STEPS, _LONG_STEPS = 10, 25

BASIC = (
    *("click-test", "click-test-2", "click-button", "click-link", "click-dialog"),
    *("click-dialog-2", "click-tab", "click-widget", "click-checkboxes", "click-option"),
    *("click-color", "click-shape", "focus-text", "focus-text-2", "enter-text"),
    *("enter-password", "login-user", "click-button-sequence", "choose-list", "search-engine"),
)
"""What `miniwob:basic` stands for."""
STAYS = frozenset(BASIC) - {"click-dialog", "click-dialog-2", "click-tab"}
"""Pages that were seen to look the same, to the pixel, whether they are loaded anew or stay loaded.
Dialogs focus their button, and whether that shows depends on what was done before; edges of tabs
differ by one level of grey."""

SNUG = frozenset(BASIC) - {"click-dialog", "click-dialog-2"}
"""Pages that were seen to look the same, to the pixel, in a window of just their size, which is
drawn faster; dialogs are placed by the window's size, and nobody has looked at other pages yet."""


def html_folder() -> Path:
    """Where the pages are; ConfigError where the package is not installed."""
    found = importlib.util.find_spec("miniwob")
    if found is None or not found.submodule_search_locations:
        raise ConfigError(
            "the suite miniwob needs the package miniwob: pip install 'distrl[browser]'"
        )
    return Path(found.submodule_search_locations[0]) / "html"


def task_names(folder: Path) -> tuple[str, ...]:
    """All tasks that the package has pages for."""
    plain = [page.stem for page in folder.glob("miniwob/*.html")]
    flights = [f"flight.{page.parent.name}" for page in folder.glob("flight/*/wrapper.html")]
    return tuple(sorted((*plain, *flights)))


def needs_of(name: str) -> tuple[str, ...]:
    """What a hand must be able to do for a task."""
    more = {"type": _TYPING, "drag": _DRAGGING, "scroll": _SCROLLING, "hover": _HOVERING}
    return ("click", *(what for what, names in more.items() if name in names))


def page_task(name: str, folder: Path) -> PageTask:
    """A task from its page."""
    flight = name.startswith("flight.")
    path = f"flight/{name.removeprefix('flight.')}/wrapper" if flight else f"miniwob/{name}"
    site = Site(
        start=f"{ORIGIN}/{path}.html",
        folders={ORIGIN: folder},
        width=_FLIGHT_WIDTH if flight else WIDTH,
        height=_FLIGHT_HEIGHT if flight else HEIGHT,
        window=None if flight or name in SNUG else _WINDOW,
        home=False,
        ignored=_IGNORED,
        hidden="" if flight else _SCORE,
        probe=_PROBE.format(enough=_CLOSE if name in _CLOSENESS else 1.0),
    )
    return PageTask(
        name=name,
        site=site,
        begin=_BEGIN,
        goals=(PageGoal(name.replace("-", " ").replace(".", " ")),),
        worded_by_page=True,
        judged_by_page=True,
        stays=name in STAYS,
        step_limit=_LONG_STEPS if name in _LONG else _STEPS,
        needs=needs_of(name),
    )


def miniwob() -> PageSuite:
    """The suite; nothing is opened yet."""
    folder = html_folder()
    pages = [page_task(name, folder) for name in task_names(folder)]
    suite = PageSuite("miniwob", pages, PER_TASK)
    suite.groups = {"basic": BASIC}
    return suite
