from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageSequence
from tests.run.report.stories import episode_of

from distrl import actions
from distrl.run.report.moving import write_moving_picture
from distrl.types import Action, Episode, Outcome

PHONE = (slice(15, 415), slice(20, 200))
"""Rows and columns of the phone in a frame."""
WORDS = (slice(15, 415), slice(225, 610))
FINGER, GOOD, BAD = (0xD1, 0x24, 0x2F), (0x1A, 0x7F, 0x37), (0xB3, 0x59, 0x00)

Frame = npt.NDArray[np.int64]


def written(path: Path, *episodes: Episode) -> tuple[list[Frame], list[int]]:
    """Frames and their milliseconds, as somebody who opens the file sees them."""
    count = write_moving_picture(episodes, path)
    with Image.open(path) as picture:
        shown = [
            (np.asarray(frame.convert("RGB")).astype(np.int64), int(frame.info["duration"]))
            for frame in ImageSequence.Iterator(picture)
        ]
    assert count == len(shown)
    return [frame for frame, _ in shown], [milliseconds for _, milliseconds in shown]


def near(frame: Frame, color: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    """Where a frame has a colour; a GIF has few of them, so nearly will do."""
    return np.asarray(np.abs(frame - np.array(color)).max(-1) < 24)


def test_each_step_is_shown_before_and_while_it_is_done_and_the_end_stays_longest(
    tmp_path: Path,
) -> None:
    episode = episode_of([actions.tap(0.5, 0.5), actions.complete()])
    frames, milliseconds = written(tmp_path / "a.gif", episode)
    assert milliseconds == [450, 650, 450, 650, 1800]
    assert frames[0].shape == (430, 620, 3)
    shades = [np.median(frame[PHONE]) for frame in frames]
    assert shades == pytest.approx([200, 200, 200, 200, 90], abs=8)


def test_episodes_are_shown_one_after_the_other(tmp_path: Path) -> None:
    one, two = episode_of([actions.tap(0.1, 0.9)]), episode_of([actions.tap(0.9, 0.1)], id="e2")
    frames, _ = written(tmp_path / "a.gif", one, two)
    assert len(frames) == 6


def test_an_episode_whose_device_was_lost_has_no_last_screen(tmp_path: Path) -> None:
    lost = replace(episode_of([actions.tap(0.5, 0.5)], outcome=Outcome.DEVICE_LOST), final=None)
    _, milliseconds = written(tmp_path / "a.gif", lost)
    assert milliseconds == [450, 650]


@pytest.mark.parametrize(("ending", "format"), [(".gif", "GIF"), (".webp", "WEBP")])
def test_the_ending_of_the_name_decides_the_format(
    ending: str, format: str, tmp_path: Path
) -> None:
    path = tmp_path / f"a{ending}"
    write_moving_picture([episode_of([actions.tap(0.5, 0.5)])], path)
    with Image.open(path) as picture:
        assert picture.format == format
        assert picture.info["loop"] == 0


@pytest.mark.parametrize("episodes", [[], [replace(episode_of([]), final=None)]])
def test_nothing_to_show_is_an_error_and_writes_nothing(
    episodes: list[Episode], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="no episode to show"):
        write_moving_picture(episodes, tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def touched(action: Action, tmp_path: Path) -> npt.NDArray[np.bool_]:
    """Where the finger is drawn on the phone."""
    frames, _ = written(tmp_path / "a.gif", episode_of([action]))
    assert not near(frames[0][PHONE], FINGER).any()
    return near(frames[1][PHONE], FINGER)


@pytest.mark.parametrize(("x", "y"), [(0.5, 0.25), (0.2, 0.8)])
def test_a_tap_is_a_ring_around_the_place(x: float, y: float, tmp_path: Path) -> None:
    rows, columns = np.nonzero(touched(actions.tap(x, y), tmp_path))
    assert rows.mean() == pytest.approx(400 * y, abs=2)
    assert columns.mean() == pytest.approx(180 * x, abs=2)
    assert np.ptp(columns) == pytest.approx(24, abs=6)


def test_a_long_press_is_a_wider_ring_than_a_tap(tmp_path: Path) -> None:
    tap, held = (
        np.ptp(np.nonzero(touched(action, tmp_path))[1])
        for action in (actions.tap(0.5, 0.5), actions.long_press(0.5, 0.5))
    )
    assert held > tap + 4


def test_a_swipe_is_an_arrow_whose_head_is_where_it_ends(tmp_path: Path) -> None:
    drawn = touched(actions.swipe(0.5, 0.8, 0.5, 0.2), tmp_path)
    rows = np.nonzero(drawn.any(1))[0]
    assert (rows.min(), rows.max()) == (pytest.approx(80, abs=4), pytest.approx(320, abs=4))
    width = [np.ptp(np.nonzero(drawn[row])[0]) for row in (90, 310)]
    assert width[0] > 2 * width[1]


def test_nothing_is_drawn_where_nothing_is_touched(tmp_path: Path) -> None:
    assert not touched(actions.type_text("hello"), tmp_path).any()


@pytest.mark.parametrize(
    ("outcome", "shown", "other"),
    [(Outcome.SUCCEEDED, GOOD, BAD), (Outcome.FALSE_COMPLETE, BAD, GOOD)],
)
def test_how_it_ended_is_told_in_the_colour_of_it(
    outcome: Outcome, shown: tuple[int, int, int], other: tuple[int, int, int], tmp_path: Path
) -> None:
    frames, _ = written(tmp_path / "a.gif", episode_of([actions.complete()], outcome=outcome))
    assert near(frames[-1][WORDS], shown).any()
    assert not near(frames[-1][WORDS], other).any()
    assert not near(frames[0][WORDS], shown).any()


def test_a_long_episode_keeps_its_newest_lines_on_the_picture(tmp_path: Path) -> None:
    steps = [actions.tap(0.1 + 0.04 * number, 0.5) for number in range(13)]
    frames, _ = written(tmp_path / "a.gif", episode_of(steps))
    dark = [np.asarray((frame[WORDS] < 160).all(-1)) for frame in frames]
    bottoms = [np.nonzero(np.any(rows, axis=1))[0].max() for rows in dark]
    assert bottoms[21] > bottoms[1]
    assert max(bottoms[22:-1]) <= bottoms[21] + 2


def test_a_film_that_cannot_be_written_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "film.gif"
    write_moving_picture([episode_of([actions.tap(0.5, 0.5)])], out)
    before = out.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_moving_picture([episode_of([actions.wait()])], out)
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]
