from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.contracts.judge import JudgeContract
from tests.tasks.judges.episodes import LINES, TASK, draw_screen, make_episode

from distrl import actions
from distrl.errors import ConfigError
from distrl.interfaces import Judge
from distrl.tasks.judges import OcrJudge
from distrl.tasks.judges.ocr import named_values, rapid_reader, stands_in
from distrl.types import Episode, Outcome, Pixels, Verdict


class Words:
    """A reader that knows an episode's last screen, which is read first, and its first."""

    def __init__(self, *lines: str, before: tuple[str, ...] = ()) -> None:
        self._said = iter((lines, before))

    def __call__(self, screen: Pixels) -> Sequence[str]:
        return next(self._said)


class ReadsElements:
    """Stands in for the reader, by the elements of the episode that is judged."""

    name = "ocr"

    def judge(self, episode: Episode) -> Verdict:
        assert episode.final is None or episode.final.elements is not None
        words = tuple(e.text for e in episode.final.elements or ()) if episode.final else ()
        return OcrJudge(Words(*words)).judge(episode)


def fails(screen: Pixels) -> Sequence[str]:
    raise MemoryError("too large")


class TestOcrJudge(JudgeContract):
    def make_judge(self) -> Judge:
        return ReadsElements()

    def make_broken_judge(self) -> Judge:
        return OcrJudge(fails)


def test_values_of_the_goal_on_the_last_screen_are_a_success() -> None:
    verdict = OcrJudge(Words(*LINES)).judge(make_episode())
    assert verdict.success is True
    assert "Oat milk" in verdict.reason


def test_a_value_that_is_missing_is_a_failure_and_named() -> None:
    verdict = OcrJudge(Words("Notes", "Call the plumber")).judge(make_episode())
    assert verdict.success is False
    assert "Oat milk" in verdict.reason


@pytest.mark.parametrize(("before", "success"), [(("Oat milk", "00:00"), None), (("Notes",), True)])
def test_what_stood_there_before_anything_was_done_shows_nothing(
    before: tuple[str, ...], success: bool | None
) -> None:
    assert OcrJudge(Words(*LINES, before=before)).judge(make_episode()).success is success


def test_a_screen_that_talks_about_success_is_void_even_with_the_value() -> None:
    words = Words("Oat milk", "Task completed", "successfully")
    assert OcrJudge(words).judge(make_episode()).success is None


def test_a_goal_without_values_is_void() -> None:
    task = replace(TASK, goal="Mute the phone", parameters={"on": True})
    assert OcrJudge(Words("Sound")).judge(make_episode(task=task)).success is None


def test_that_something_cannot_be_done_is_not_read_from_a_screen() -> None:
    episode = make_episode(done=(actions.infeasible(),), outcome=Outcome.FAILED)
    assert OcrJudge(Words(*LINES)).judge(episode).success is None


def test_values_are_those_that_the_goal_says() -> None:
    task = replace(
        TASK,
        goal="Set an alarm for 7:30 AM called Run",
        parameters={"time": "7:30 AM", "label": "Run", "minutes": 450, "on": True},
    )
    assert named_values(task) == ("7:30 AM", "Run")


@pytest.mark.parametrize(
    ("line", "stands"),
    [
        ("Oat milk", True),
        ("OATMILK", True),
        ("0at milk", True),
        ("Oat milk, 2 l", True),
        ("Soy milk", False),
        ("The note that is called Oat milk is not there", False),
        ("", False),
    ],
)
def test_a_value_has_to_be_most_of_its_line(line: str, stands: bool) -> None:
    assert stands_in("Oat milk", ["Notes", line]) is stands


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(ConfigError, match=r"distrl\[ocr\]"):
        OcrJudge()


@pytest.mark.slow
def test_rapidocr_reads_a_phone_screen() -> None:
    pytest.importorskip("rapidocr")
    assert stands_in("Call the plumber", rapid_reader()(draw_screen(LINES)))


def test_every_value_must_be_there() -> None:
    task = replace(
        TASK,
        goal="Text Amara Okonjo: on my way",
        parameters={"p": "Amara Okonjo", "t": "on my way"},
    )
    for lines, success in (
        (("Amara Okonjo",), False),
        (("on my way",), False),
        (("Amara Okonjo", "on my way"), True),
    ):
        assert OcrJudge(Words(*lines)).judge(make_episode(task=task)).success is success


def test_one_of_two_values_that_was_there_before_does_no_harm() -> None:
    task = replace(
        TASK,
        goal="Text Amara Okonjo: on my way",
        parameters={"p": "Amara Okonjo", "t": "on my way"},
    )
    words = Words("Amara Okonjo", "on my way", before=("Amara Okonjo",))
    assert OcrJudge(words).judge(make_episode(task=task)).success is True


def test_what_must_be_there_can_be_said_by_somebody_else() -> None:
    judge = OcrJudge(Words("Saved"), expected=lambda task: ("Saved",))
    assert judge.judge(make_episode()).success is True


def test_a_blank_screen_is_void() -> None:
    blank = make_episode(())
    assert OcrJudge(Words()).judge(blank).success is None
    assert "blank" in OcrJudge(Words()).judge(blank).reason


def test_an_agent_that_never_declared_an_end_has_failed_without_a_look() -> None:
    episode = make_episode(done=(actions.tap(0.5, 0.5),), outcome=Outcome.STEP_LIMIT)
    assert OcrJudge(fails).judge(episode).success is False


def test_a_reader_that_fails_is_void_and_says_why() -> None:
    verdict = OcrJudge(fails).judge(make_episode())
    assert verdict.success is None
    assert "too large" in verdict.reason


@pytest.mark.parametrize(
    ("goal", "parameters", "values"),
    [
        ("Turn on Wi-Fi", {"setting": "Wi-Fi", "switch": "on"}, ("Wi-Fi", "on")),
        ("Turn it on", {"setting": "Wi-Fi"}, ()),
        ("Set 12 minutes", {"minutes": 12}, ("12",)),
        ("Mute it", {"on": True, "sign": "!"}, ()),
    ],
)
def test_only_what_the_goal_says_word_for_word_is_looked_for(
    goal: str, parameters: dict[str, object], values: tuple[str, ...]
) -> None:
    task = replace(TASK, goal=goal, parameters=parameters)  # type: ignore[arg-type]
    assert named_values(task) == values
