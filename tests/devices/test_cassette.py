from __future__ import annotations

import tempfile
import zlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.device import EXAMPLES, DeviceContract, assert_same
from tests.contracts.monkey import wander
from tests.devices.test_fake import FIELD, OPEN, SCRIPT

from distrl import actions
from distrl.devices import cassette as module
from distrl.devices.cassette import (
    Cassette,
    CassetteDevice,
    Fault,
    Frame,
    Moment,
    Recorder,
    Take,
    load_cassette,
    save_cassette,
)
from distrl.devices.fake import FakeDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ActionError, ConfigError, DeviceError, DeviceLost
from distrl.interfaces import Device
from distrl.types import Action, Element, Kind, Observation, Outcome, Picture, Task

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
    played = CassetteDevice(load_cassette(str(tmp_path / "deep" / "x.cassette")))
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


# Every kind of moment


TASK = Task(
    id="general/test/17",
    goal="Find socks",
    suite="general",
    split="test",
    template="find",
    parameters={"what": "socks"},
    seed=7,
    step_limit=9,
)


class Moody(FakeDevice):
    """A device that raises what it is told to, once, at its next call of a kind."""

    def __init__(self) -> None:
        self.next_reset: DeviceError | None = None
        self.next_look: DeviceError | None = None
        self.next_action: DeviceError | ActionError | None = None
        super().__init__(SCRIPT)

    def reset(self, seed: int) -> None:
        error, self.next_reset = self.next_reset, None
        if error is not None:
            raise error
        super().reset(seed)

    def observe(self) -> Observation:
        error, self.next_look = self.next_look, None
        if error is not None:
            raise error
        return super().observe()

    def perform(self, action: Action) -> None:
        error, self.next_action = self.next_action, None
        if error is not None:
            raise error
        super().perform(action)


@pytest.fixture
def moody() -> Moody:
    return Moody()


ERRORS = [DeviceError("a screen without a name"), DeviceLost("it fell")]


@pytest.mark.parametrize("error", ERRORS, ids=["error", "lost"])
def test_a_reset_that_failed_fails_when_it_is_played(moody: Moody, error: DeviceError) -> None:
    recorder = Recorder(moody)
    moody.next_reset = error
    with pytest.raises(type(error)):
        recorder.reset(5)
    played = CassetteDevice(reread(recorder.cassette()))
    with pytest.raises(DeviceError, match=str(error)) as caught:
        played.reset(5)
    assert type(caught.value) is type(error)


@pytest.mark.parametrize("error", ERRORS, ids=["error", "lost"])
def test_a_look_that_failed_fails_when_it_is_played(moody: Moody, error: DeviceError) -> None:
    recorder = Recorder(moody)
    recorder.reset(5)
    moody.next_look = error
    with pytest.raises(type(error)):
        recorder.observe()
    played = CassetteDevice(reread(recorder.cassette()))
    played.reset(5)
    with pytest.raises(type(error), match=str(error)):
        played.observe()


def test_a_look_that_succeeds_after_one_that_failed_is_what_is_kept(moody: Moody) -> None:
    recorder = Recorder(moody)
    recorder.reset(5)
    moody.next_look = DeviceError("not yet")
    with pytest.raises(DeviceError):
        recorder.observe()
    recorder.observe()
    moody.next_look = DeviceError("no more")
    with pytest.raises(DeviceError):
        recorder.observe()
    played = CassetteDevice(recorder.cassette())
    played.reset(5)
    assert played.observe().elements == (OPEN,)


def test_an_action_that_cannot_be_carried_out_leaves_no_trace(moody: Moody) -> None:
    recorder = Recorder(moody)
    recorder.reset(5)
    recorder.observe()
    moody.next_action = ActionError("there is no key for that")
    with pytest.raises(ActionError):
        recorder.perform(actions.type_text("é"))
    recorder.perform(OPENING)
    recorder.observe()
    (take,) = recorder.cassette().takes
    assert take.actions == (OPENING,)
    assert len(take.moments) == 2


def test_the_device_as_it_was_found_is_a_take_without_a_seed() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.observe()
    recorder.perform(OPENING)
    recorder.observe()
    (take,) = recorder.cassette().takes
    assert take.seed is None
    played = CassetteDevice(reread(recorder.cassette()))
    assert played.observe().elements == (OPEN,)
    played.perform(OPENING)
    assert played.observe().elements == (FIELD,)
    with pytest.raises(DeviceError, match=r"no take of seed 0 \(recorded: \[\]\)"):
        played.reset(0)


