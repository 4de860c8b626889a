"""The embedded phone behind the Device contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from distrl.devices.phone import apps, nuisance
from distrl.devices.phone.initial_state import create_state
from distrl.devices.phone.paint import render
from distrl.devices.phone.state import State, put
from distrl.devices.phone.system import Phone
from distrl.devices.phone.ui.view import HEIGHT, WIDTH
from distrl.errors import ConfigError, DeviceLost, unknown_name
from distrl.types import Action, Kind, Observation, Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneSettings:
    """How a phone is made; the same for all phones of a fleet, or not."""

    width: int = WIDTH
    height: int = HEIGHT
    nuisance_rate: float = 0.25
    """Share of the episodes that have a nuisance."""
    nuisance_weights: Mapping[str, float] = field(default_factory=lambda: dict(nuisance.WEIGHTS))
    """How often each kind is drawn, relative to the others; 0 switches it off."""
    layouts: Mapping[str, int] = field(default_factory=dict)
    """Layout version by app (`system` for the shade); 1 where nothing is said."""
    default_layout: int = 1
    elements: bool = True
    """Whether the accessibility tree is reported."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"a screen needs a size, got {self.width}x{self.height}")
        if not 0.0 <= self.nuisance_rate <= 1.0:
            raise ConfigError(f"nuisance_rate must be between 0 and 1, got {self.nuisance_rate}")
        for kind in self.nuisance_weights:
            if kind not in nuisance.KINDS:
                raise unknown_name("nuisance", kind, nuisance.KINDS)
        for app in self.layouts:
            if app not in _layout_names():
                raise unknown_name("app", app, _layout_names())
        lowest = min((self.default_layout, *self.layouts.values()))
        if lowest < 1:
            raise ConfigError(f"layout versions start at 1, got {lowest}")


class PhoneDevice:
    """An Android-like phone inside this process."""

    device_kind = "phone"
    kinds = frozenset(Kind)

    def __init__(self, name: str = "phone-0", settings: PhoneSettings | None = None) -> None:
        """Switch a phone on, in the state of seed 0."""
        self._name = name
        self.settings = settings or PhoneSettings()
        self._phone: Phone | None = Phone({})
        self.reset(0)

    @property
    def id(self) -> str:
        """Stable name of this phone."""
        return self._name

    @property
    def phone(self) -> Phone:
        """The system inside; raises DeviceLost once closed."""
        if self._phone is None:
            raise DeviceLost(f"{self._name} is closed")
        return self._phone

    def reset(self, seed: int) -> None:
        """A phone as it is on its first day, for this seed."""
        settings = self.settings
        self.phone.state = create_state(
            seed,
            nuisance_rate=settings.nuisance_rate,
            weights=settings.nuisance_weights,
            layouts=_layouts(settings.default_layout, settings.layouts),
        )

    def observe(self) -> Observation:
        """What the phone shows; pixels are drawn when they are looked at."""
        view = self.phone.view
        width, height = self.settings.width, self.settings.height
        picture = Picture(lambda: render.render(view, width, height))
        elements = view.elements if self.settings.elements else None
        return Observation(picture, elements, view.keyboard, view.app)

    def perform(self, action: Action) -> None:
        """Carry out one action."""
        self.phone.act(action)

    def snapshot(self) -> State:
        """The whole state: a reference, for nobody changes it in place."""
        return self.phone.state

    def restore(self, state: State) -> None:
        """Continue from a snapshot."""
        self.phone.state = state

    def update_apps(self, layouts: Mapping[str, int]) -> None:
        """Install other layout versions, as an update overnight does; data stays as it is.

        What is on the screen changes at once, and every later reset has the new versions too.
        """
        self.settings = replace(self.settings, layouts={**self.settings.layouts, **layouts})
        state = self.phone.state
        merged = {**state["system"]["layouts"], **layouts}
        self.phone.state = put(state, ("system", "layouts"), merged)

    def fork(self) -> PhoneDevice:
        """A second phone in the same state."""
        twin = PhoneDevice(f"{self._name}-fork", self.settings)
        twin.restore(self.snapshot())
        return twin

    def close(self) -> None:
        """Switch the phone off for good."""
        self._phone = None


def _layout_names() -> tuple[str, ...]:
    return (*apps.names(), "launcher", "system")


def _layouts(default: int, chosen: Mapping[str, int]) -> Mapping[str, int]:
    if default == 1:
        return chosen
    return {**dict.fromkeys(_layout_names(), default), **chosen}
