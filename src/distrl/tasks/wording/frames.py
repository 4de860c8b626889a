"""Frames that people put around a request, heard in training or held out of it.

A frame has the place `<do>` for the request and may name the app at `<app>`. Frames that name an
app are left out for requests that belong to none.
"""

from __future__ import annotations

import re

from distrl.devices.phone.content.tables.reader import phrases

_DO, _APP = "<do>", "<app>"
_ME = re.compile(r"\bme\b")
_OWN = ("i want to <", "i would like to <", "i need to <", "i have to <", "let's <", "gotta <")
"""Frames in which the speaker acts: nobody has to wake me up if I am the one."""

HEARD = phrases(
    """
    <do>; please <do>; <do>, please; can you <do>?; could you please <do>?; i want to <do>
    i would like to <do>; i need to <do>; i want you to <do>; hi, <do>; let's <do>
    now <do>; your task is to <do>; can you please <do>?; you should <do>; in <app>, <do>
    use <app> to <do>; in the <app> app, <do>; go to <app> and <do>
    """
)
"""Frames of the training tasks."""

HELD = phrases(
    """
    pls <do>; <do> thx; hey can u <do>; i'd like you to <do>; help me <do>; go ahead and <do>
    would you be so kind as to <do>; i was wondering if you could <do>; just <do>; <do> asap
    one more thing, <do>; do me a favor and <do>; any chance you could <do>?; quick, <do>
    i have to <do>; <do> when you get a chance; ok so <do>; gotta <do>; <do>, thanks in advance
    hop into <app> and <do>; <do> - <app> should do it; with <app> pls <do>
    """
)
"""Frames that only the split `worded` has."""


def framed(frame: str, request: str, app: str) -> str:
    """A request inside a frame."""
    return frame.replace(_APP, app).replace(_DO, request)


def fitting(frames: tuple[str, ...], request: str, app: str) -> tuple[str, ...]:
    """The frames that a request can stand in; those that name an app need one."""
    about_me = _ME.search(request) is not None
    return tuple(
        frame
        for frame in frames
        if (app or _APP not in frame) and not (about_me and frame.startswith(_OWN))
    )
