from __future__ import annotations

from pathlib import Path
from threading import Thread

import numpy as np
import pytest
import torch
from tests.policies.pointer.fakes import ICON, SCREEN, FakeTextEncoder, noise, situation

from distrl.devices.phone.art import icon_mask
from distrl.policies.pointer.captioner import (
    Captioner,
    CaptionNetwork,
    load_captioner,
    pack_captioner,
    shipped_captioner,
)
from distrl.policies.pointer.inputs import CROP, Preparer
from distrl.types import Element, Pixels

NAMES = ("dog", "bell", "star")


def make_captioner(seed: int = 0) -> Captioner:
    torch.manual_seed(seed)
    network = CaptionNetwork(len(NAMES), width=4)
    with torch.no_grad():
        network.out.weight.mul_(80)
    return Captioner(network, NAMES)


def some_crops(count: int, seed: int = 0) -> Pixels:
    shape = (count, CROP, CROP, 3)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def test_a_crop_has_one_of_the_names_or_none_and_always_the_same() -> None:
    crops, captioner = some_crops(50), make_captioner()
    said = captioner.name(crops)
    assert set(said) <= {*NAMES, ""}
    assert len(set(said)) > 1
    assert captioner.name(crops) == said
    assert [captioner.name(crop[None])[0] for crop in crops] == said


def test_what_is_not_sure_is_not_said() -> None:
    network = CaptionNetwork(len(NAMES), width=4)
    with torch.no_grad():
        network.out.weight.zero_()
        network.out.bias.copy_(torch.tensor([0.1, 0.0, 0.0, 0.0]))
    assert set(Captioner(network, NAMES).name(some_crops(5))) == {""}


def test_a_picture_that_was_seen_is_named_from_memory() -> None:
    captioner, looks = make_captioner(), []
    captioner._network.register_forward_hook(lambda *_: looks.append(1))
    crops = some_crops(6)
    captioner.name(crops)
    captioner.name(crops[::-1])
    assert len(looks) == 1


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distrl.policies.pointer.captioner._MAX_CACHED", 10)
    captioner = make_captioner()
    for seed in range(9):
        captioner.name(some_crops(4, seed))
        assert len(captioner._known) <= 10


def test_threads_may_share_one() -> None:
    captioner, crops = make_captioner(), some_crops(40)
    wanted, found = make_captioner().name(crops), list[list[str]]()
    threads = [Thread(target=lambda: found.append(captioner.name(crops))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 8


def test_a_memory_that_is_emptied_meanwhile_takes_no_name_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("distrl.policies.pointer.captioner._MAX_CACHED", 30)
    crops, others, captioner = some_crops(24), some_crops(20, seed=1), make_captioner()
    wanted = make_captioner().name(crops)
    captioner.name(crops[:20])
    assert len({*wanted[:20]} - {""}) > 0

    def another_thread(*_: object) -> None:
        hook.remove()
        captioner.name(others)

    hook = captioner._network.register_forward_hook(another_thread)
    assert captioner.name(crops) == wanted


def test_a_file_gives_the_same_names_again(tmp_path: Path) -> None:
    captioner = make_captioner()
    with torch.no_grad():
        for parameter in captioner._network.parameters():
            parameter.copy_(parameter.half().float())
    path = tmp_path / "captions.safetensors"
    path.write_bytes(pack_captioner(captioner._network, NAMES, {"pictures": "3"}))
    again = load_captioner(path)
    assert again.names == NAMES
    assert again.name(some_crops(30)) == captioner.name(some_crops(30))


# The one that ships.


def sample_index(icon: str, ink: tuple[int, int, int], ground: tuple[int, int, int]) -> Pixels:
    """A crop of a button of 24 pixels with an icon of 16 in its middle."""
    mask = np.zeros((24, 24, 1))
    mask[4:20, 4:20, 0] = icon_mask(icon, 16) / 255
    picture = mask * ink + (1 - mask) * ground
    places = np.linspace(0, 23, CROP).astype(int)
    crop: Pixels = picture[np.ix_(places, places)].astype(np.uint8)
    return crop


@pytest.mark.parametrize("icon", ["search", "mail", "phone", "camera", "globe", "wifi", "trophy"])
def test_the_shipped_one_knows_icons_in_any_colours(icon: str) -> None:
    pairs = [((20, 20, 20), (250, 250, 250)), ((255, 255, 255), (40, 104, 200))]
    said = shipped_captioner().name(
        np.stack([sample_index(icon, ink, ground) for ink, ground in pairs])
    )
    assert said == [icon, icon]


def test_the_shipped_one_has_no_name_for_an_empty_place() -> None:
    blank = np.full((1, CROP, CROP, 3), 255, np.uint8)
    assert shipped_captioner().name(blank) == [""]


# In the policy's inputs.


def named(elements: tuple[Element, ...], **more: bool) -> tuple[str, ...]:
    reader = Preparer(FakeTextEncoder(), naming=lambda crops: ["star"] * len(crops), **more)
    return reader.prepare(situation(elements, pixels=noise(seed=1))).names


def test_what_says_nothing_is_called_what_it_looks_like() -> None:
    mute = Element("button", bounds=(0.1, 0.1, 0.2, 0.2))
    assert named((mute, ICON)) == ("star", "Search")


def test_what_has_words_keeps_them() -> None:
    assert named(SCREEN) == tuple(e.text or e.description for e in SCREEN)


def test_who_is_blind_names_nothing() -> None:
    assert named((Element("button", bounds=(0.1, 0.1, 0.2, 0.2)),), pixels=False) == ("",)


def test_cells_of_a_grid_have_no_names() -> None:
    reader = Preparer(FakeTextEncoder(), naming=lambda crops: ["star"] * len(crops))
    assert set(reader.prepare(situation(None, pixels=noise(seed=1))).names) == {""}
