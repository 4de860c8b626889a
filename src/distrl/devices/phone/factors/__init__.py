"""What makes an embedded phone differ from others, one factor at a time.

reset(seed) --draw_factor--> names in state["factors"] --look_of--> Look of every View

dark font density language order misleading    how a state is shown: `ui/look.py` and the toolkit
layout nuisances                               the phone's own settings
content order                                  `records.py`: names and order of what apps hold
slow_frames dropped_frames                     `frames.py`: which screen an observation shows
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from distrl.config.factors import Factor


def draw_factor(offered: Sequence[Factor], seed: int) -> tuple[Factor, ...]:
    """At most one of the factors, each as likely as none; it follows from the seed alone."""
    # A generator of its own: what else is drawn for a seed does not depend on the factors.
    drawn = Random(f"factor {seed}").choice((None, *offered))
    return () if drawn is None else (drawn,)
