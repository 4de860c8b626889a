"""Misleading words at the foot of pages."""

from __future__ import annotations

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.config.factors import Factor
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.factors.misleading import _CLAIMS
from distrl.devices.phone.labels import list_labels
from distrl.types import Element


def in_app(app: str) -> PhoneDevice:
    device = PhoneDevice("misled", PhoneConfig(nuisance_rate=0.0, factors=[Factor.MISLEADING]))
    device.reset(2)
    control = Control(device.snapshot(), "launcher")
    control.start(app)
    device.restore(control.state)
    return device


def claims(device: PhoneDevice) -> list[Element]:
    return [e for e in device.observe().elements or () if e.text in _CLAIMS]


def test_a_page_has_one_claim_and_the_same_at_every_look() -> None:
    device = in_app("notes")
    (claim,) = claims(device)
    device.perform(actions.wait())
    assert claims(device) == [claim]


def test_whoever_touches_a_claim_ends_up_in_the_store() -> None:
    device = in_app("notes")
    (claim,) = claims(device)
    device.perform(actions.tap(*claim.center))
    assert device.observe().app == "store"


def test_the_home_screen_makes_no_claims() -> None:
    assert not claims(in_app("launcher"))


def test_no_claim_is_a_word_of_an_app() -> None:
    assert not set(_CLAIMS) & set(list_labels())
