"""The types that travel between the parts: frozen, typed, free of any framework.

What a collector hands to a store, a store to a learner or a judge to a report is one of these.
Coordinates are fractions of the screen in [0, 1], so that no part depends on a screen's size.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from threading import RLock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""An RGB image, shape [height, width, 3]."""

Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom as fractions of the screen."""

Value: TypeAlias = str | int | bool
"""What a task parameter may hold."""


class Kind(StrEnum):
    """What a hand, or the agent itself, can do in one step."""

    TAP = "tap"
    LONG_PRESS = "long_press"
    SWIPE = "swipe"
    TYPE = "type"
    PRESS = "press"
    WAIT = "wait"
    COMPLETE = "complete"
    INFEASIBLE = "infeasible"
    # Stored files and spaces of other packages number kinds in this order: new ones come last.
    ANSWER = "answer"
    OPEN_APP = "open_app"
    DOUBLE_TAP = "double_tap"
    DRAG = "drag"

    @property
    def ends_episode(self) -> bool:
        """Whether the agent declares with it that it has finished."""
        return self in (Kind.COMPLETE, Kind.INFEASIBLE, Kind.ANSWER)

    @property
    def touches_point(self) -> bool:
        """Whether it touches one point of the screen."""
        return self in (Kind.TAP, Kind.LONG_PRESS, Kind.DOUBLE_TAP)

    @property
    def moves_finger(self) -> bool:
        """Whether a finger goes from one point of the screen to another."""
        return self in (Kind.SWIPE, Kind.DRAG)


class Key(StrEnum):
    """The keys a device has outside its screen."""

    BACK = "back"
    HOME = "home"
    ENTER = "enter"
    RECENTS = "recents"


BASIC_KINDS = frozenset(
    {
        Kind.TAP,
        Kind.LONG_PRESS,
        Kind.SWIPE,
        Kind.TYPE,
        Kind.PRESS,
        Kind.WAIT,
        Kind.COMPLETE,
        Kind.INFEASIBLE,
    }
)
"""What policies choose among unless they are told of more. Weights are trained on it, so it never
grows: what a suite needs beyond it, the suite says."""


def keys_of(kinds: Collection[Kind]) -> tuple[Key, ...]:
    """The keys of who may press at all; recents only for who has more than the basic kinds."""
    if Kind.PRESS not in kinds:
        return ()
    return tuple(key for key in Key if key is not Key.RECENTS or not set(kinds) <= BASIC_KINDS)


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Build it with the functions of `distrl.actions`, which check their arguments."""

    kind: Kind
    x: float = 0.0
    """Where a touch is, or a swipe or a drag starts."""
    y: float = 0.0
    x2: float = 0.0
    """Where a swipe or a drag ends."""
    y2: float = 0.0
    text: str = ""
    """What `type` types and `answer` answers, or the name of the app that `open_app` opens."""
    key: Key | None = None
    """What `press` presses."""


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the screen, as an accessibility tree reports it."""

    role: str
    """button, text, field, switch, checkbox, radio, slider, tab, item, image, keyboard, banner,
    status."""
    text: str = ""
    """The visible words; empty for an icon."""
    description: str = ""
    """What a screen reader would add; often missing, as in real apps."""
    bounds: Bounds = (0.0, 0.0, 0.0, 0.0)
    """The visible part of it."""
    enabled: bool = True
    checked: bool | None = None
    """On or off; None for what cannot be either."""
    focused: bool = False
    editable: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """What can be read of it: its text, and what a screen reader adds."""
        return tuple(words for words in (self.text, self.description) if words)

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the visible part."""
        left, top, right, bottom = self.bounds
        return (left + right) / 2, (top + bottom) / 2

    @property
    def center_on_screen(self) -> tuple[float, float]:
        """The same, moved onto the screen for an element that is partly outside of it."""
        x, y = self.center
        return min(1.0, max(0.0, x)), min(1.0, max(0.0, y))


_drawing = RLock()
"""One screen is drawn at a time: drawing code may keep caches, and two threads may ask for the same
picture. Reentrant, because drawing one picture may look at another."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a screen is drawn from, for a store that keeps this instead of the pixels."""

    by: str
    """Who can draw it again: a name of `replay.store.redraw.DRAWERS`."""
    edition: str
    """Changes whenever the code does that turns pieces into pixels."""
    pieces: tuple[bytes, ...]
    """In the encoding of who draws it. Most pieces of a screen come again in the next one."""
    pixels: bytes | None = None
    """Digest of the pixels that the device showed, where somebody has noted it."""


