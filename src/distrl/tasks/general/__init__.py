"""The general suite: everyday goals over all apps."""

from __future__ import annotations

from distrl.tasks.general import clock, notes
from distrl.tasks.template import Template

TEMPLATES: tuple[Template, ...] = (
    *clock.TEMPLATES,
    *notes.TEMPLATES,
)
