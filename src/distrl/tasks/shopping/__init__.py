"""The shopping suite: search, compare, choose and buy in web shops."""

from __future__ import annotations

from distrl.tasks.template import Template

TEMPLATES: tuple[Template, ...] = ()
