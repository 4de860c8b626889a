"""The shopping suite: search, compare, choose and buy in web shops."""

from __future__ import annotations

from distrl.tasks.shopping import (
    adding,
    asking,
    buying,
    cart,
    filtering,
    looking,
    missing,
    wishes,
)
from distrl.tasks.template import Template

TEMPLATES: tuple[Template, ...] = (
    *looking.TEMPLATES,
    *filtering.TEMPLATES,
    *adding.TEMPLATES,
    *cart.TEMPLATES,
    *wishes.TEMPLATES,
    *buying.TEMPLATES,
    *asking.TEMPLATES,
    *missing.TEMPLATES,
)
