from __future__ import annotations

import io

from PIL import Image
from tests.envs.fakes import FakeDevice, make_observation
from tests.web.play.sessions import QUIET

from distrl import actions
from distrl.cli.phone_pictures import open_app
from distrl.devices.phone.device import PhoneDevice
from distrl.types import Element
from distrl.web.play.screens import Screens, backspace_of, screen_of


def phone_with_text() -> tuple[PhoneDevice, Element]:
    device = PhoneDevice("shown", QUIET)
    open_app(device, "notes")
    device.perform(actions.tap(*field_of(device).center))
    device.perform(actions.type_text("ab"))
    return device, field_of(device)


def field_of(device: PhoneDevice) -> Element:
    return next(e for e in device.observe().elements or () if e.editable)


def test_backspace_deletes_the_last_letter_on_the_embedded_phone() -> None:
    device, field = phone_with_text()
    assert field.text == "ab"
    key = backspace_of(device, device.observe())
    assert key is not None
    device.perform(actions.tap(*key))
    assert field_of(device).text == "a"


def test_without_a_keyboard_there_is_no_backspace() -> None:
    device = PhoneDevice("shown", QUIET)
    assert backspace_of(device, device.observe()) is None


def test_a_screen_shows_the_moment_it_was_taken_at_whenever_it_is_drawn() -> None:
    device, _ = phone_with_text()
    before, again = (screen_of(device, device.observe()) for _ in range(2))
    drawn = before.picture.pixels.copy()
    device.perform(actions.press("home"))
    assert (again.picture.pixels == drawn).all()
    assert (before.width, before.height) == (540, 1200)


def test_other_devices_are_shown_as_they_were_seen() -> None:
    seen = make_observation()
    screen = screen_of(FakeDevice(), seen)
    assert (screen.width, screen.height) == (2, 4)
    assert screen.picture is seen.picture


def test_the_newest_screens_are_kept_by_number() -> None:
    screens = Screens()
    device = PhoneDevice("shown", QUIET)
    numbers = [screens.add(screen_of(device, device.observe())) for _ in range(30)]
    assert numbers == list(range(1, 31))
    assert screens.png(1) is None
    picture = screens.png(30)
    assert picture is not None
    assert Image.open(io.BytesIO(picture)).size == (540, 1200)
