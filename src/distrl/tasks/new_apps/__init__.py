"""Tasks in apps that no training task has: the split `unseen_app` of the general suite."""

from __future__ import annotations

from distrl.tasks.new_apps import cookbook, library, postcards, smart_home
from distrl.tasks.new_apps.common import NewAppTemplate

TEMPLATES: tuple[NewAppTemplate, ...] = (
    *cookbook.TEMPLATES,
    *postcards.TEMPLATES,
    *smart_home.TEMPLATES,
    *library.TEMPLATES,
)
