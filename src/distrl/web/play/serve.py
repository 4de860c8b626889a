"""`play`: a suite's device in a browser page, until somebody says stop."""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from distrl.checks import require_path, require_port, require_seed, require_text, require_texts
from distrl.collect.evaluation.evaluate import PolicyFactory
from distrl.config import RunConfig
from distrl.config.devices import PhoneConfig
from distrl.envs.device_kinds import device_factory
from distrl.interfaces import Device
from distrl.run.builders.android import phone_maker
from distrl.run.state.demonstrations import require_demonstrations_folder
from distrl.tasks.suites import find_task
from distrl.types import Task
from distrl.web.play.app import Stage, make_app
from distrl.web.play.catalogue import Catalogue, offered_policies
from distrl.web.play.session import Session, SessionParts
from distrl.web.serve import Place, Served, Site, serving_site

DEMONSTRATIONS = Path("demonstrations")
"""Folder that episodes are kept in by default."""
_TURN_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """What is played, and by whom."""

    suite: str = "general"
    split: str = "train"
    task: str | None = None
    """The first task, such as general/val/0; it decides the suite and the split."""
    policies: Sequence[str] = ()
    """Those that are offered first; the first of them acts. Without any, the person does."""
    own_policies: Mapping[str, PolicyFactory] = field(default_factory=dict)
    """Policies that `policies` may name beside the known ones, such as a prompted model."""
    demonstrations: Path = DEMONSTRATIONS
    phone: PhoneConfig | None = None
    """How embedded phones are made."""
    android: RunConfig | None = None
    """Settings of the phone over adb that is played on; None for what the suite is for."""
    seed: int = 0
    """Of the policies' own draws; the tasks are always the same."""


def play(  # noqa: PLR0913 - the options of a whole command, each with its default
    suite: str = "general",
    split: str = "train",
    *,
    task: str | None = None,
    policy: str | Sequence[str] = (),
    demonstrations: str | Path = DEMONSTRATIONS,
    port: int = 0,
    open_browser: bool = True,
    seed: int = 0,
) -> None:
    """Serve the page on this machine until Ctrl-C; prints its address.

    `policy` is a name such as `pretrained` or `scripted`, the folder of a run, or several of them;
    the first acts, and the others can be chosen on the page. Episodes that are kept go to the
    folder `demonstrations`. ConfigError for anything that there is not.
    """
    require_text("suite", suite, such_as="general")
    require_text("split", split, such_as="train")
    if task is not None:
        require_text("task", task, such_as="general/val/0")
    if not isinstance(policy, str):
        require_texts("policy", policy, such_as="pretrained")
    require_path("demonstrations", demonstrations)
    require_port(port)
    require_seed(seed)
    show = Show(
        suite=suite,
        split=split,
        task=task,
        policies=(policy,) if isinstance(policy, str) else tuple(policy),
        demonstrations=Path(demonstrations),
        seed=seed,
    )
    with playing(show, Place(port=port)) as served:
        print(f"Play here: {served.address}\nCtrl-C ends it.", flush=True)  # noqa: T201
        if open_browser:
            open_page(served.address)
        with suppress(KeyboardInterrupt):
            _wait_for_ever()


@contextmanager
def playing(show: Show, place: Place) -> Iterator[Served]:
    """Serve a session for the time of a `with`; ConfigError before anything is served."""
    require_demonstrations_folder(show.demonstrations)
    first = find_task(show.task) if show.task is not None else None
    catalogue = Catalogue.of(show.suite if first is None else first.suite)
    first = first or catalogue.tasks(show.split)[0]
    offers = offered_policies(
        catalogue.loaded, show.policies, seed=show.seed, own=show.own_policies
    )
    with ExitStack() as opened:
        if show.android is None:
            make_device = _device_maker(first, show.phone)
        else:
            make_device = opened.enter_context(phone_maker(show.android))
        session = Session(
            SessionParts(
                make_device=make_device, policies=offers, demonstrations=show.demonstrations
            ),
            first,
            policy=show.policies[0] if show.policies else "",
        )
        opened.callback(session.close)
        stage = Stage(session, catalogue, tuple(offers), show.demonstrations)
        site = serving_site(lambda _: _site(stage), replace(place, allow_control=True))
        yield opened.enter_context(site)


def _wait_for_ever() -> None:
    while True:
        time.sleep(_TURN_SECONDS)


def open_page(address: str) -> bool:
    """Open an address in the browser of this desktop, if there is one; whether it was tried."""
    if not has_desktop():
        return False
    return webbrowser.open(address)


def has_desktop() -> bool:
    """Whether somebody sits at this machine, as far as its variables tell."""
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _device_maker(task: Task, phone: PhoneConfig | None) -> Callable[[], Device]:
    """What makes the session's device, and a new one after a fault."""
    factory = device_factory(task.suite, phone=phone)
    numbers = count()
    return lambda: factory.make_device(f"played-{next(numbers)}")


def _site(stage: Stage) -> Site:
    return Site(make_app(stage), stage.close)
