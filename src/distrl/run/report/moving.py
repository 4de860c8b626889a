"""Episodes as one moving picture: the phone, what is touched, and what is done in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from distrl.devices.phone.paint.fonts import font, wrap
from distrl.run.report.film import describe
from distrl.types import Action, Episode, Kind, Observation
from distrl.weights.atomic_files import write_whole

_WIDTH, _HEIGHT, _PHONE = 620, 430, (180, 400)
_LEFT, _TOP, _TEXT = 20, 15, 225
_INK, _SOFT, _PAPER, _FINGER, _GOOD, _BAD = (
    "#1f2328",
    "#59636e",
    "#ffffff",
    "#d1242f",
    "#1a7f37",
    "#b35900",
)
# Time to see the screen, to see what is touched, and to read how it ended.
_BEFORE_MS, _TOUCH_MS, _END_MS = 450, 650, 1800
_MOST_LINES = 11


def write_moving_picture(episodes: Sequence[Episode], path: Path) -> int:
    """Write a GIF or WebP that shows the episodes one after the other; its number of frames.

    The ending of the name decides which. ValueError when there is nothing to show. An earlier
    film of the same name stays until there is a whole new one.
    """
    frames = [frame for episode in episodes for frame in _frames(episode)]
    if not frames:
        raise ValueError("there is no episode to show")
    pictures = [picture for picture, _ in frames]
    drawn = BytesIO()
    pictures[0].save(
        drawn,
        path.suffix.removeprefix(".").upper(),
        save_all=True,
        append_images=pictures[1:],
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        optimize=True,
    )
    write_whole(path, drawn.getvalue())
    return len(frames)


def _frames(episode: Episode) -> Iterator[tuple[Image.Image, int]]:
    done: list[str] = []
    for step in episode.steps:
        yield _frame(episode, step.observation, None, done), _BEFORE_MS
        done.append(describe(step.choice.action, step.observation))
        yield _frame(episode, step.observation, step.choice.action, done), _TOUCH_MS
    if episode.final is not None:
        yield _frame(episode, episode.final, None, done, ended=True), _END_MS


def _frame(
    episode: Episode,
    seen: Observation,
    action: Action | None,
    done: Sequence[str],
    *,
    ended: bool = False,
) -> Image.Image:
    picture = Image.new("RGB", (_WIDTH, _HEIGHT), _PAPER)
    picture.paste(Image.fromarray(seen.screen).resize(_PHONE), (_LEFT, _TOP))
    pen = ImageDraw.Draw(picture)
    right, bottom = _LEFT + _PHONE[0], _TOP + _PHONE[1]
    pen.rounded_rectangle((_LEFT - 4, _TOP - 4, right + 3, bottom + 3), 10, outline=_INK, width=4)
    if action is not None:
        _touch(pen, action)
    y = _TOP + 4
    for line in wrap(episode.task.goal, 17, _WIDTH - _TEXT - 20):
        pen.text((_TEXT, y), line, _INK, font(17))
        y += 23
    y += 12
    first = max(0, len(done) - _MOST_LINES)
    for number, words in enumerate(done[first:], first + 1):
        current = number == len(done) and not ended
        pen.text((_TEXT, y), f"{number}  {words}", _INK if current else _SOFT, font(14))
        y += 22
    if ended:
        color = _GOOD if episode.succeeded else _BAD
        pen.text((_TEXT, y + 8), episode.outcome.replace("_", " "), color, font(16))
    return picture


def _touch(pen: ImageDraw.ImageDraw, action: Action) -> None:
    x, y = _LEFT + action.x * _PHONE[0], _TOP + action.y * _PHONE[1]
    if action.kind.touches_point:
        for radius in (12,) if action.kind is Kind.TAP else (10, 16):
            # A light halo below, so that the finger is seen on a dark screen too.
            for color, width in ((_PAPER, 7), (_FINGER, 3)):
                pen.circle((x, y), radius + (width - 3) / 2, outline=color, width=width)
    if action.kind.moves_finger:
        x2, y2 = _LEFT + action.x2 * _PHONE[0], _TOP + action.y2 * _PHONE[1]
        angle = math.atan2(y2 - y, x2 - x)
        barbs = [
            (x2 - 14 * math.cos(angle + t), y2 - 14 * math.sin(angle + t)) for t in (-0.6, 0.6)
        ]
        for color, width in ((_PAPER, 7), (_FINGER, 3)):
            pen.line((x, y, x2, y2), color, width)
            for barb in barbs:
                pen.line((*barb, x2, y2), color, width)
