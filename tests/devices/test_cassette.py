from __future__ import annotations

import zlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import pytest
from tests.contracts.device import EXAMPLES, DeviceContract, assert_same
from tests.contracts.monkey import wander
from tests.devices.test_fake import FIELD, OPEN, SCRIPT

from distrl import actions
from distrl.devices.cassette import (
    Cassette,
    CassetteDevice,
    Recorder,
    load_cassette,
    save_cassette,
)
from distrl.devices.fake import FakeDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ActionError, ConfigError, DeviceError, DeviceLost
from distrl.interfaces import Device
from distrl.types import Action, Kind

OPENING = actions.tap(*OPEN.center)
DRAWER = actions.swipe_towards(actions.Direction.UP)


def record_walks(device: Device, effective: Action) -> Recorder:
    """All that the contract of a device does to one."""
    recorder = Recorder(device)
    recorder.observe()
    for kind in sorted(recorder.kinds):
        recorder.perform(EXAMPLES[kind])
        recorder.observe()
    for reset_seed, walk_seed in [(0, 0), (1, 1), (2, 2), (3, 3), (5, 5), (11, 11), (8, 1)]:
        recorder.reset(reset_seed)
        wander(recorder, seed=walk_seed, steps=25)
        recorder.observe()
    for seed in (4, 6):
        recorder.reset(seed)
        recorder.observe()
        recorder.perform(effective)
        recorder.observe()
    recorder.reset(3)
    recorder.observe()
    return recorder


def reread(cassette: Cassette) -> Cassette:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(cassette), type=Cassette)


@cache
def fake_cassette() -> Cassette:
    kinds = frozenset(Kind) - {Kind.LONG_PRESS}
    return reread(record_walks(FakeDevice(SCRIPT, kinds=kinds), OPENING).cassette())


@cache
def phone_cassette() -> Cassette:
    return reread(record_walks(PhoneDevice("phone-0"), DRAWER).cassette())


class TestCassetteOfAFake(DeviceContract):
    def make_device(self) -> CassetteDevice:
        return CassetteDevice(fake_cassette())

    def effective_action(self, device: object) -> Action:
        return OPENING


class TestCassetteOfThePhone(DeviceContract):
    def make_device(self) -> CassetteDevice:
        return CassetteDevice(phone_cassette())

    def effective_action(self, device: object) -> Action:
        return DRAWER


class TestRecorder(DeviceContract):
    def make_device(self) -> Recorder:
        return Recorder(FakeDevice(SCRIPT))

    def effective_action(self, device: object) -> Action:
        return OPENING


def test_a_session_plays_back_to_the_pixel_from_a_file(tmp_path: Path) -> None:
    recorder, twin = Recorder(PhoneDevice("phone-0")), PhoneDevice("phone-1")
    recorder.reset(17)
    walk = wander(recorder, seed=9, steps=30)
    recorder.observe()
    recorder.save(tmp_path / "deep" / "x.cassette")
    played = CassetteDevice(load_cassette(tmp_path / "deep" / "x.cassette"))
    assert played.id == "cassette-phone-0"
    assert played.kinds == twin.kinds
    played.reset(17)
    twin.reset(17)
    for action in walk:
        assert_same(played.observe(), twin.observe())
        played.perform(action)
        twin.perform(action)
    assert_same(played.observe(), twin.observe())
    assert [path.name for path in tmp_path.rglob("*cassette*")] == ["x.cassette"]


def test_a_screen_that_comes_back_is_kept_once() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.reset(1)
    for _ in range(5):
        recorder.observe()
        recorder.perform(OPENING)
        recorder.observe()
        recorder.perform(actions.press("back"))
    cassette = recorder.cassette()
    assert len(cassette.pictures) == len(cassette.frames) == 2
    assert len(cassette.takes) == 1


def test_what_was_never_done_is_an_error_that_says_what_was() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.reset(1)
    recorder.observe()
    recorder.perform(OPENING)
    played = CassetteDevice(recorder.cassette())
    with pytest.raises(DeviceError, match=r"no take of seed 2 \(recorded: \[1\]\)"):
        played.reset(2)
    played.reset(1)
    with pytest.raises(DeviceError, match=r"press back after 0 actions.*recorded: tap \(0.500, 0"):
        played.perform(actions.press("back"))
    assert played.observe().elements == (OPEN,)  # it stays where it was
    played.perform(OPENING)
    with pytest.raises(DeviceError, match="nobody looked at: after 1 actions from seed 1"):
        played.observe()
    with pytest.raises(DeviceError, match="recorded: the end of the take"):
        played.perform(OPENING)


