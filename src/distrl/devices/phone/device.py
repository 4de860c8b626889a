"""The embedded phone behind the Device contract."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from distrl.config.devices import PhoneConfig
from distrl.config.factors import Factor
from distrl.devices.phone import apps, nuisance
from distrl.devices.phone.factors import draw_factor
from distrl.devices.phone.factors.frames import Frame, frame_after, view_of
from distrl.devices.phone.initial_state import create_state
from distrl.devices.phone.paint import crops, display_list, render
from distrl.devices.phone.state import State, put
from distrl.devices.phone.system import Phone
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View
from distrl.errors import DeviceLost, unknown_name
from distrl.types import Action, Kind, Observation, Picture


class PhoneDevice:
    """An Android-like phone inside this process."""

    device_kind = "phone"
    kinds = frozenset(Kind)

    def __init__(
        self,
        name: str = "phone-0",
        config: PhoneConfig | None = None,
        offered: Sequence[Factor] = (),
    ) -> None:
        """Switch a phone on, in the state of seed 0.

        Every reset draws at most one of the `offered` factors by its seed, beside those that
        `config` has. ConfigError when `config` names a nuisance or an app that does not exist.
        """
        config = config or PhoneConfig()
        _require_known("nuisance", config.nuisance_weights or (), nuisance.KINDS)
        _require_known("app", config.layouts, _layout_names())
        self._name, self.config = name, config
        self.offered = tuple(dict.fromkeys(offered))
        self._frame: View | None = None
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
        config, weights = self.config, self.config.nuisance_weights
        factors = tuple(dict.fromkeys((*config.factors, *draw_factor(self.offered, seed))))
        self.restore(
            create_state(
                seed,
                nuisance_rate=1.0 if Factor.NUISANCES in factors else config.nuisance_rate,
                weights=nuisance.WEIGHTS if weights is None else weights,
                layouts=_layouts(2 if Factor.LAYOUT in factors else config.layout, config.layouts),
                factors=factors,
            )
        )

    def observe(self) -> Observation:
        """What the phone shows; pixels are drawn when they are looked at."""
        view = self.phone.view if self._frame is None else self._frame
        width, height = self.config.width or WIDTH, self.config.height or HEIGHT
        picture = Picture(
            lambda: render.render(view, width, height),
            describe=lambda: display_list.describe(view, width, height),
            draw_crops=partial(crops.draw_crops, view, width, height),
        )
        elements = view.elements if self.config.elements else None
        return Observation(picture, elements, view.keyboard, view.app)

    def perform(self, action: Action) -> None:
        """Carry out one action."""
        before = self.phone.state
        self.phone.act(action)
        frame = frame_after(self.phone.state)
        self._frame = None if frame is Frame.NEW else view_of(frame, before)

    def snapshot(self) -> State:
        """The whole state: a reference, for nobody changes it in place."""
        return self.phone.state

    def restore(self, state: State) -> None:
        """Continue from a snapshot; the next look shows it as it is."""
        self.phone.state = state
        self._frame = None

    def update_apps(self, layouts: Mapping[str, int]) -> None:
        """Install other layout versions, as an update overnight does; data stays as it is.

        What is on the screen changes at once, and every later reset has the new versions too.
        """
        _require_known("app", layouts, _layout_names())
        self.config = self.config.changed(layouts={**self.config.layouts, **layouts})
        state = self.phone.state
        merged = {**state["system"]["layouts"], **layouts}
        self.restore(put(state, ("system", "layouts"), merged))

    def fork(self) -> PhoneDevice:
        """A second phone in the same state."""
        twin = PhoneDevice(f"{self._name}-fork", self.config, self.offered)
        twin.restore(self.snapshot())
        return twin

    def close(self) -> None:
        """Switch the phone off for good."""
        self._phone = None


def _require_known(what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise unknown_name(what, name, known)


def _layout_names() -> tuple[str, ...]:
    return (*apps.names(), "launcher", "system")


def _layouts(default: int, chosen: Mapping[str, int]) -> Mapping[str, int]:
    if default == 1:
        return chosen
    return {**dict.fromkeys(_layout_names(), default), **chosen}
