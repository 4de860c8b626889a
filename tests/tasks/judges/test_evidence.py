from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tasks.judges.episodes import LINES, TASK, lost, make_episode, show

from distrl import actions
from distrl.tasks.judges.evidence import (
    Case,
    case_of,
    declared,
    no_evidence,
    undeclared,
    void,
)
from distrl.types import Action, Choice, Element, Episode, Kind, Observation, Outcome, Step


def _case(episode: Episode, most_screens: int = 2) -> Case:
    case = case_of(episode, most_screens=most_screens)
    assert case is not None
    return case


def _through(*screens: Observation) -> Episode:
    """An episode that taps its way through screens; the last one is where it ended."""
    steps = [
        Step(observation=seen, choice=Choice(action=actions.tap(0.5, 0.5))) for seen in screens
    ]
    return replace(make_episode(), steps=tuple(steps), final=screens[-1])


def test_the_case_has_goal_last_actions_and_last_screens() -> None:
    case = _case(make_episode())
    assert case.goal == TASK.goal
    assert [action.kind for action in case.actions] == [Kind.TAP, Kind.COMPLETE]
    assert case.final.elements == show(LINES).elements


def test_only_the_last_two_actions_are_shown() -> None:
    done = (actions.tap(0.1, 0.1), actions.type_text("Oat milk"), actions.complete())
    case = _case(make_episode(done=done))
    assert case.actions == done[-2:]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_screens_are_shown_than_asked_for_and_the_newest_are(most: int) -> None:
    screens = [show((f"Page {n}",)) for n in range(4)]
    case = _case(_through(*screens), most)
    assert [seen.elements for seen in case.shown] == [s.elements for s in screens[-most:]]


def test_screens_that_do_not_differ_count_once() -> None:
    case = _case(_through(show(("A",)), show(("B",)), show(("B",)), show(("B",))))
    assert [element.text for seen in case.shown for element in seen.elements or ()] == ["A", "B"]


@pytest.mark.parametrize("outcome", [Outcome.DEVICE_LOST, Outcome.TASK_ERROR])
def test_an_episode_that_a_fault_ended_is_no_case(outcome: Outcome) -> None:
    assert case_of(replace(make_episode(), outcome=outcome)) is None


def test_an_episode_without_steps_or_without_an_end_is_no_case() -> None:
    assert case_of(replace(make_episode(), steps=())) is None
    assert case_of(lost(make_episode())) is None


def test_words_are_texts_and_where_there_are_none_descriptions() -> None:
    elements = (
        Element("button", "Save", bounds=(0.0, 0.0, 1.0, 0.1)),
        Element("button", "", "Shutter", bounds=(0.0, 0.1, 1.0, 0.2)),
        Element("image", "", "", bounds=(0.0, 0.2, 1.0, 0.3)),
        Element("item", "Tea", "a drink", bounds=(0.0, 0.3, 1.0, 0.4)),
    )
    case = Case("goal", (), (replace(show(()), elements=elements),))
    assert case.words == ("Save", "Shutter", "Tea")


def test_a_phone_without_elements_has_no_words() -> None:
    assert Case("goal", (), (replace(show(LINES), elements=None),)).words == ()


def test_there_is_one_picture_per_screen() -> None:
    pictures = _case(make_episode()).pictures()
    assert len(pictures) == 2
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


def test_the_same_evidence_has_the_same_digest() -> None:
    assert _case(make_episode()).digest() == _case(make_episode()).digest()


@pytest.mark.parametrize(
    "changed",
    [
        make_episode(("Notes", "Oat milk")),
        make_episode(done=(actions.tap(0.5, 0.3), actions.complete())),
        make_episode(task=replace(TASK, goal="Write another note")),
    ],
)
def test_other_evidence_has_another_digest(changed: Episode) -> None:
    assert _case(changed).digest() != _case(make_episode()).digest()


def test_what_decides_the_digest_is_not_who_played_or_when() -> None:
    other = replace(make_episode(), id="e2", device="phone-9", started=5.0, ended=9.0)
    assert _case(other).digest() == _case(make_episode()).digest()


def test_a_goal_that_no_encoding_knows_has_a_digest_too() -> None:
    assert _case(make_episode(task=replace(TASK, goal="\ud800"))).digest()


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (actions.complete(), Kind.COMPLETE),
        (actions.infeasible(), Kind.INFEASIBLE),
        (actions.tap(0.5, 0.5), None),
        (actions.wait(), None),
    ],
)
def test_only_an_ending_action_declares_something(last: Action, said: Kind | None) -> None:
    assert declared(make_episode(done=(last,))) is said


def test_an_episode_without_steps_declares_nothing() -> None:
    assert declared(replace(make_episode(), steps=())) is None


def test_verdicts_without_a_look_say_why() -> None:
    assert void("j", "why").success is None
    assert no_evidence("j").success is None
    assert "fault" in no_evidence("j").reason
    assert undeclared("j").success is False
    assert {v.judge for v in (void("j", ""), no_evidence("j"), undeclared("j"))} == {"j"}
