"""Factors of robustness: what can be different about an embedded phone, by name."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Factor(StrEnum):
    """One way in which a phone differs from the phones that a policy knows."""

    DARK = "dark"
    FONT = "font"
    DENSITY = "density"
    LAYOUT = "layout"
    LANGUAGE = "language"
    ORDER = "order"
    CONTENT = "content"
    MISLEADING = "misleading"
    NUISANCES = "nuisances"
    SLOW_FRAMES = "slow_frames"
    DROPPED_FRAMES = "dropped_frames"


FONT_PERCENT = 125
"""Size of letters, in percent of the usual one: the second largest step of Android."""
ROOM = 6
"""Layout units by which rows are taller: the distance of the widest step of an app's settings."""
SLOW_SHARE = 0.3
"""Share of the actions after which the screen of before is still shown."""
DROPPED_SHARE = 0.1
"""Share of the actions after which nothing is shown."""

SETTINGS: Mapping[Factor, str] = {
    Factor.DARK: "dark colours, whatever the settings say",
    Factor.FONT: f"letters of {FONT_PERCENT} % in rows, buttons, fields and paragraphs",
    Factor.DENSITY: f"rows, buttons and fields {ROOM} units taller",
    Factor.LAYOUT: "layout 2 of every app",
    Factor.LANGUAGE: "German words on buttons, menus, titles and settings",
    Factor.ORDER: "menus, tabs, bars and unsorted lists in another order",
    Factor.CONTENT: "invented names of what the apps hold",
    Factor.MISLEADING: "misleading words at the foot of every page",
    Factor.NUISANCES: "a nuisance in every episode",
    Factor.SLOW_FRAMES: (
        f"{100 * SLOW_SHARE:.0f} % of the looks show the screen of one action before"
    ),
    Factor.DROPPED_FRAMES: f"{100 * DROPPED_SHARE:.0f} % of the looks show nothing",
}
"""What each one is set to, as tables say it."""
