from __future__ import annotations

import pytest
from tests.envs.fakes import make_observation, make_task

from distrl import actions
from distrl.types import Action, Choice, Episode, Outcome, Step, Verdict
from distrl.web.play.snapshot import Snapshot, begun, describe, ending_of

SEEN = make_observation()


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (actions.tap(0.3, 0.25), "tap “Save”"),
        (actions.long_press(0.3, 0.25), "hold “Save”"),
        (actions.tap(0.95, 0.95), "tap the screen, bottom right"),
        (actions.tap(0.5, 0.45), "tap the screen, middle"),
        (actions.swipe(0.5, 0.7, 0.5, 0.3), "swipe up"),
        (actions.type_text("Ada\nLovelace"), "type “Ada Lovelace”"),
        (actions.type_text("a" * 100), f"type “{'a' * 59}…”"),
        (actions.press("back"), "press Back"),
        (actions.wait(), "wait"),
        (actions.complete(), "say it is done"),
        (actions.infeasible(), "say it cannot be done"),
        (actions.press("recents"), "press Recents"),
        (actions.double_tap(0.3, 0.25), "tap twice “Save”"),
        (actions.drag(0.3, 0.25, 0.9, 0.25), "drag “Save” right"),
        (actions.answer("7:30"), "answer “7:30”"),
        (actions.open_app("Clock"), "open “Clock”"),
    ],
)
def test_an_action_is_told_in_words(action: Action, words: str) -> None:
    assert describe(action, SEEN) == words


def ended(outcome: Outcome, action: Action, *effects: str) -> Episode:
    success = outcome is Outcome.SUCCEEDED
    return Episode(
        id="one",
        task=make_task(),
        steps=(Step(observation=SEEN, choice=Choice(action=action)),),
        final=SEEN,
        outcome=outcome,
        verdicts=(Verdict(judge="state", success=success, side_effects=effects),),
        device="fake-0",
        started=0.0,
        ended=1.0,
    )


def test_every_outcome_has_words_of_its_own() -> None:
    told = {ending_of(ended(outcome, actions.complete())).reason for outcome in Outcome}
    assert len(told) == len(Outcome)


def test_side_effects_are_named_even_of_a_success() -> None:
    ending = ending_of(ended(Outcome.SUCCEEDED, actions.complete(), "notes.items.3"))
    assert ending.success
    assert ending.side_effects == ("notes.items.3",)


def test_what_cannot_be_done_and_was_said_so_is_a_success() -> None:
    ending = ending_of(ended(Outcome.SUCCEEDED, actions.infeasible()))
    assert "cannot be done" in ending.reason


def test_only_what_can_be_trained_on_can_be_kept() -> None:
    kept = [o for o in Outcome if ending_of(ended(o, actions.complete())).can_be_kept]
    assert kept == [o for o in Outcome if o.trainable]


def test_a_new_episode_keeps_whose_turn_it_is_and_how_fast() -> None:
    before = Snapshot(
        number=7, policy="scripted", running=False, pace=2.0, notice="bad", taken=True
    )
    now = begun(before, make_task())
    assert (now.number, now.policy, now.running, now.pace) == (7, "scripted", False, 2.0)
    assert (now.notice, now.taken, now.history) == ("", True, ())
