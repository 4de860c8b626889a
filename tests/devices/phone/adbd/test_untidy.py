from __future__ import annotations

from random import Random

from tests.contracts.monkey import random_action

from distrl.devices.android import hierarchy
from distrl.devices.phone.adbd.injected_faults import Untidiness
from distrl.devices.phone.adbd.programs import dump
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.types import Bounds, Element


def _untidy() -> AndroidSystem:
    return AndroidSystem(PhoneDevice(), serial="x", scale=4, untidy=Untidiness(dumps=True))


def _touchable(elements: tuple[Element, ...]) -> dict[Bounds, Element]:
    return {e.bounds: e for e in elements if e.role != "text"}


def test_what_can_be_touched_is_read_back_with_its_words_and_states() -> None:
    system = _untidy()
    compared = 0
    for seed in range(8):
        system.device.reset(seed)
        rng = Random(seed)
        for _ in range(25):
            shown = system.view.elements
            found = hierarchy.read(dump(system).encode(), (system.width, system.height))
            before, after = _touchable(shown), _touchable(found)
            assert set(before) == set(after)
            for place, element in before.items():
                read = after[place]
                assert (read.checked, read.enabled) == (element.checked, element.enabled)
                assert set(_words(element)) <= set(_words(read))
                compared += 1
            action = random_action(rng, shown, keyboard=system.view.keyboard)
            system.device.perform(action)
    assert compared > 1000


def _words(element: Element) -> list[str]:
    return f"{element.text}, {element.description}".replace(",", " ").split()


def test_dump_has_what_real_apps_have() -> None:
    system = _untidy()
    written = ""
    for seed in range(3):
        system.device.reset(seed)
        rng = Random(seed)
        for _ in range(25):
            written += dump(system)
            action = random_action(rng, system.view.elements, keyboard=system.view.keyboard)
            system.device.perform(action)
    for sign in ("drawing-order=", ":id/btn_", "RelativeLayout", "switch_widget"):
        assert sign in written


def test_screen_is_always_written_alike() -> None:
    system = _untidy()
    assert dump(system) == dump(system)


def test_dumps_fail_and_old_anrs_are_shown_at_the_rates_that_are_set() -> None:
    untidy = Untidiness(idle_rate=0.5, anr_rate=0.5)
    system = AndroidSystem(PhoneDevice(), serial="x", untidy=untidy)
    failed = [system.run("uiautomator dump /sdcard/x.xml").code for _ in range(40)]
    assert 8 < sum(map(bool, failed)) < 32
    windows = [system.run("dumpsys window").stdout for _ in range(40)]
    assert 8 < sum(b"LAST ANR" in text for text in windows) < 32
