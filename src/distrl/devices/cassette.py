"""Cassettes: a device's session in a file, which plays back as a device.

    device --> Recorder --> save --> x.cassette --> load_cassette --> CassetteDevice

A cassette holds takes. A take begins with a reset, or with the device as it was found, and then
alternates: what the device showed, what was done to it. Played back, the device is where the takes
of the last reset's seed say it is after the actions since then. That depends on nothing else, so
playing is deterministic however a real device behaves. Of several takes that fit, the first
counts. What was never recorded raises DeviceError and says what was. Faults are recorded too.

The file is msgpack, checked against its types when it is read, with a checksum in front; screens
are PNG, each kept once. No pickle.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import msgspec
import numpy as np
from PIL import Image

from distrl.errors import (
    ActionError,
    ConfigError,
    DeviceError,
    DeviceLost,
    DistrlError,
    boundary,
)
from distrl.interfaces import Device
from distrl.types import Action, Element, Kind, Observation, Outcome, Picture, Pixels, Task

_MAGIC = b"distrl cassette\n"
_FORMAT = 1
_CHECK_BYTES = 4
# A PNG of a few bytes can claim any size: without a bound it could fill the memory.
_LARGEST = 64 * 2**20
"""Pixels of the largest screen that is read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a device showed."""

    picture: int
    """Number of its screen."""
    elements: tuple[Element, ...] | None
    keyboard: bool
    app: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What a device raised instead of answering."""

    lost: bool
    words: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A device between two actions."""

    frame: int | None = None
    """What it showed when somebody looked last; None when nobody did, or nobody could."""
    arriving: Fault | None = None
    """What the reset or the action that led here raised."""
    looking: Fault | None = None
    """What it raised when somebody looked, and nobody could."""


@dataclass(frozen=True, slots=True)
class Take:
    """A session from a reset on."""

    seed: int | None
    """None for the device as it was found."""
    actions: tuple[Action, ...]
    moments: tuple[Moment, ...]
    """One before the first action, and one after each."""
    task: Task | None = None
    """What was played; None when it was no task."""
    ending: Action | None = None
    """What was chosen last, if the episode ended with that; declarations are not carried out. None
    for a task that was never set up, too."""
    outcome: Outcome | None = None
    """How it ended; None when nobody said."""

    @property
    def steps(self) -> tuple[Action, ...]:
        """All that was chosen: what was carried out, and the declaration that ended it."""
        declared = self.ending if self.ending and self.ending.kind.ends_episode else None
        return (*self.actions, *((declared,) if declared else ()))


@dataclass(frozen=True, slots=True)
class Cassette:
    """All that was recorded."""

    device: str
    kinds: tuple[Kind, ...]
    pictures: tuple[bytes, ...]
    """Screens as PNG."""
    frames: tuple[Frame, ...]
    takes: tuple[Take, ...]
    format: int = _FORMAT


@dataclass(slots=True)
class _Running:
    seed: int | None
    actions: list[Action] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=lambda: [Moment()])
    task: Task | None = None
    ending: Action | None = None
    outcome: Outcome | None = None


class Recorder:
    """A device that remembers its session. Every screen is drawn and packed as it is seen."""

    def __init__(self, device: Device) -> None:
        """Record `device` from now on."""
        self.inner = device
        self._pictures: dict[bytes, bytes] = {}
        self._numbers: dict[bytes, int] = {}
        self._frames: dict[Frame, int] = {}
        self._takes: list[_Running] = [_Running(None)]

    @property
    def id(self) -> str:
        """The name of the device inside."""
        return self.inner.id

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the device inside can do."""
        return self.inner.kinds

    def reset(self, seed: int) -> None:
        """Reset the device; a new take begins."""
        self._takes.append(_Running(seed))
        self._arrive(partial(self.inner.reset, seed))

    def begin(self, task: Task) -> None:
        """Somebody else sets the device up for a task; a new take begins, under its seed."""
        self._takes.append(_Running(task.seed, task=task))

    def end(self, ending: Action, outcome: Outcome) -> None:
        """The task of this take has ended so."""
        self._takes[-1].ending, self._takes[-1].outcome = ending, outcome

    def fail(self, error: DistrlError, outcome: Outcome) -> None:
        """The task of this take could not be set up."""
        take = self._takes[-1]
        take.outcome = outcome
        if take.moments[-1].looking is None:
            take.moments[-1] = replace(take.moments[-1], arriving=_fault_of(error))

    def observe(self) -> Observation:
        """Look, and remember what was seen."""
        moments = self._takes[-1].moments
        try:
            seen = self.inner.observe()
            frame = self._remember(seen)
        except DeviceError as error:
            if moments[-1].frame is None:
                moments[-1] = replace(moments[-1], looking=_fault_of(error))
            raise
        moments[-1] = replace(moments[-1], frame=frame, looking=None)
        return seen

    def perform(self, action: Action) -> None:
        """Carry out one action, and remember it; one that the device refuses is forgotten."""
        if action.kind not in self.kinds:
            self.inner.perform(action)
            return
        take = self._takes[-1]
        take.actions.append(action)
        take.moments.append(Moment())
        try:
            self._arrive(partial(self.inner.perform, action))
        except ActionError:
            take.actions.pop()
            take.moments.pop()
            raise

    def close(self) -> None:
        """Close the device inside; what was recorded stays."""
        self.inner.close()

    def cassette(self) -> Cassette:
        """All that was recorded so far."""
        return Cassette(
            device=self.id,
            kinds=tuple(sorted(self.kinds)),
            pictures=tuple(self._pictures.values()),
            frames=tuple(self._frames),
            takes=tuple(
                Take(
                    take.seed,
                    tuple(take.actions),
                    tuple(take.moments),
                    take.task,
                    take.ending,
                    take.outcome,
                )
                for take in self._takes
                if take.actions or take.moments != [Moment()]
            ),
        )

    def save(self, path: Path) -> None:
        """Write all that was recorded so far; a file that is there is replaced as a whole."""
        save_cassette(self.cassette(), path)

    def _arrive(self, do: Callable[[], None]) -> None:
        moments = self._takes[-1].moments
        try:
            do()
        except DeviceError as error:
            moments[-1] = replace(moments[-1], arriving=_fault_of(error))
            raise

    def _remember(self, seen: Observation) -> int:
        screen = np.ascontiguousarray(seen.screen)
        # The shape is part of the digest: turned screens may have the same bytes.
        digest = hashlib.sha256(repr(screen.shape).encode() + screen.tobytes()).digest()
        if digest not in self._pictures:
            self._numbers[digest] = len(self._pictures)
            self._pictures[digest] = _pack(screen)
        frame = Frame(self._numbers[digest], seen.elements, seen.keyboard, seen.app)
        return self._frames.setdefault(frame, len(self._frames))


