"""Questions about what the apps hold. They are a suite of their own: general stays as it is."""

from __future__ import annotations

from distrl.tasks.questions import media, people, places, plans, tools
from distrl.tasks.template import Template

TEMPLATES: tuple[Template, ...] = (
    *plans.TEMPLATES,
    *people.TEMPLATES,
    *places.TEMPLATES,
    *media.TEMPLATES,
    *tools.TEMPLATES,
)
