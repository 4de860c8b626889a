"""What an agent may never do on a real phone, enforced below the policy.

    policy --action--> GuardedDevice --allowed?--> device
                            |
                            +-- refused: counted, not carried out; the screen stays as it was

Three fences, each of which is closed unless somebody opens it:

- a device is used only if its serial was named;
- only the apps that were named may be used: in any other, the agent is led back by HOME;
- touches, texts and keys that would reset the phone, switch it off, call, send an SMS or pay are
  refused, by what the touched elements say. Where a screen has no elements, nothing is touched,
  and in apps that call or send, no button that has no name.

A refused action is an action without effect: the agent can learn from that, and the episode goes
on. The decision is pure, and made on what the policy saw. It is as good as the accessibility tree:
an app that gives its buttons wrong names, or none, is an app not to allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from distrl import actions
from distrl.errors import ActionError, ConfigError, DeviceError
from distrl.interfaces import Device
from distrl.types import Action, Element, Key, Kind, Observation


class Danger(StrEnum):
    """What is refused."""

    FACTORY_RESET = "factory_reset"
    POWER_OFF = "power_off"
    CALL = "call"
    SMS = "sms"
    PAYMENT = "payment"


class Fence(StrEnum):
    """What else an action can run into."""

    APP = "app"
    """It would happen in an app that is not allowed."""
    BLIND = "blind"
    """Nobody can tell what it would touch."""


_WORDS: Mapping[Danger, str] = {
    Danger.FACTORY_RESET: r"factory (data )?reset|erase (all|everything)|wipe (all )?data"
    r"|reset (phone|device|tablet)|delete all data",
    Danger.POWER_OFF: r"power off|shut ?down|reboot|restart|turn off (phone|device|tablet)",
    Danger.CALL: r"call|video call|dial|redial|emergency( call)?",
    Danger.SMS: r"send (sms|mms|text|message)|text message",
    Danger.PAYMENT: r"pay|pay now|buy|buy now|purchase|check ?out|place( your)? order"
    r"|confirm (order|payment)|subscribe|donate|transfer( money)?|send money",
}
"""Whole words that tell of a danger, in the text or the description of what is touched."""

_APPS: Mapping[Danger, str] = {
    Danger.CALL: r"dialer|incallui|telecom|\.phone$",
    Danger.SMS: r"messag|messenger|\bsms\b|\bmms\b",
}
"""Apps in which some things are dangerous that are not elsewhere."""

_THERE: Mapping[Danger, str] = {Danger.SMS: r"send"}
"""Words that are dangerous in such apps only."""

_CODE = re.compile(r"\s*[*#][*#\d]+#?\s*")
"""A service code, as typed into a dialer; some of them reset a phone."""

_TOUCHES = frozenset({Kind.TAP, Kind.LONG_PRESS, Kind.SWIPE})
_HARMLESS = frozenset({Kind.WAIT, Kind.COMPLETE, Kind.INFEASIBLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyRules:
    """What is allowed; the least is the default."""

    serials: frozenset[str]
    """Devices that may be used at all."""
    apps: frozenset[str]
    """Packages that may be in the foreground, the launcher among them; * stands for anything."""
    blocked: frozenset[Danger] = frozenset(Danger)
    blind_touches: bool = False
    """Whether to touch screens that have no elements, where nobody knows what is touched."""

    def __post_init__(self) -> None:
        """Refuse rules under which nothing could be done."""
        if not self.apps:
            raise ConfigError("safety rules need at least one app that is allowed: the launcher")

    def allow(self, app: str) -> bool:
        """Whether an app may be in the foreground."""
        return any(fnmatchcase(app, pattern) for pattern in self.apps)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not carried out."""

    why: Danger | Fence
    words: str
    """What gave it away."""


def refusal(action: Action, seen: Observation, rules: SafetyRules) -> Refusal | None:
    """Why an action must not be carried out on what the device shows; None when it may."""
    if action.kind in _HARMLESS or action.key in (Key.BACK, Key.HOME):
        return None
    if not rules.allow(seen.app):
        return Refusal(Fence.APP, seen.app)
    if action.kind in _TOUCHES:
        return _touching(action, seen, rules)
    return _typing(action, seen, rules)


def _touching(action: Action, seen: Observation, rules: SafetyRules) -> Refusal | None:
    if seen.elements is None:
        return None if rules.blind_touches else Refusal(Fence.BLIND, seen.app)
    for element in seen.elements:
        left, top, right, bottom = element.bounds
        if left <= action.x <= right and top <= action.y <= bottom:
            refused = _label(element, seen.app, rules.blocked)
            if refused is not None:
                return refused
    return None


def _label(element: Element, app: str, blocked: frozenset[Danger]) -> Refusal | None:
    """What a label tells of; in an app that calls or sends, a button without one tells enough."""
    for words in (element.text, element.description):
        danger = _told_by(words, app, blocked)
        if danger is not None:
            return Refusal(danger, words)
    if element.role == "button" and not (element.text or element.description):
        danger = _done_in(app, blocked)
        if danger is not None:
            return Refusal(danger, f"a button without a name in {app}")
    return None


def _typing(action: Action, seen: Observation, rules: SafetyRules) -> Refusal | None:
    """Texts that are codes, and whatever sends or calls: Enter, or a line break in a text."""
    if Danger.CALL in rules.blocked and _CODE.fullmatch(action.text):
        return Refusal(Danger.CALL, action.text)
    if action.key is Key.ENTER or "\n" in action.text:
        danger = _done_in(seen.app, rules.blocked)
        if danger is not None:
            return Refusal(danger, f"enter in {seen.app}")
    return None


def _done_in(app: str, blocked: frozenset[Danger]) -> Danger | None:
    """The danger that an app is made for, if it is one."""
    made_for = (danger for danger, name in _APPS.items() if re.search(name, app.lower()))
    return next((danger for danger in made_for if danger in blocked), None)


def _told_by(words: str, app: str, blocked: Iterable[Danger]) -> Danger | None:
    """The danger that a label tells of, in an app."""
    for danger in sorted(blocked):
        signs = [_WORDS[danger]]
        if danger in _THERE and re.search(_APPS[danger], app.lower()):
            signs.append(_THERE[danger])
        if re.search(rf"\b({'|'.join(signs)})\b", words.lower()):
            return danger
    return None


def guard(device: Device, rules: SafetyRules) -> GuardedDevice:
    """The device behind its fences; ConfigError when its serial was not named."""
    if device.id not in rules.serials:
        named = ", ".join(sorted(rules.serials)) or "none"
        raise ConfigError(
            f"device {device.id!r} may not be used: its serial has to be named first "
            f"(named: {named})"
        )
    return GuardedDevice(device, rules)


class GuardedDevice:
    """A device on which dangerous actions have no effect. Make it with `guard`."""

    def __init__(self, device: Device, rules: SafetyRules) -> None:
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
        """Carry out one action, unless it is refused; then nothing happens."""
        if action.kind not in self.kinds:
            raise ActionError(f"{self.id} cannot {action.kind} (it can: {sorted(self.kinds)})")
        seen = self.observe() if self._seen is None else self._seen
        refused = refusal(action, seen, self._rules)
        if refused is not None:
            self._note(refused)
            return
        self._seen = None
        self.inner.perform(action)

    def _note(self, refused: Refusal) -> None:
        self.refused[refused.why] += 1
        self.last_refusal = refused

    def close(self) -> None:
        """Close the device inside."""
        self._seen = None
        self.inner.close()
