"""An episode as a strip of screens with what was done drawn on them, as HTML."""

from __future__ import annotations

import base64
import math
from html import escape
from io import BytesIO

from PIL import Image

from distrl import actions
from distrl.types import Action, Episode, Kind, Observation, Outcome, Pixels, Step

MOST_FRAMES = 8
"""Screens of one strip at most; the last one shows how it ended."""
_WIDTH = 180
"""Pixels of a screen in a strip; wider ones are made smaller."""
_QUALITY = 70
_MOST_TEXT = 40


def film_strip(episode: Episode) -> str:
    """A figure with goal, outcome and screens. Every text is escaped."""
    outcome = episode.outcome.replace("_", " ")
    chosen = _choose(len(episode.steps), MOST_FRAMES - (episode.final is not None))
    frames = [_step_frame(number, episode) for number in chosen]
    if episode.final is not None:
        frames.append(_frame(episode.final, None, "end", outcome))
    good = "good" if episode.outcome is Outcome.SUCCEEDED else "bad"
    return (
        f'<figure class="film"><figcaption><b>{escape(episode.task.goal)}</b><br>'
        f'<span class="badge {good}">{escape(outcome)}</span> '
        f"{escape(episode.task.template)}, {len(episode.steps)} steps</figcaption>"
        f'<div class="strip" tabindex="0">{"".join(frames)}</div></figure>'
    )


_VERBS = {Kind.TAP: "tap", Kind.LONG_PRESS: "hold", Kind.DOUBLE_TAP: "tap twice"}
_SAID = {Kind.TYPE: "type", Kind.ANSWER: "answer", Kind.OPEN_APP: "open"}


def describe(action: Action, observation: Observation) -> str:
    """An action in the words of what it hits."""
    if action.kind in _VERBS:
        verb = _VERBS[action.kind]
        element = actions.element_at(observation, action.x, action.y)
        words = (element.text or element.description or element.role) if element else ""
        return f"{verb} {_short(words)}" if words else f"{verb} nothing"
    if action.kind.moves_finger:
        return f"{action.kind} {actions.direction_of(action)}"
    if action.kind in _SAID:
        verb = _SAID[action.kind]
        return f"{verb} “{_short(action.text)}”" if action.text else f"{verb} nothing"
    if action.kind is Kind.PRESS:
        return f"press {action.key}"
    return str(action.kind)


def _choose(steps: int, most: int) -> list[int]:
    """Evenly spread steps, the first and the last among them."""
    if steps <= most:
        return list(range(steps))
    return [round(i * (steps - 1) / (most - 1)) for i in range(most)]


def _step_frame(number: int, episode: Episode) -> str:
    step: Step = episode.steps[number]
    action = step.choice.action
    words = describe(action, step.observation)
    penalised = ", ".join(sorted(name for name, value in step.penalties.items() if value))
    return _frame(step.observation, action, str(number + 1), words, penalised)


def _frame(
    observation: Observation, action: Action | None, number: str, words: str, penalised: str = ""
) -> str:
    picture, width, height = _encode(observation.screen)
    drawn = _draw(action, width, height) if action else ""
    snapshot = f' <span class="badge bad">{escape(penalised)}</span>' if penalised else ""
    return (
        f'<div class="frame"><svg viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(words)}"><image href="data:image/webp;base64,{picture}" '
        f'width="{width}" height="{height}"/>{drawn}</svg>'
        f"<p><small>{escape(number)}</small> {escape(words)}{snapshot}</p></div>"
    )


def _encode(screen: Pixels) -> tuple[str, int, int]:
    image = Image.fromarray(screen)
    if image.width > _WIDTH:
        height = max(1, round(image.height * _WIDTH / image.width))
        image = image.resize((_WIDTH, height), Image.Resampling.LANCZOS)
    data = BytesIO()
    image.save(data, "WEBP", quality=_QUALITY)
    return base64.b64encode(data.getvalue()).decode(), image.width, image.height


def _draw(action: Action, width: int, height: int) -> str:
    """The finger: a ring for a tap, two for a longer or second one, an arrow where it moves."""
    x, y = action.x * width, action.y * height
    if action.kind.touches_point:
        radii = (0.07,) if action.kind is Kind.TAP else (0.05, 0.09)
        return "".join(
            f'<circle class="{layer}" cx="{x:.1f}" cy="{y:.1f}" r="{radius * width:.1f}"/>'
            # A light halo below, so that the finger is seen on a dark screen too.
            for layer in ("halo", "finger")
            for radius in radii
        )
    if action.kind.moves_finger:
        path = _arrow(x, y, action.x2 * width, action.y2 * height, 0.08 * width)
        return "".join(f'<path class="{layer}" d="{path}"/>' for layer in ("halo", "finger"))
    return ""


def _arrow(x: float, y: float, x2: float, y2: float, head: float) -> str:
    """A line with two barbs at its end."""
    angle = math.atan2(y2 - y, x2 - x)
    barbs = [
        (x2 - head * math.cos(angle + turn), y2 - head * math.sin(angle + turn))
        for turn in (-0.6, 0.6)
    ]
    (ax, ay), (bx, by) = barbs
    return (
        f"M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}M{ax:.1f} {ay:.1f}L{x2:.1f} {y2:.1f}L{bx:.1f} {by:.1f}"
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_TEXT else f"{flat[: _MOST_TEXT - 1]}…"
