"""What an agent may never do on a real phone, enforced below the policy.

    policy --action--> GuardedDevice --allowed?--> device
                            |
                            +-- refused: counted, not carried out; the screen stays as it was

Three fences, each of which is closed unless somebody opens it:

- a device is used only if its serial was named;
- only the apps that were named may be used: none else is opened by its name, and in any other, the
  agent is led back by HOME. An app is
  in front if its window has the focus, and what is touched must be its own: the notification shade
  and the dialogs of the system belong to packages that have to be named as well. The keyboard and
  the navigation bar do not count;
- touches, texts and keys that would reset the phone, switch it off, call, send an SMS or pay are
  refused, by what the touched elements say. Where a screen has no elements, nothing is touched. In
  apps that call or send, nothing is touched that no element covers, and no button without a name.

Elsewhere a place that no element covers may be touched: it belongs to the app in front, and lists
are scrolled and keyboards used there.

A refused action is an action without effect: the agent can learn from that, and the episode goes
on. So is an action that the device cannot carry out, such as a text that it has no keys for. The
decision is pure, and made on what the policy saw. It is as good as the accessibility tree: an app
that gives its buttons wrong names, or none, is an app not to allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from distrl import actions
from distrl.config.devices import Danger as Danger  # rules are made of it
from distrl.config.devices import SafetyConfig
from distrl.devices.android import danger_words
from distrl.errors import ActionError, ConfigError, DeviceError
from distrl.interfaces import Device
from distrl.types import Action, Element, Key, Kind, Observation


class Fence(StrEnum):
    """What else an action can run into."""

    APP = "app"
    """It would happen in an app that is not allowed."""
    BLIND = "blind"
    """Nobody can tell what it would touch."""
    UNABLE = "unable"
    """The device has no way to carry it out."""


_TOUCHES = frozenset({Kind.TAP, Kind.LONG_PRESS, Kind.DOUBLE_TAP, Kind.SWIPE, Kind.DRAG})
_HARMLESS = frozenset({Kind.WAIT, Kind.COMPLETE, Kind.INFEASIBLE, Kind.ANSWER})
_HARMLESS_KEYS = frozenset({Key.BACK, Key.HOME, Key.RECENTS})
"""Keys that leave an app; where they lead is checked by the next look."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not carried out."""

    why: Danger | Fence
    words: str
    """What gave it away."""


def refusal(
    action: Action,
    seen: Observation,
    rules: SafetyConfig,
    packages: frozenset[str] = frozenset(),
    *,
    unlabelled: bool = False,
) -> Refusal | None:
    """Why an action must not be carried out on what the device shows; None when it may.

    `packages` own what lies where a touch begins, and where a drag ends, as far as the device
    tells. Of an app that is to be opened, it is the package; without one, nobody can tell.
    `unlabelled` says that a button is there whose name is only guessed from how its developer
    called it.
    """
    if action.kind in _HARMLESS or action.key in _HARMLESS_KEYS:
        return None
    if action.kind is Kind.OPEN_APP and not packages:
        return Refusal(Fence.BLIND, action.text)
    apps = (seen.app, *sorted(packages))
    for app in apps:
        if not rules.allow(app):
            return Refusal(Fence.APP, app)
    if action.kind is Kind.OPEN_APP:
        return None
    if action.kind in _TOUCHES:
        refused = _touching(action, seen, rules, apps)
        return refused or (_nameless(apps, rules.blocked) if unlabelled else None)
    return _typing(action, seen.app, rules)


def _touching(
    action: Action, seen: Observation, rules: SafetyConfig, apps: tuple[str, ...]
) -> Refusal | None:
    # All elements at the point, not the topmost: z-order in dumps is not reliable, and a refusal
    # too many costs one action while one too few may cost money.
    touched = [
        e for e in seen.elements or () if any(_covers(e, *place) for place in _places(action))
    ]
    for element in touched:
        refused = _label(element, apps, rules.blocked)
        if refused is not None:
            return refused
    if rules.blind_touches or touched:
        return None
    if not seen.elements or danger_words.danger_of_app(apps, rules.blocked) is not None:
        return Refusal(Fence.BLIND, seen.app)
    return None


def _places(action: Action) -> tuple[tuple[float, float], ...]:
    """Where a touch has an effect: a drag lets go of things above others, such as a bin."""
    start = (action.x, action.y)
    return (start, (action.x2, action.y2)) if action.kind is Kind.DRAG else (start,)


def _covers(element: Element, x: float, y: float) -> bool:
    left, top, right, bottom = element.bounds
    return left <= x <= right and top <= y <= bottom


def _label(element: Element, apps: tuple[str, ...], blocked: Sequence[Danger]) -> Refusal | None:
    """What a label tells of; in an app that calls or sends, a button without one tells enough."""
    for words in (element.text, element.description):
        danger = danger_words.danger_of_label(words, apps, blocked)
        if danger is not None:
            return Refusal(danger, words)
    if element.role == "button" and not (element.text or element.description):
        return _nameless(apps, blocked)
    return None