def test_several_takes_of_a_seed_are_one_tree() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    for action in (actions.wait(), OPENING):
        recorder.reset(1)
        recorder.observe()
        recorder.perform(action)
        recorder.observe()
    played = CassetteDevice(recorder.cassette())
    for _ in range(2):
        played.reset(1)
        played.perform(OPENING)
        assert played.observe().elements == (FIELD,)
        played.reset(1)
        played.perform(actions.wait())
        assert played.observe().elements == (OPEN,)


def test_faults_play_back_as_faults() -> None:
    recorder = Recorder(FakeDevice(SCRIPT, fail_on_step=2))
    recorder.reset(1)
    recorder.observe()
    recorder.perform(OPENING)
    with pytest.raises(DeviceLost):
        recorder.perform(actions.press("back"))
    with pytest.raises(DeviceLost):
        recorder.observe()
    recorder.reset(2)
    recorder.observe()
    played = CassetteDevice(recorder.cassette())
    played.reset(1)
    played.perform(OPENING)
    with pytest.raises(DeviceLost, match="fake-0 was lost"):
        played.perform(actions.press("back"))
    with pytest.raises(DeviceLost, match="fake-0 was lost"):
        played.observe()
    played.reset(2)
    assert played.observe().elements == (OPEN,)


def test_an_action_that_the_device_does_not_have_is_not_recorded() -> None:
    recorder = Recorder(FakeDevice(SCRIPT, kinds=frozenset({Kind.TAP})))
    recorder.reset(1)
    with pytest.raises(ActionError):
        recorder.perform(actions.wait())
    assert recorder.cassette().takes[-1:] == ()


# Files that are not what they should be.


def written(tmp_path: Path, cassette: Cassette) -> Path:
    path = tmp_path / "x.cassette"
    save_cassette(cassette, path)
    return path


@pytest.mark.parametrize("cut", [0, 5, 18, 200, -1])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, fake_cassette())
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ConfigError, match=r"not a cassette|damaged"):
        load_cassette(path)


@pytest.mark.parametrize("place", [0, 17, 40, 900, -1])
def test_a_file_with_a_wrong_byte_is_refused(tmp_path: Path, place: int) -> None:
    path = written(tmp_path, fake_cassette())
    data = bytearray(path.read_bytes())
    data[place] ^= 0x40
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"not a cassette|damaged"):
        load_cassette(path)


def test_a_file_of_another_kind_or_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.cassette"
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_cassette(path)
    path.write_bytes(b"PK\x03\x04 a zip")
    with pytest.raises(ConfigError, match="is not a cassette: it begins with b'PK"):
        load_cassette(path)


def test_a_later_format_is_refused_by_its_number(tmp_path: Path) -> None:
    path = written(tmp_path, replace(fake_cassette(), format=7))
    with pytest.raises(ConfigError, match="has format 7, this version reads 1"):
        load_cassette(path)


def test_a_body_of_other_types_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.cassette"
    body = msgspec.msgpack.encode({"format": 1, "device": "d", "takes": "none"})
    path.write_bytes(b"distrl cassette\n" + zlib.crc32(body).to_bytes(4, "big") + body)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_cassette(path)


def test_a_cassette_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    good = fake_cassette()
    first = good.takes[0]
    for wrong, words in [
        (replace(good, pictures=()), "a frame without a picture"),
        (replace(good, frames=()), "a frame that is not there"),
        (replace(good, takes=(replace(first, moments=()),)), "0 moments"),
    ]:
        with pytest.raises(ConfigError, match=words):
            load_cassette(written(tmp_path, wrong))


def test_a_screen_that_is_no_picture_is_an_error_of_the_device() -> None:
    good = fake_cassette()
    device = CassetteDevice(replace(good, pictures=(b"no picture",) * len(good.pictures)))
    with pytest.raises(DeviceError, match="cannot be read"):
        _ = device.observe().screen


def test_an_empty_cassette_is_refused() -> None:
    with pytest.raises(ConfigError, match="empty"):
        CassetteDevice(Recorder(FakeDevice(SCRIPT)).cassette())
