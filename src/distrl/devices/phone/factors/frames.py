"""Which screen a look shows on phones with the factors `slow_frames` and `dropped_frames`."""

from __future__ import annotations

from enum import Enum
from random import Random

from distrl.config.factors import DROPPED_SHARE, SLOW_SHARE, Factor
from distrl.devices.phone.state import State
from distrl.devices.phone.system import build_view
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget


class Frame(Enum):
    """What is seen after an action."""

    NEW = "new"
    OLD = "old"
    """The screen of before the action."""
    NONE = "none"
    """Nothing at all."""


def frame_after(state: State) -> Frame:
    """What is seen of a state that an action has led to; it follows from seed and phone time."""
    factors = state.get("factors", ())
    if Factor.SLOW_FRAMES not in factors and Factor.DROPPED_FRAMES not in factors:
        return Frame.NEW
    fate = Random(f"frame {state['seed']} {state['time']}").random()
    if Factor.DROPPED_FRAMES in factors and fate < DROPPED_SHARE:
        return Frame.NONE
    # From the other end, so that a phone may have both.
    late = Factor.SLOW_FRAMES in factors and fate > 1 - SLOW_SHARE
    return Frame.OLD if late else Frame.NEW


def view_of(frame: Frame, before: State) -> View:
    """The screen of before, or one of the same app on which nothing is to be seen."""
    view = build_view(before)
    if frame is Frame.OLD:
        return view
    nothing = View(view.app, view.page, dark=view.dark)
    nothing.widgets.append(Widget(("fill", (0, 0, 0)), 0, 0, WIDTH, HEIGHT))
    return nothing