def _nameless(apps: tuple[str, ...], blocked: Sequence[Danger]) -> Refusal | None:
    danger = danger_words.danger_of_app(apps, blocked)
    return None if danger is None else Refusal(danger, f"a button without a name in {apps[-1]}")


def _typing(action: Action, app: str, rules: SafetyConfig) -> Refusal | None:
    """Texts that are codes, and whatever sends or calls: Enter, or a line break in a text."""
    danger = danger_words.danger_of_text(action.text, (app,), rules.blocked)
    if danger is not None:
        return Refusal(danger, action.text)
    if action.key is Key.ENTER or "\n" in action.text:
        danger = danger_words.danger_of_app((app,), rules.blocked)
        if danger is not None:
            return Refusal(danger, f"enter in {app}")
    return None


@runtime_checkable
class KnowsOwners(Protocol):
    """A device that can tell whose the things on its screen are."""

    def packages_at(self, x: float, y: float) -> frozenset[str]:
        """The packages that own what was last seen at a point; none where nobody can tell."""
        ...

    def unlabelled_at(self, x: float, y: float) -> bool:
        """Whether a button was last seen there that its app gives no name."""
        ...


@runtime_checkable
class KnowsApps(Protocol):
    """A device that can tell which app a name means."""

    def package_named(self, name: str) -> str | None:
        """The package of the app of this name; None when there is none."""
        ...


def guard(device: Device, rules: SafetyConfig) -> GuardedDevice:
    """The device behind its fences.

    ConfigError when nobody has opted in to its serial, or no app is allowed: not even the launcher.
    """
    if not rules.apps:
        raise ConfigError("safety rules need at least one app that is allowed: the launcher")
    if device.id not in rules.opt_in:
        named = ", ".join(sorted(rules.opt_in)) or "none"
        raise ConfigError(
            f"device {device.id!r} may not be used: its serial has to be named first "
            f"(named: {named})"
        )
    return GuardedDevice(device, rules)


class GuardedDevice:
    """A device on which dangerous actions have no effect. Make it with `guard`."""

    def __init__(self, device: Device, rules: SafetyConfig) -> None:
        """Put the fences up around `device`."""
        self.inner = device
        self._rules = rules
        self._seen: Observation | None = None
        self.refused: Counter[Danger | Fence] = Counter()
        """How many actions were not carried out, by reason."""
        self.last_refusal: Refusal | None = None

    @property
    def id(self) -> str:
        """The name of the device inside."""
        return self.inner.id

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the device inside can do."""
        return self.inner.kinds

    def reset(self, seed: int) -> None:
        """Return the device to a known start."""
        self._seen = None
        self.inner.reset(seed)

    def observe(self) -> Observation:
        """What the device shows, in an app that is allowed.

        From any other app it is led back by HOME; DeviceError when that does not help.
        """
        self._seen = seen = self.inner.observe()
        if self._rules.allow(seen.app):
            return seen
        self._note(Refusal(Fence.APP, seen.app))
        self.inner.perform(actions.press(Key.HOME))
        self._seen = back = self.inner.observe()
        if not self._rules.allow(back.app):
            raise DeviceError(
                f"{self.id} shows {back.app!r} after HOME, which is not allowed "
                f"(allowed: {', '.join(sorted(self._rules.apps))})"
            )
        return back

    def perform(self, action: Action) -> None:
        """Carry out one action, unless it is refused or cannot be; then nothing happens."""
        if action.kind not in self.kinds:
            raise ActionError(f"{self.id} cannot {action.kind} (it can: {sorted(self.kinds)})")
        # The decision is made on what the policy saw; without that, on a fresh look.
        seen = self.observe() if self._seen is None else self._seen
        unlabelled = self._unlabelled(action)
        try:
            owners = self._owners(action)
            refused = refusal(action, seen, self._rules, owners, unlabelled=unlabelled)
        except ActionError as error:
            refused = Refusal(Fence.UNABLE, str(error))
        if refused is not None:
            self._note(refused)
            return
        self._seen = None
        try:
            self.inner.perform(action)
        except ActionError as error:
            self._note(Refusal(Fence.UNABLE, str(error)))

    def _owners(self, action: Action) -> frozenset[str]:
        inner = self.inner
        if action.kind is Kind.OPEN_APP and isinstance(inner, KnowsApps):
            package = inner.package_named(action.text)
            if package is None:
                raise ActionError(f"no app is called {action.text[:40]!r}")
            return frozenset({package})
        if action.kind in _TOUCHES and isinstance(inner, KnowsOwners):
            return frozenset().union(*(inner.packages_at(*place) for place in _places(action)))
        return frozenset()

    def _unlabelled(self, action: Action) -> bool:
        if action.kind not in _TOUCHES or not isinstance(self.inner, KnowsOwners):
            return False
        return any(self.inner.unlabelled_at(*place) for place in _places(action))

    def _note(self, refused: Refusal) -> None:
        self.refused[refused.why] += 1
        self.last_refusal = refused

    def close(self) -> None:
        """Close the device inside."""
        self._seen = None
        self.inner.close()