def _fault_of(error: DistrlError) -> Fault:
    return Fault(isinstance(error, DeviceLost), str(error))


class CassetteDevice:
    """Plays a cassette: the same seed and actions give the same screens, always."""

    def __init__(self, cassette: Cassette, name: str | None = None) -> None:
        """Stand where the first take begins."""
        if not cassette.takes:
            raise ConfigError(f"the cassette of {cassette.device!r} is empty: nothing was recorded")
        self._cassette = cassette
        self._name = f"cassette-{cassette.device}" if name is None else name
        self._closed = False
        self._seed = cassette.takes[0].seed
        self._done: tuple[Action, ...] = ()

    @property
    def id(self) -> str:
        """The name of this device, which is not that of the one recorded."""
        return self._name

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the recorded device could do."""
        return frozenset(self._cassette.kinds)

    def reset(self, seed: int) -> None:
        """Go to where the takes of a seed begin; DeviceError when there is none."""
        self._check()
        self._go(seed, ())

    def observe(self) -> Observation:
        """What was seen here; DeviceError when nobody looked."""
        self._check()
        moment = self._at(self._seed, self._done)
        assert moment is not None, "a device stands where a take has been"
        if moment.looking is not None:
            _raise(moment.looking)
        if moment.frame is None:
            raise DeviceError(
                f"{self._name} cannot show what nobody looked at: after {self._where()}"
            )
        frame = self._cassette.frames[moment.frame]
        picture = Picture(partial(_unpack, self._cassette.pictures[frame.picture]))
        return Observation(picture, frame.elements, frame.keyboard, frame.app)

    def perform(self, action: Action) -> None:
        """Go where the action led to; DeviceError when it was never done here."""
        self._check()
        if action.kind not in self.kinds:
            raise ActionError(f"{self._name} cannot {action.kind} (it can: {sorted(self.kinds)})")
        self._go(self._seed, (*self._done, action))

    def takes_here(self) -> tuple[Take, ...]:
        """The takes that end where the device stands."""
        return tuple(
            take
            for take in self._cassette.takes
            if (take.seed, take.actions) == (self._seed, self._done)
        )

    def close(self) -> None:
        """Be gone for good."""
        self._closed = True

    def _go(self, seed: int | None, done: tuple[Action, ...]) -> None:
        moment = self._at(seed, done)
        if moment is None:
            raise DeviceError(self._unrecorded(seed, done))
        self._seed, self._done = seed, done
        if moment.arriving is not None:
            _raise(moment.arriving)

    def _at(self, seed: int | None, done: tuple[Action, ...]) -> Moment | None:
        """The first moment of any take that was reached so; one that was looked at, if possible."""
        reached = [
            take.moments[len(done)]
            for take in self._cassette.takes
            if take.seed == seed and take.actions[: len(done)] == done
        ]
        # A take in which nobody looked here says nothing about what the device showed.
        looked = (m for m in reached if m.frame is not None or m.arriving or m.looking)
        return next(looked, reached[0] if reached else None)

    def _unrecorded(self, seed: int | None, done: tuple[Action, ...]) -> str:
        takes = [take for take in self._cassette.takes if take.seed == seed]
        if not takes:
            seeds = sorted({t.seed for t in self._cassette.takes if t.seed is not None})
            return f"{self._name} has no take of seed {seed} (recorded: {seeds})"
        before = done[:-1]
        known = {
            take.actions[len(before)]
            for take in takes
            if len(take.actions) > len(before) and take.actions[: len(before)] == before
        }
        listed = "; ".join(sorted(_words(action) for action in known)) or "the end of the take"
        return (
            f"{self._name} has no recording of {_words(done[-1])} after {self._where()} "
            f"(recorded: {listed})"
        )

    def _where(self) -> str:
        return f"{len(self._done)} actions from seed {self._seed}"

    def _check(self) -> None:
        if self._closed:
            raise DeviceLost(f"{self._name} is closed")


def _words(action: Action) -> str:
    parts = [action.kind.value]
    if action.kind.touches_point or action.kind.moves_finger:
        parts.append(f"({action.x:.3f}, {action.y:.3f})")
    if action.kind.moves_finger:
        parts.append(f"to ({action.x2:.3f}, {action.y2:.3f})")
    if action.text:
        parts.append(repr(action.text[:40]))
    if action.key is not None:
        parts.append(action.key.value)
    return " ".join(parts)


def _raise(fault: Fault) -> NoReturn:
    raise (DeviceLost if fault.lost else DeviceError)(fault.words)


# Files.


def save_cassette(cassette: Cassette, path: Path) -> None:
    """Write a cassette aside and then put it in its place."""
    body = msgspec.msgpack.encode(cassette)
    # Renaming is atomic: a run that is killed while it writes leaves the old cassette whole.
    aside = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(_MAGIC + zlib.crc32(body).to_bytes(_CHECK_BYTES, "big") + body)
        aside.replace(path)
    except OSError as error:
        raise ConfigError(f"the cassette {path} cannot be written: {error}") from error


def load_cassette(path: str | Path) -> Cassette:
    """Read a cassette; ConfigError says what is wrong with the file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"the cassette {path} cannot be read: {error.strerror}") from error
    if not data.startswith(_MAGIC):
        raise ConfigError(f"{path} is not a cassette: it begins with {data[:16]!r}")
    check, body = data[len(_MAGIC) :][:_CHECK_BYTES], data[len(_MAGIC) + _CHECK_BYTES :]
    if zlib.crc32(body).to_bytes(_CHECK_BYTES, "big") != check:
        raise ConfigError(f"the cassette {path} is damaged: its checksum does not match")
    try:
        # The version first, by itself: later formats may not decode as a Cassette at all.
        version = msgspec.msgpack.decode(body, type=_Version).format
        if version != _FORMAT:
            raise ConfigError(
                f"the cassette {path} has format {version}, this version reads {_FORMAT}"
            )
        cassette = msgspec.msgpack.decode(body, type=Cassette)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"the cassette {path} cannot be read: {error}") from error
    wrong = _contradiction(cassette)
    if wrong:
        raise ConfigError(f"the cassette {path} contradicts itself: {wrong}")
    return cassette