class Picture:
    """A screen that is drawn when somebody first looks at it, and only once."""

    __slots__ = ("_describe", "_draw", "_pixels", "doubt", "draw_crops")

    def __init__(
        self,
        source: Pixels | Callable[[], Pixels],
        *,
        describe: Callable[[], Drawing | None] | None = None,
        draw_crops: Callable[[Sequence[Bounds], int], Pixels] | None = None,
    ) -> None:
        """Take the pixels, or the function that draws them.

        `describe` says what they are drawn from, where they can be drawn without the device.
        `draw_crops` draws what `screens.crops_of` would cut out, without the rest of the screen.
        """
        self._describe = describe
        self.draw_crops = draw_crops
        self.doubt = ""
        """Why the pixels may differ from those that the device showed; empty if they do not."""
        if isinstance(source, np.ndarray):
            self._draw: Callable[[], Pixels] | None = None
            self._pixels: Pixels | None = source
        else:
            self._draw, self._pixels = source, None

    @property
    def pixels(self) -> Pixels:
        """The image; the same array at every call, whichever threads ask."""
        if self._pixels is None:
            with _drawing:
                if self._draw is not None:
                    self._pixels, self._draw = self._draw(), None
        assert self._pixels is not None
        return self._pixels

    @property
    def drawing(self) -> Drawing | None:
        """What it can be drawn from again; None where only the pixels can be kept."""
        return None if self._describe is None else self._describe()


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What a device shows at one moment."""

    picture: Picture
    """The screen; use `screen` for its pixels."""
    elements: tuple[Element, ...] | None
    """None where the device has no accessibility tree."""
    keyboard: bool
    """Whether an on-screen keyboard is shown."""
    app: str
    """The application in the foreground."""

    @property
    def screen(self) -> Pixels:
        """The screen's pixels, drawn on first use."""
        return self.picture.pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One goal to reach on a device, from a known start."""

    id: str
    """Unique over all suites and splits, e.g. `general/test/17`."""
    goal: str
    """What a person would ask for."""
    suite: str
    split: str
    template: str
    parameters: Mapping[str, Value]
    seed: int
    """Decides the device's start state and everything random in the episode."""
    step_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that a policy may look at to make its next decision."""

    goal: str
    observation: Observation
    history: tuple[Action, ...]
    """The actions taken so far in this episode, oldest first."""
    steps_left: int
    """At least 1: this decision is one of them."""
    touched: tuple[str, ...] = ()
    """For each action of the history, the words of what it touched or typed."""
    seed: int = 0
    """Decides everything random in this decision, whoever else is decided with it."""


def step_seed(episode_seed: int, step: int) -> int:
    """The seed of one decision: the same whoever else is decided at the same time."""
    # 12 bits leave room for 4096 steps: no two steps of a run share a seed.
    return (episode_seed << 12) + step


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A policy's answer to one situation."""

    action: Action
    decision: tuple[int, ...] | None = None
    """The policy's own encoding of the choice: log-probabilities are of this, not of the action."""
    log_prob: float | None = None
    """None where no probability is defined: human, scripted and prompted steps."""
    entropy: float | None = None
    value: float | None = None
    """V(s), the probability of success as the acting policy's critics put it; None where none was
    asked."""
    version: int = 0
    """Number of publishes before the weights that decided."""
    digest: str = ""
    """Digest of the weights that decided, as the acting side computed it."""
    inputs: bytes = b""
    """The policy's own prepared inputs, packed, so that a learner need not prepare them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision and what became of it."""

    observation: Observation
    """What the policy saw."""
    choice: Choice
    reward: float = 0.0
    penalties: Mapping[str, float] = field(default_factory=dict)
    """Named penalties of this step; never part of the reward."""
    decide_seconds: float = 0.0
    """Time spent waiting for the policy."""
    device_seconds: float = 0.0
    """Time spent inside device calls."""


class Outcome(StrEnum):
    """How an episode ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    """Declared infeasible, but it can be done."""
    FALSE_COMPLETE = "false_complete"
    """Declared complete, but it is not."""
    STEP_LIMIT = "step_limit"
    DEVICE_LOST = "device_lost"
    TASK_ERROR = "task_error"

    @property
    def trainable(self) -> bool:
        """Whether the policy is answerable for it: faults are stored, never trained on."""
        return self not in (Outcome.DEVICE_LOST, Outcome.TASK_ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's opinion of an ended episode."""

    judge: str
    success: bool | None
    """None when the judge could not answer: void, neither success nor failure."""
    reason: str = ""
    side_effects: tuple[str, ...] = ()
    """Lasting changes that the task did not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One attempt at one task. A failed one is a value with a reason, never a hole."""

    id: str
    task: Task
    steps: tuple[Step, ...]
    final: Observation | None
    """What the device showed at the end; None when it was lost."""
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    device: str
    started: float
    """Clock seconds."""
    ended: float
    fault: str = ""
    """What went wrong, for device_lost and task_error."""

    @property
    def succeeded(self) -> bool:
        """Whether the outcome is a success."""
        return self.outcome is Outcome.SUCCEEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStep:
    """A step without its observation, which a store keeps apart: what a learner reads.

    Its fields are those of Step and Choice, flat, in one blob. `of` and `at` are the only way
    from a Step to it and back, and take the fields over by name.
    """

    action: Action
    decision: tuple[int, ...] | None
    log_prob: float | None
    entropy: float | None
    version: int
    digest: str
    inputs: bytes
    reward: float
    penalties: Mapping[str, float]
    decide_seconds: float
    device_seconds: float
    # With a default: stores that were written before there were values have none.
    value: float | None = None

    @classmethod
    def of(cls, step: Step) -> StoredStep:
        """Leave the observation out."""
        choice = {name: getattr(step.choice, name) for name in _CHOICE_FIELDS}
        return cls(**choice, **{name: getattr(step, name) for name in _STEP_FIELDS})

    def at(self, observation: Observation) -> Step:
        """The whole step again, with what was seen before it."""
        choice = Choice(**{name: getattr(self, name) for name in _CHOICE_FIELDS})
        rest = {name: getattr(self, name) for name in _STEP_FIELDS}
        return Step(observation=observation, choice=choice, **rest)


_CHOICE_FIELDS = tuple(f.name for f in fields(Choice))
_STEP_FIELDS = tuple(f.name for f in fields(Step) if f.name not in ("observation", "choice"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEpisode:
    """What a learner needs of an episode: the trajectory without what was seen."""

    id: str
    task: Task
    outcome: Outcome
    steps: tuple[StoredStep, ...]

    @classmethod
    def of(cls, episode: Episode) -> StoredEpisode:
        """Leave the observations out."""
        return cls(
            id=episode.id,
            task=episode.task,
            outcome=episode.outcome,
            steps=tuple(map(StoredStep.of, episode.steps)),
        )
