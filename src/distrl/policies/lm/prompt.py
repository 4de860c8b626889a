"""Builds the prompt of a situation and the list of legal actions. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from distrl import actions
from distrl.actions import Direction
from distrl.config.policies import LmConfig
from distrl.policies.text_actions import (
    describe_situation,
    describe_situation_briefly,
    parse_action,
    system_prompt,
    write_action,
)
from distrl.types import BASIC_KINDS, Action, Element, Kind, Observation, Situation, keys_of

_TOUCHED = frozenset(
    {"button", "item", "field", "switch", "checkbox", "radio", "slider", "tab", "image"}
)
_STATUS = "status"
_LONGEST_SPAN = 5
"""Words of the longest part of a goal that can be typed: options grow linearly with it."""
_WORD = re.compile(r"\w[\w.@'-]*")
_SMALL = 2
"""Words up to this length (a, of, to) match everywhere, so they say nothing about relevance."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of a prompt, its elements and its legal actions."""

    lead: str
    """System prompt; empty with `brief`, where the model learns the grammar by training."""
    goal: str
    """The line with the goal."""
    rest: str
    elements: tuple[Element, ...]
    """Elements by number; the first is number 1."""
    options: tuple[str, ...]
    """Legal actions as text."""

    @property
    def text(self) -> str:
        """The whole prompt."""
        return self.lead + self.goal + self.rest


def build_prompt(
    situation: Situation, config: LmConfig, kinds: frozenset[Kind] = BASIC_KINDS
) -> Prompt:
    """Describe a situation with its most relevant elements, in the order of the screen.

    Actions of other `kinds` are neither named nor offered.
    """
    chosen = choose_elements(situation, config.elements)
    shown = replace(
        situation.observation, elements=tuple(_shortened(e, config.label) for e in chosen)
    )
    describe = describe_situation_briefly if config.brief else describe_situation
    text = describe(
        replace(situation, observation=shown), most=config.elements, history=config.history
    )
    goal, line_end, rest = text.partition("\n")
    options = tuple(_options(situation.goal, shown, kinds))
    lead = "" if config.brief else f"{system_prompt(kinds)}\n\n"
    return Prompt(lead, goal + line_end, rest, chosen, options)


def choose_elements(situation: Situation, most: int) -> tuple[Element, ...]:
    """The `most` most relevant elements: named by the goal first, then touchable ones.

    They stay in the order of the screen.
    """
    elements = situation.observation.elements or ()
    if len(elements) <= most:
        return elements
    wanted = _words(situation.goal)
    order = sorted(range(len(elements)), key=lambda k: -_relevance(elements[k], wanted))
    return tuple(elements[k] for k in sorted(order[:most]))


def _relevance(element: Element, wanted: frozenset[str]) -> float:
    # A word shared with the goal outweighs everything else. The status bar comes before other
    # touchable elements: the notification shade is pulled down from it.
    shared = len(_words(f"{element.text} {element.description}") & wanted)
    can_touch = element.role in _TOUCHED and element.enabled
    return 2.0 * shared + (1.5 if element.role == _STATUS else 1.0 if can_touch else 0.0)


def _words(text: str) -> frozenset[str]:
    """Longer words in lower case and singular, for matching labels with goals."""
    found = (word.casefold().strip("'.-") for word in _WORD.findall(text))
    return frozenset(word.removesuffix("s") for word in found if len(word) > _SMALL)


def _shortened(element: Element, most: int) -> Element:
    """Text cut to `most` characters; the description only where there is no text."""
    added = "" if element.text else _cut(element.description, most)
    return replace(element, text=_cut(element.text, most), description=added)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _options(goal: str, shown: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """Legal actions of these kinds in the grammar; typing offers the spans of the goal."""
    numbers = [n for n, element in enumerate(shown.elements or (), 1) if element.enabled]
    for kind in (kind for kind in Kind if kind in kinds and kind.touches_point):
        yield from (f"{kind}({number})" for number in numbers)
    for direction in Direction if Kind.SWIPE in kinds else ():
        yield f"swipe({direction})"
        yield from (f"swipe({number}, {direction})" for number in numbers)
    if Kind.TYPE in kinds and actions.why_invalid(actions.type_text("x"), shown) is None:
        yield from (actions.to_text(actions.type_text(span)) for span in spans(goal))
    yield from (f"press({key})" for key in keys_of(kinds))
    alone = (Kind.WAIT, Kind.COMPLETE, Kind.INFEASIBLE)
    yield from (f"{kind}()" for kind in alone if kind in kinds)
    yield from _later_options(goal, shown, kinds)


def _later_options(goal: str, shown: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """Legal actions of the kinds that are not basic; answers are words of the goal or the screen.

    Elements are dragged some way, not onto each other: that would be an option for every pair.
    """
    elements = shown.elements or ()
    read = dict.fromkeys((*spans(goal), *(words for e in elements for words in e.words)))
    if Kind.DRAG in kinds:
        numbers = [n for n, element in enumerate(elements, 1) if element.enabled]
        yield from (f"drag({number}, {way})" for number in numbers for way in Direction)
    if Kind.OPEN_APP in kinds:
        yield from (actions.to_text(actions.open_app(words)) for words in read)
    if Kind.ANSWER in kinds:
        answers = dict.fromkeys((*actions.ANSWER_WORDS, *read))
        yield from (actions.to_text(actions.answer(words)) for words in answers)


def spans(goal: str) -> tuple[str, ...]:
    """All distinct spans of up to five consecutive words of a goal."""
    places = [match.span() for match in _WORD.finditer(goal)]
    found = (
        goal[places[first][0] : places[last][1]]
        for first in range(len(places))
        for last in range(first, min(first + _LONGEST_SPAN, len(places)))
    )
    return tuple(dict.fromkeys(found))


def parse_answer(text: str, prompt: Prompt) -> Action | None:
    """Parse the action that a model wrote; None for anything else."""
    return parse_action(text, prompt.elements)


def action_text(action: Action, prompt: Prompt) -> str | None:
    """Text of an action; None if the prompt does not offer it or it would parse as another."""
    text = write_action(action, prompt.elements)
    back = parse_action(text, prompt.elements)
    if back is None or text not in prompt.options or not _same(action, back):
        return None
    return text


def _same(one: Action, other: Action) -> bool:
    """Whether two actions are equal up to rounding of coordinates."""
    if one.kind.moves_finger:
        ways = actions.direction_of(one), actions.direction_of(other)
        if one.kind is not other.kind or ways[0] is not ways[1]:
            return False
    elif (one.kind, one.text, one.key) != (other.kind, other.text, other.key):
        return False
    # Text has three digits, so 0.002 is rounding; no element is that small.
    return abs(one.x - other.x) < 0.002 and abs(one.y - other.y) < 0.002
