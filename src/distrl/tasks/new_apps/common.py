"""What tasks in new apps share: an app is put on the phone first."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.control import Control
from distrl.devices.phone.launcher import PER_PAGE
from distrl.devices.phone.registry import find
from distrl.tasks.operations.wide_suite import SpokenTemplate
from distrl.tasks.wording.grammar import in_frame, typed

_FRAMED = 0.3


class NewAppTemplate(SpokenTemplate):
    """A goal in an app that phones do not have otherwise.

    Its requests are new, as the app is; frames and typing are those that training hears.
    """

    requests: tuple[str, ...]
    """Ways to ask, in lower case, that begin with a verb."""

    def say(self, rng: Random) -> str:
        """One of the requests, perhaps in a frame."""
        request = rng.choice(self.requests)
        if rng.random() < _FRAMED:
            request = in_frame(request, find(self.new_apps[0]).title, rng)
        return typed(request, rng)


def install(control: Control, app: str, rng: Random) -> None:
    """Put an app on the phone: its data, and an icon somewhere on the last home page."""
    control.write_root("apps", app, to=find(app).create(rng))
    control.write_system("installed", app, to="1.0")
    layouts = control.system["layouts"]
    control.write_system("layouts", app, to=layouts.get("launcher", 1))
    pages = [list(page) for page in control.state["apps"]["launcher"]["pages"]]
    if not pages or len(pages[-1]) >= PER_PAGE:
        pages.append([])
    pages[-1].insert(rng.randrange(len(pages[-1]) + 1), app)
    control.write_root("apps", "launcher", "pages", to=pages)
