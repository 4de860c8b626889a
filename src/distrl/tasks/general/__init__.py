"""The general suite: everyday goals over all apps."""

from __future__ import annotations

from distrl.tasks.general import (
    browser,
    calculator,
    calendar,
    camera,
    clock,
    contacts,
    files,
    gallery,
    mail,
    maps,
    messages,
    music,
    notes,
    phone,
    settings,
    store,
    system,
    todo,
    video,
    weather,
)
from distrl.tasks.template import Template

TEMPLATES: tuple[Template, ...] = (
    *browser.TEMPLATES,
    *calculator.TEMPLATES,
    *calendar.TEMPLATES,
    *camera.TEMPLATES,
    *clock.TEMPLATES,
    *contacts.TEMPLATES,
    *files.TEMPLATES,
    *gallery.TEMPLATES,
    *mail.TEMPLATES,
    *maps.TEMPLATES,
    *messages.TEMPLATES,
    *music.TEMPLATES,
    *notes.TEMPLATES,
    *phone.TEMPLATES,
    *settings.TEMPLATES,
    *store.TEMPLATES,
    *system.TEMPLATES,
    *todo.TEMPLATES,
    *video.TEMPLATES,
    *weather.TEMPLATES,
)