class _Version(msgspec.Struct):
    format: int = 0


def _contradiction(cassette: Cassette) -> str:
    """What does not fit together; empty when everything does."""
    if any(not 0 <= f.picture < len(cassette.pictures) for f in cassette.frames):
        return "a frame without a picture"
    for number, take in enumerate(cassette.takes):
        if len(take.moments) != len(take.actions) + 1:
            return f"take {number} has {len(take.moments)} moments, {len(take.actions)} actions"
        if _out_of_range([m.frame for m in take.moments], len(cassette.frames)):
            return f"take {number} shows a frame that is not there"
    return ""


def _out_of_range(numbers: Sequence[int | None], count: int) -> bool:
    return any(number is not None and not 0 <= number < count for number in numbers)


def _pack(screen: Pixels) -> bytes:
    packed = io.BytesIO()
    # Drawn screens pack nearly as well at the lowest effort, in a fraction of the time.
    Image.fromarray(screen).save(packed, "PNG", compress_level=1)
    return packed.getvalue()


def _unpack(packed: bytes) -> Pixels:
    with (
        boundary(DeviceError, "a screen of the cassette cannot be read"),
        Image.open(io.BytesIO(packed), formats=("PNG",)) as image,
    ):
        if image.width * image.height > _LARGEST:
            raise DeviceError(f"a screen of the cassette is too large: {image.size}")
        return np.asarray(image.convert("RGB"))
