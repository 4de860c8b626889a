from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.policies.lm.tiny import situation

from distrl import actions
from distrl.actions import Direction
from distrl.config.policies import LmConfig
from distrl.policies.lm.prompt import (
    action_text,
    build_prompt,
    choose_elements,
    parse_answer,
    spans,
)
from distrl.types import Action, Element, Kind, Situation


def crowded() -> Situation:
    return situation("Turn off Bluetooth", labels=tuple(f"Item {k}" for k in range(20)))


def with_elements(asked: Situation, *more: Element) -> Situation:
    seen = asked.observation
    seen = dataclasses.replace(seen, elements=(*(seen.elements or ()), *more))
    return dataclasses.replace(asked, observation=seen)


def test_no_more_elements_are_listed_than_wanted() -> None:
    prompt = build_prompt(crowded(), LmConfig(elements=8))
    assert len(prompt.elements) == 8
    assert "8 Item 7\n" in prompt.text
    assert "9 Item" not in prompt.text


def test_what_the_goal_names_is_listed_wherever_it_stands() -> None:
    named = Element(role="switch", text="Bluetooth", checked=True, bounds=(0, 0.95, 1, 1))
    prompt = build_prompt(with_elements(crowded(), named), LmConfig(elements=4))
    assert prompt.elements[-1] is named
    assert "4 Bluetooth on\n" in prompt.text


def test_the_status_bar_stays_in_the_list() -> None:
    bar = Element(role="status", description="Status bar", bounds=(0, 0, 1, 0.03))
    assert bar in choose_elements(with_elements(crowded(), bar), 5)


def test_the_goal_is_told_first_and_the_answer_is_asked_for_last() -> None:
    prompt = build_prompt(situation(), LmConfig())
    assert prompt.goal == "Goal: Open the chat with Ann Lee\n"
    assert prompt.text.endswith("\nAction:")


def test_a_model_can_be_told_as_prompted_agents_are() -> None:
    prompt = build_prompt(situation(), LmConfig(brief=False))
    assert '2 item "Ann Lee"' in prompt.text
    assert "App: messages" in prompt.text
    assert prompt.text.startswith("You operate a phone")


def test_labels_are_cut() -> None:
    prompt = build_prompt(situation(labels=("long " * 30,)), LmConfig(label=10))
    assert "1 long long…\n" in prompt.text


def test_a_disabled_element_cannot_be_touched() -> None:
    off = Element(role="button", text="Send", enabled=False, bounds=(0, 0.5, 1, 0.6))
    prompt = build_prompt(with_elements(situation(labels=("Ann",)), off), LmConfig())
    assert "tap(1)" in prompt.options
    assert "tap(2)" not in prompt.options


def test_typing_is_offered_only_where_a_field_is_focused() -> None:
    field = Element(role="field", focused=True, editable=True, bounds=(0, 0.5, 1, 0.6), text="Name")
    assert not any("type" in option for option in build_prompt(situation(), LmConfig()).options)
    prompt = build_prompt(with_elements(situation(), field), LmConfig())
    assert 'type("Ann Lee")' in prompt.options


def test_spans_are_stretches_of_the_goal() -> None:
    assert spans("Call Ann now") == ("Call", "Call Ann", "Call Ann now", "Ann", "Ann now", "now")


@pytest.mark.parametrize(
    "action",
    [
        actions.complete(),
        actions.press("back"),
        actions.swipe_towards(Direction.UP),
        actions.tap(0.5, 0.05),
    ],
    ids=lambda action: str(action.kind),
)
def test_an_action_is_said_in_words_that_are_an_option(action: Action) -> None:
    prompt = build_prompt(situation(), LmConfig())
    assert action_text(action, prompt) in prompt.options


def test_what_cannot_be_said_is_not() -> None:
    prompt = build_prompt(situation(), LmConfig())
    assert action_text(actions.tap(0.9, 0.93), prompt) is None
    assert action_text(actions.swipe(0.1, 0.9, 0.1, 0.2), prompt) is None
    assert action_text(actions.type_text("words of nobody"), prompt) is None


def test_eight_elements_take_at_most_120_words_and_signs() -> None:
    labels = tuple(f"Contact number {np.base_repr(k * 7919, 36)}" for k in range(12))
    prompt = build_prompt(situation(labels=labels), LmConfig())
    assert len(prompt.text) < 4 * 120


def test_actions_that_a_device_lacks_are_neither_named_nor_offered() -> None:
    kinds = frozenset({Kind.TAP, Kind.WAIT, Kind.COMPLETE})
    prompt = build_prompt(situation("Save it", labels=("Save",)), LmConfig(brief=False), kinds)
    assert set(prompt.options) == {"tap(1)", "wait()", "complete()"}
    for word in ("long_press", "swipe", "type(", "press(", "infeasible"):
        assert word not in prompt.lead
    assert "tap(N): touch the element with number N\nwait()\ncomplete()" in prompt.lead


def test_kinds_beyond_the_basic_ones_are_offered_to_who_is_told_of_them() -> None:
    prompt = build_prompt(situation(), LmConfig(), frozenset(Kind))
    for option in ("double_tap(1)", "drag(1, up)", "press(recents)", 'answer("yes")'):
        assert option in prompt.options
    read = [option for option in prompt.options if option.startswith("answer(")]
    assert any("Ann" in option for option in read), "words of the goal or the screen"
    for option in prompt.options:
        action = parse_answer(option, prompt)
        assert action is not None and action_text(action, prompt) is not None, option
    basic = build_prompt(situation(), LmConfig()).options
    assert set(basic) <= set(prompt.options)
    assert not any("recents" in option or option.startswith("answer") for option in basic)
