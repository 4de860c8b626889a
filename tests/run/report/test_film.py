import base64
import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from tests.run.report.stories import episode_of, screen

from distrl import actions
from distrl.run.report.film import MOST_FRAMES, describe, film_strip
from distrl.types import Action, Element, Key, Outcome

BUTTON = Element("button", text="Save", bounds=(0.4, 0.4, 0.6, 0.6))
ICON = Element("image", description="Delete", bounds=(0.8, 0.0, 1.0, 0.2))
PLAIN = Element("switch", bounds=(0.0, 0.8, 0.2, 1.0))
SCREEN = screen(BUTTON, ICON, PLAIN)


def frames_of(html: str) -> list[Image.Image]:
    found = re.findall(r"data:image/webp;base64,([A-Za-z0-9+/=]+)", html)
    return [Image.open(BytesIO(base64.b64decode(data))) for data in found]


def numbers_of(html: str) -> list[str]:
    return re.findall(r"<small>(\w+)</small>", html)


def test_a_short_episode_is_shown_step_by_step_and_how_it_ended() -> None:
    html = film_strip(episode_of([actions.tap(0.5, 0.5), actions.complete()]))
    assert numbers_of(html) == ["1", "2", "end"]
    shades = [np.asarray(frame).mean() for frame in frames_of(html)]
    assert shades == pytest.approx([200, 200, 90], abs=4)
    assert "tap Save" in html
    assert "succeeded" in html


def test_of_a_long_episode_the_first_the_last_and_some_between_are_shown() -> None:
    numbers = numbers_of(film_strip(episode_of([actions.wait()] * 30)))
    assert len(numbers) == MOST_FRAMES
    assert numbers[0] == "1"
    assert numbers[-2:] == ["30", "end"]
    gaps = np.diff([int(number) for number in numbers[:-1]])
    assert gaps.max() - gaps.min() <= 1


def test_large_screens_are_made_smaller_and_keep_their_shape() -> None:
    episode = episode_of([actions.wait()])
    large = screen(size=(2400, 1080))
    shown = frames_of(film_strip(replace(episode, final=large)))
    assert shown[-1].size == (180, 400)


@pytest.mark.parametrize(
    ("action", "drawn"),
    [
        (actions.tap(0.5, 0.25), ['<circle class="finger" cx="9.0" cy="10.0"']),
        (actions.long_press(0.5, 0.25), ['r="0.9"', 'r="1.6"']),
        (actions.swipe(0.5, 0.75, 0.5, 0.25), ['<path class="finger" d="M9.0 30.0L9.0 10.0M']),
    ],
)
def test_the_finger_is_drawn_where_it_touched(action: Action, drawn: list[str]) -> None:
    html = film_strip(episode_of([action]))
    for part in drawn:
        assert part in html


@pytest.mark.parametrize("action", [actions.wait(), actions.complete(), actions.type_text("hello")])
def test_nothing_is_drawn_where_nothing_was_touched(action: Action) -> None:
    html = film_strip(episode_of([action]))
    assert "finger" not in html


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (actions.tap(0.5, 0.5), "tap Save"),
        (actions.long_press(0.9, 0.1), "hold Delete"),
        (actions.tap(0.1, 0.9), "tap switch"),
        (actions.tap(0.1, 0.1), "tap nothing"),
        (actions.swipe(0.5, 0.8, 0.5, 0.2), "swipe up"),
        (actions.type_text("a\n b"), "type “a b”"),
        (actions.type_text("x" * 100), f"type “{'x' * 39}…”"),
        (actions.type_text(""), "type nothing"),
        (actions.press(Key.BACK), "press back"),
        (actions.infeasible(), "infeasible"),
        (actions.double_tap(0.5, 0.5), "tap twice Save"),
        (actions.drag(0.5, 0.8, 0.5, 0.2), "drag up"),
        (actions.answer("7:30"), "answer “7:30”"),
        (actions.open_app("Clock"), "open “Clock”"),
    ],
)
def test_actions_are_told_in_the_words_of_what_they_hit(action: Action, words: str) -> None:
    assert describe(action, SCREEN) == words


def test_a_penalised_step_is_marked_by_name() -> None:
    html = film_strip(episode_of([actions.wait()], penalties={"repeat": -0.1, "invalid": 0.0}))
    assert '<span class="badge bad">repeat</span>' in html
    assert "invalid" not in html


def test_an_episode_whose_device_was_lost_has_no_end() -> None:
    episode = episode_of([actions.wait()], outcome=Outcome.DEVICE_LOST)
    lost = replace(episode, final=None)
    assert numbers_of(film_strip(lost)) == ["1"]


def test_goals_and_typed_text_are_escaped() -> None:
    hostile = "<script>alert('1')</script>\"&"
    html = film_strip(
        episode_of(
            [actions.type_text(hostile)], goal=hostile, template=hostile, penalties={hostile: 1}
        )
    )
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 5
