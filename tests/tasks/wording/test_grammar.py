from __future__ import annotations

from random import Random

from distrl.tasks.pools import normalise
from distrl.tasks.wording import frames
from distrl.tasks.wording.grammar import in_frame, say
from distrl.tasks.wording.words import read_words

_WORDS = read_words(
    """
call @ Phone
  do       call {person} / ring {person}
  bit      call to {person}
  new do   dial {person}
  new bit  line to {person}
"""
)["call"]


def _said(held: bool) -> set[str]:
    return {say(_WORDS, Random(seed), held=held) for seed in range(300)}


def test_a_seed_decides_the_wording() -> None:
    first = [say(_WORDS, Random(7)) for _ in range(3)]
    assert len(set(first)) == 1
    assert len(_said(held=False)) > 30


def test_what_is_held_out_is_never_heard() -> None:
    heard = {normalise(goal) for goal in _said(held=False)}
    assert heard.isdisjoint(normalise(goal) for goal in _said(held=True))


def test_every_goal_keeps_the_place_of_its_value() -> None:
    assert all("{person}" in goal for goal in _said(held=True) | _said(held=False))


def test_no_frame_is_both_heard_and_held_out() -> None:
    heard = {normalise(frame) for frame in frames.HEARD}
    assert heard.isdisjoint(normalise(frame) for frame in frames.HELD)


def test_a_request_that_belongs_to_no_app_names_none() -> None:
    said = {in_frame("swipe", "", Random(seed)) for seed in range(200)}
    assert not any("<" in frame for frame in said)
    assert len(said) == sum("<app>" not in frame for frame in frames.HEARD)


def test_nobody_has_to_wake_himself() -> None:
    known = frames.fitting(frames.HEARD, "wake me at {time}", "Clock")
    assert "i need to <do>" not in known
    assert "please <do>" in known
    assert "i need to <do>" in frames.fitting(frames.HEARD, "wake up", "Clock")