def test_a_task_is_kept_with_how_it_ended() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.begin(TASK)
    recorder.observe()
    recorder.perform(OPENING)
    recorder.observe()
    recorder.end(actions.complete(), Outcome.SUCCEEDED)
    played = CassetteDevice(reread(recorder.cassette()))
    played.reset(TASK.seed)
    assert played.takes_here() == ()  # no take ends here
    played.perform(OPENING)
    (take,) = played.takes_here()
    assert (take.task, take.ending, take.outcome) == (TASK, actions.complete(), Outcome.SUCCEEDED)


@pytest.mark.parametrize("looked", [False, True])
def test_a_task_that_could_not_be_set_up_plays_its_error(moody: Moody, looked: bool) -> None:
    recorder = Recorder(moody)
    recorder.begin(TASK)
    if looked:
        moody.next_look = DeviceLost("black screen")
        with pytest.raises(DeviceLost):
            recorder.observe()
    recorder.fail(DeviceLost("it fell"), Outcome.DEVICE_LOST)
    (take,) = reread(recorder.cassette()).takes
    assert (take.task, take.ending, take.outcome) == (TASK, None, Outcome.DEVICE_LOST)
    # What was seen to be wrong says more than that the task was not set up.
    expected = (
        Moment(looking=Fault(True, "black screen"))
        if looked
        else Moment(arriving=Fault(True, "it fell"))
    )
    assert take.moments == (expected,)


def test_takes_that_hold_nothing_are_not_kept() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    for seed in range(3):
        recorder.reset(seed)
    recorder.observe()
    assert [take.seed for take in recorder.cassette().takes] == [2]


def test_a_screen_without_elements_and_one_with_none_are_two() -> None:
    seen = FakeDevice(SCRIPT).observe()

    class Changing(FakeDevice):
        given: tuple[Element, ...] | None = None

        def observe(self) -> Observation:
            return Observation(seen.picture, self.given, keyboard=False, app="x")

    device = Changing(SCRIPT)
    recorder = Recorder(device)
    recorder.reset(0)
    recorder.observe()
    device.given = ()
    recorder.perform(actions.wait())
    recorder.observe()
    cassette = reread(recorder.cassette())
    assert [frame.elements for frame in cassette.frames] == [None, ()]
    assert len(cassette.pictures) == 1


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=30)
def test_any_picture_comes_back_to_the_pixel(height: int, width: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)

    class Painted(FakeDevice):
        def observe(self) -> Observation:
            return Observation(Picture(lambda: pixels), (), keyboard=False, app="x")

    recorder = Recorder(Painted(SCRIPT))
    recorder.observe()
    np.testing.assert_array_equal(
        CassetteDevice(reread(recorder.cassette())).observe().screen, pixels
    )


def test_pictures_of_the_same_bytes_and_another_shape_are_two() -> None:
    flat = np.zeros((2, 6, 3), np.uint8)
    shapes = [flat, flat.reshape(6, 2, 3)]

    class Turning(FakeDevice):
        def observe(self) -> Observation:
            return Observation(Picture(lambda: shapes[0]), (), keyboard=False, app="x")

    recorder = Recorder(Turning(SCRIPT))
    recorder.reset(0)
    recorder.observe()
    shapes.reverse()
    recorder.perform(actions.wait())
    recorder.observe()
    assert len(recorder.cassette().pictures) == 2


# Playing


def test_of_several_takes_the_first_that_was_looked_at_counts() -> None:
    frames = tuple(Frame(0, (Element("text", name),), keyboard=False, app=name) for name in "abc")
    picture = Recorder(FakeDevice(SCRIPT))
    picture.observe()
    takes = (
        Take(1, (), (Moment(),)),
        Take(1, (), (Moment(frame=1),)),
        Take(1, (), (Moment(frame=2),)),
        Take(2, (), (Moment(frame=0),)),
    )
    cassette = replace(picture.cassette(), frames=frames, takes=takes)
    played = CassetteDevice(cassette)
    assert played.observe().app == "b"
    played.reset(2)
    assert played.observe().app == "a"


