from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.smart_home import MODES, ROOMS

STUDY = ("apps", "smart_home", "rooms", "Study")


@pytest.mark.parametrize("switch", ["on", "off"])
@pytest.mark.parametrize(("template", "key"), [("switch_lamp", "lamp"), ("switch_fan", "fan")])
def test_a_switch_starts_the_other_way_and_only_its_own_room_counts(
    template: str, key: str, switch: str
) -> None:
    posed = Posed(template, room="Study", switch=switch)
    on = switch == "on"
    assert posed.data("smart_home")["rooms"]["Study"][key] is not on
    other = next(room for room in ROOMS if room != "Study")
    elsewhere = posed.data("smart_home")["rooms"][other][key]
    posed.change("apps", "smart_home", "rooms", other, key, to=not elsewhere)
    assert not posed.reached
    assert posed.side_effects == (f"apps.smart_home.rooms.{other}.{key}",)
    posed.change("apps", "smart_home", "rooms", other, key, to=elsewhere)
    posed.change(*STUDY, key, to=on)
    assert posed.reached
    assert not posed.side_effects


@pytest.mark.parametrize("seed", range(6))
def test_the_heating_is_a_few_steps_away_and_one_degree_off_is_off(seed: int) -> None:
    posed = Posed("set_heating", seed, room="Study", degrees=20)
    now = posed.data("smart_home")["rooms"]["Study"]["heating"]
    assert 1 <= abs(now - 20) <= 3
    for degrees in (19, 21, 20):
        posed.change(*STUDY, "heating", to=degrees)
        assert posed.reached is (degrees == 20)
    assert not posed.side_effects


@pytest.mark.parametrize("mode", MODES)
def test_the_house_is_in_one_mode_and_another_is_not_it(mode: str) -> None:
    posed = Posed("house_mode", mode=mode)
    assert posed.data("smart_home")["mode"] != mode
    for tried in MODES:
        posed.change("apps", "smart_home", "mode", to=tried)
        assert posed.reached is (tried == mode)
    assert not posed.side_effects
    posed.change(*STUDY, "lamp", to=None)
    assert posed.side_effects == ("apps.smart_home.rooms.Study.lamp",)
