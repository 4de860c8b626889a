from __future__ import annotations

import pytest

from distrl.tasks.pools import normalise
from distrl.tasks.wording import frames
from distrl.tasks.wording.frames import fitting, framed

EVERY = (*frames.HEARD, *frames.HELD)


@pytest.mark.parametrize("frame", EVERY)
def test_a_frame_has_one_place_for_the_request_and_says_it_unchanged(frame: str) -> None:
    assert frame.count("<do>") == 1
    said = framed(frame, "Text {person} Hello There", "Messages")
    assert said.count("Text {person} Hello There") == 1
    assert "<" not in said
    assert ("Messages" in said) is ("<app>" in frame)


@pytest.mark.parametrize("known", [frames.HEARD, frames.HELD], ids=["heard", "held"])
def test_no_frame_comes_twice(known: tuple[str, ...]) -> None:
    assert len({normalise(frame) for frame in known}) == len(known)


@pytest.mark.parametrize("known", [frames.HEARD, frames.HELD], ids=["heard", "held"])
def test_every_frame_fits_a_request_that_belongs_to_an_app(known: tuple[str, ...]) -> None:
    assert fitting(known, "open the note {title}", "Notes") == known


@pytest.mark.parametrize("known", [frames.HEARD, frames.HELD], ids=["heard", "held"])
def test_frames_that_name_an_app_need_one(known: tuple[str, ...]) -> None:
    left = fitting(known, "swipe up", "")
    assert set(known) - set(left) == {frame for frame in known if "<app>" in frame}
    assert set(known) > set(left)


@pytest.mark.parametrize("request_", ["wake me at {time}", "show me the way", "get me up"])
def test_a_request_about_me_is_not_what_i_do_myself(request_: str) -> None:
    said = [framed(frame, request_, "Clock") for frame in fitting(EVERY, request_, "Clock")]
    mine = ("i want to ", "i need to ", "i have to ", "i would like to ", "let's ", "gotta ")
    assert not [goal for goal in said if goal.startswith(mine)]
    assert any(goal.startswith("i want you to ") for goal in said)


@pytest.mark.parametrize("request_", ["open the menu", "call {me}", "message {person}", "name it"])
def test_me_inside_another_word_is_nobody(request_: str) -> None:
    own = "i need to <do>"
    expected = request_ != "call {me}"
    assert (own in fitting(frames.HEARD, request_, "")) is expected