def test_an_action_is_the_same_only_to_the_last_digit() -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.reset(1)
    recorder.observe()
    recorder.perform(actions.tap(0.5, 0.2))
    played = CassetteDevice(recorder.cassette())
    played.reset(1)
    with pytest.raises(DeviceError, match="no recording of tap"):
        played.perform(actions.tap(0.5, 0.2000001))
    played.perform(actions.tap(0.5, 0.2))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (actions.tap(0.5, 0.25), "tap (0.500, 0.250)"),
        (actions.swipe(0.5, 0.8, 0.5, 0.2), "swipe (0.500, 0.800) to (0.500, 0.200)"),
        (actions.type_text("it's"), 'type "it\'s"'),
        (actions.type_text("x" * 100), f"type {'x' * 40!r}"),
        (actions.press("back"), "press back"),
        (actions.wait(), "wait"),
    ],
)
def test_actions_are_named_in_errors(action: Action, words: str) -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.reset(1)
    recorder.observe()
    played = CassetteDevice(recorder.cassette())
    with pytest.raises(DeviceError) as caught:
        played.perform(action)
    assert f"no recording of {words} after 0 actions from seed 1" in str(caught.value)


def test_a_cassette_that_was_closed_stays_closed() -> None:
    played = CassetteDevice(fake_cassette(), "mine")
    assert played.id == "mine"
    played.close()
    for call in (lambda: played.reset(0), played.observe, lambda: played.perform(OPENING)):
        with pytest.raises(DeviceLost, match="mine is closed"):
            call()


def test_closing_a_recorder_keeps_what_was_recorded(tmp_path: Path) -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.observe()
    recorder.close()
    with pytest.raises(DeviceLost):
        recorder.observe()
    recorder.save(tmp_path / "x.cassette")
    assert CassetteDevice(load_cassette(tmp_path / "x.cassette")).observe().elements == (OPEN,)


# Files


def test_a_file_that_is_there_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.cassette"
    save_cassette(fake_cassette(), path)
    small = Recorder(FakeDevice(SCRIPT))
    small.observe()
    small.save(path)
    assert load_cassette(path) == reread(small.cassette())
    assert [found.name for found in tmp_path.iterdir()] == ["x.cassette"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigError, match="cannot be written"):
        save_cassette(fake_cassette(), tmp_path / "file" / "x.cassette")


@pytest.mark.parametrize(
    ("cassette", "words"),
    [
        (replace(fake_cassette(), frames=(Frame(-1, None, keyboard=False, app=""),)), "picture"),
        (replace(fake_cassette(), frames=(Frame(10**6, None, keyboard=False, app=""),)), "picture"),
        (replace(fake_cassette(), takes=(Take(0, (), (Moment(frame=-1),)),)), "not there"),
        (replace(fake_cassette(), takes=(Take(0, (OPENING,), (Moment(),)),)), "1 moments, 1 act"),
        (replace(fake_cassette(), takes=(Take(0, (), (Moment(), Moment())),)), "2 moments, 0 act"),
    ],
)
def test_the_table_of_contradictions(tmp_path: Path, cassette: Cassette, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_cassette(written(tmp_path, cassette))


@pytest.mark.parametrize("version", [0, 2, -1])
def test_a_file_of_another_version_is_not_guessed_at(tmp_path: Path, version: int) -> None:
    path = written(tmp_path, replace(fake_cassette(), format=version))
    with pytest.raises(ConfigError, match=f"has format {version}, this version reads 1"):
        load_cassette(path)


def body_in_a_file(path: Path, body: bytes) -> Path:
    path.write_bytes(b"distrl cassette\n" + zlib.crc32(body).to_bytes(4, "big") + body)
    return path


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_a_body_that_is_anything_is_refused(body: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.raises(ConfigError):
        load_cassette(body_in_a_file(Path(folder) / "x", body))


def test_a_body_that_nests_without_end_is_refused(tmp_path: Path) -> None:
    path = body_in_a_file(tmp_path / "x.cassette", b"\x91" * 100_000)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_cassette(path)


def test_a_screen_that_is_too_large_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(FakeDevice(SCRIPT))
    recorder.observe()
    monkeypatch.setattr(module, "_LARGEST", 100)
    with pytest.raises(DeviceError, match=r"too large: \(36, 80\)"):
        _ = CassetteDevice(recorder.cassette()).observe().screen


def test_the_declaration_that_ended_a_take_is_one_of_its_steps() -> None:
    tap, done = Action(Kind.TAP, x=0.5, y=0.5), Action(Kind.COMPLETE)
    take = Take(seed=1, actions=(tap,), moments=(), ending=done)
    assert take.steps == (tap, done)
    assert Take(seed=1, actions=(tap,), moments=(), ending=tap).steps == (tap,)  # a limit ended it
