"""What a session shows of itself: immutable values, in words that a page can print."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from distrl.actions import direction_of, element_at, words_touched
from distrl.types import Action, Episode, Key, Kind, Observation, Outcome, Task


class Phase(StrEnum):
    """What a session is doing."""

    OPENING = "opening"
    """Makes a device, or sets a task up on it."""
    PERSON = "person"
    """Waits for the person."""
    LOADING = "loading"
    """Loads a policy, or waits for its decision."""
    POLICY = "policy"
    """The policy has decided, and acts when its time has come."""
    ACTING = "acting"
    """The device carries an action out."""
    ENDED = "ended"
    BROKEN = "broken"
    """There is no device to play on until somebody starts over."""


YOU = "you"
"""Who acted, where it was the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One action, done or proposed."""

    who: str
    """`you`, or the name of a policy."""
    words: str
    action: Action
    probability: float | None = None
    """Of this action, by the policy that chose it."""
    value: float | None = None
    """Probability of success before it, by the policy's critics."""
    refused: str = ""
    """Why the device did not carry it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an episode ended, in words."""

    outcome: Outcome
    success: bool
    headline: str
    reason: str
    side_effects: tuple[str, ...] = ()
    """Lasting changes that the task did not allow."""
    fault: str = ""
    can_be_kept: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One demonstration in the folder."""

    id: str
    task: str
    outcome: Outcome
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All that a page needs to draw a session, at one moment."""

    number: int = 0
    """Grows with every change."""
    phase: Phase = Phase.OPENING
    task: str = ""
    split: str = ""
    template: str = ""
    goal: str = ""
    step_limit: int = 0
    history: tuple[Deed, ...] = ()
    proposal: Deed | None = None
    """What the policy is about to do."""
    ending: Ending | None = None
    screen: int = 0
    """Number of the picture; 0 before the first."""
    width: int = 180
    """Of the picture, in pixels."""
    height: int = 400
    app: str = ""
    keyboard: bool = False
    """Whether a text field is focused."""
    backspace: tuple[float, float] | None = None
    """Where the key is on the screen, if it is."""
    pending: int = 0
    """Actions of the person that wait for the device."""
    policy: str = ""
    """Whose turn it is when no person has taken over; empty for nobody."""
    taken: bool = False
    """Whether the person has taken over from the policy."""
    running: bool = True
    """Whether the policy acts by itself; otherwise step by step."""
    pace: float = 1.0
    """Seconds that a decision of the policy is shown before it is carried out."""
    notice: str = ""
    """What went wrong last, if the episode goes on."""
    kept: tuple[Kept, ...] = ()
    """The newest demonstrations of the folder, newest first."""
    kept_count: int = 0

    @property
    def is_over(self) -> bool:
        """Whether no episode is running."""
        return self.phase in (Phase.ENDED, Phase.BROKEN)


_KEYS = {Key.BACK: "Back", Key.HOME: "Home", Key.ENTER: "Enter", Key.RECENTS: "Recents"}
_VERBS = {Kind.TAP: "tap", Kind.LONG_PRESS: "hold", Kind.DOUBLE_TAP: "tap twice"}
_SAID = {Kind.TYPE: "type", Kind.ANSWER: "answer", Kind.OPEN_APP: "open"}
_PLAIN = {
    Kind.WAIT: "wait",
    Kind.COMPLETE: "say it is done",
    Kind.INFEASIBLE: "say it cannot be done",
}
_MOST_WORDS = 60


def describe(action: Action, seen: Observation) -> str:
    """An action in words, on what was seen before it."""
    match action.kind:
        case kind if kind in _VERBS:
            return f"{_VERBS[kind]} {_touched(action, seen)}"
        case Kind.SWIPE:
            return f"swipe {direction_of(action)}"
        case Kind.DRAG:
            return f"drag {_touched(action, seen)} {direction_of(action)}"
        case kind if kind in _SAID:
            return f"{_SAID[kind]} “{_shortened(action.text)}”"
        case Kind.PRESS:
            return f"press {_KEYS[action.key]}" if action.key else "press"
        case _:
            return _PLAIN[action.kind]


def _touched(action: Action, seen: Observation) -> str:
    """What is under the finger: its words, or else what it is and where."""
    if words := words_touched(action, seen):
        return f"“{_shortened(words)}”"
    element = element_at(seen, action.x, action.y)
    role = "screen" if element is None else element.role
    down, across = _third(action.y, "top", "bottom"), _third(action.x, "left", "right")
    where = " ".join(part for part in (down, across) if part) or "middle"
    return f"the {role}, {where}"


def _third(share: float, first: str, last: str) -> str:
    return first if share < 1 / 3 else last if share > 2 / 3 else ""


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _MOST_WORDS else f"{line[: _MOST_WORDS - 1]}…"


_HEADLINES = {
    Outcome.SUCCEEDED: ("Success", "The goal is reached."),
    Outcome.FAILED: ("Not solved", "It was declared impossible, but it can be done."),
    Outcome.FALSE_COMPLETE: ("Not solved", "It was declared done, but the goal is not reached."),
    Outcome.STEP_LIMIT: ("Out of steps", "The step limit came before somebody pressed Done."),
    Outcome.DEVICE_LOST: ("The device failed", "Nobody is to blame; start over on a new one."),
    Outcome.TASK_ERROR: (
        "The task failed",
        "Its setup or its check is broken; that is not a device's fault.",
    ),
}


def ending_of(episode: Episode) -> Ending:
    """How an episode ended."""
    headline, reason = _HEADLINES[episode.outcome]
    last = episode.steps[-1].choice.action if episode.steps else None
    if episode.succeeded and last is not None and last.kind is Kind.INFEASIBLE:
        reason = "Right: this cannot be done here."
    if episode.outcome.trainable and last is not None and last.kind is Kind.ANSWER:
        right = "is right" if episode.succeeded else "is not what was asked for"
        reason = f"“{_shortened(last.text)}” {right}."
    effects = tuple(e for verdict in episode.verdicts for e in verdict.side_effects)
    return Ending(
        outcome=episode.outcome,
        success=episode.succeeded,
        headline=headline,
        reason=reason,
        side_effects=effects,
        fault=episode.fault,
        can_be_kept=episode.outcome.trainable,
    )


def begun(before: Snapshot, task: Task) -> Snapshot:
    """The snapshot of a session that sets a task up; what is not of the episode stays."""
    return Snapshot(
        number=before.number,
        task=task.id,
        split=task.split,
        template=task.template,
        goal=task.goal,
        step_limit=task.step_limit,
        screen=before.screen,
        width=before.width,
        height=before.height,
        policy=before.policy,
        taken=before.taken,
        running=before.running,
        pace=before.pace,
        kept=before.kept,
        kept_count=before.kept_count,
    )
