from __future__ import annotations

import zlib
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.store import assert_equal, make_episode, make_screen, make_step, make_task

from distrl.errors import StoreError
from distrl.replay.store import picture_codec
from distrl.replay.store.packing import HEAD, PACKED, check_packed, pack
from distrl.replay.wire import ELEMENTS, STEP, Wire
from distrl.types import Action, Choice, Element, Key, Kind, StoredStep, Task, Verdict

TASK: Wire[Task] = Wire("task", Task)
ACTION: Wire[Action] = Wire("action", Action)
CHOICE: Wire[Choice] = Wire("choice", Choice)
VERDICTS: Wire[tuple[Verdict, ...]] = Wire("verdicts", tuple[Verdict, ...])

text = st.text(st.characters(exclude_categories=["Cs"]))
number = st.floats(allow_nan=False)
integer = st.integers(-(2**63), 2**64 - 1)
value = text | integer | st.booleans()

actions = st.builds(
    Action,
    st.sampled_from(Kind),
    number,
    number,
    number,
    number,
    text,
    st.none() | st.sampled_from(Key),
)
elements = st.builds(
    Element,
    role=text,
    text=text,
    description=text,
    bounds=st.tuples(number, number, number, number),
    enabled=st.booleans(),
    checked=st.none() | st.booleans(),
    focused=st.booleans(),
    editable=st.booleans(),
)
tasks = st.builds(
    Task,
    id=text,
    goal=text,
    suite=text,
    split=text,
    template=text,
    parameters=st.dictionaries(text, value),
    seed=integer,
    step_limit=integer,
)
choice_fields: dict[str, st.SearchStrategy[Any]] = {
    "action": actions,
    "decision": st.none() | st.lists(integer).map(tuple),
    "log_prob": st.none() | number,
    "entropy": st.none() | number,
    "value": st.none() | number,
    "version": integer,
    "digest": text,
    "inputs": st.binary(),
}
choices = st.builds(Choice, **choice_fields)
steps = st.builds(
    StoredStep,
    **choice_fields,
    reward=number,
    penalties=st.dictionaries(text, number),
    decide_seconds=number,
    device_seconds=number,
)
verdicts = st.builds(
    Verdict,
    judge=text,
    success=st.none() | st.booleans(),
    reason=text,
    side_effects=st.lists(text).map(tuple),
)


@given(tasks)
def test_a_task_comes_back(task: Task) -> None:
    assert TASK.decode(TASK.encode(task)) == task


@given(st.lists(elements).map(tuple))
def test_an_element_tree_comes_back(tree: tuple[Element, ...]) -> None:
    assert ELEMENTS.decode(ELEMENTS.encode(tree)) == tree


@given(actions)
def test_an_action_comes_back(action: Action) -> None:
    assert ACTION.decode(ACTION.encode(action)) == action


@given(choices)
def test_a_choice_comes_back(choice: Choice) -> None:
    assert CHOICE.decode(CHOICE.encode(choice)) == choice


@given(steps)
def test_a_step_comes_back(step: StoredStep) -> None:
    assert STEP.decode(STEP.encode(step)) == step


def test_a_step_of_before_there_were_values_has_none() -> None:
    step = StoredStep.of(make_step(1, value=0.5))
    named = msgspec.msgpack.decode(STEP.encode(step)[:-4])
    assert named.pop("value") == 0.5
    old: Wire[dict[str, Any]] = Wire("step", dict[str, Any])
    assert STEP.decode(old.encode(named)) == replace(step, value=None)


@given(st.lists(verdicts).map(tuple))
def test_verdicts_come_back(given_verdicts: tuple[Verdict, ...]) -> None:
    assert VERDICTS.decode(VERDICTS.encode(given_verdicts)) == given_verdicts


def test_a_whole_episode_travels_as_one_blob() -> None:
    episode = make_episode()
    packed = PACKED.decode(PACKED.encode(pack(episode)))
    assert packed == pack(episode)
    assert_equal(check_packed(packed), episode)


def test_what_the_receiver_has_is_left_out_and_the_rest_is_still_checked() -> None:
    episode = make_episode()
    packed = pack(episode, known=set(pack(episode).shared).__contains__)
    assert packed.shared == ()
    checked = check_packed(packed)
    assert [step.choice.inputs for step in checked.steps] == [b""] * len(episode.steps)
    assert [step.choice.action for step in checked.steps] == [
        step.choice.action for step in episode.steps
    ]


def test_equal_nouns_give_equal_bytes() -> None:
    assert pack(make_episode()) == pack(make_episode())


def test_a_field_that_was_added_with_a_default_is_read_from_older_blobs() -> None:
    older = msgspec.msgpack.encode({"kind": "tap", "x": 0.5, "y": 0.25})
    assert ACTION.decode(sealed(older)) == Action(Kind.TAP, 0.5, 0.25)


@pytest.mark.parametrize(
    ("wire", "noun"),
    [
        (TASK, make_task(parameters={"at": 1.5})),
        (TASK, make_task(parameters={"at": None})),
        (TASK, make_task(goal="\udfff")),
        (TASK, make_task(goal=b"bytes")),
        (TASK, make_task(seed=-(2**63) - 1)),
        (TASK, make_task(step_limit=1.5)),
        (ACTION, Action("hover")),  # type: ignore[arg-type]
        (ACTION, Action(Kind.TAP, "left")),  # type: ignore[arg-type]
        (ELEMENTS, (Element("button", bounds=(0.0, 1.0)),)),  # type: ignore[arg-type]
        (CHOICE, make_step(1, decision=(1.5,)).choice),
        (CHOICE, make_step(1, log_prob=np.zeros(2)).choice),
        (CHOICE, make_step(1, action=None).choice),
        (VERDICTS, ({"judge": "x"},)),
    ],
)
def test_what_has_the_wrong_type_is_refused_before_it_is_stored(
    wire: Wire[Any], noun: object
) -> None:
    with pytest.raises(StoreError, match="cannot be stored"):
        wire.encode(noun)


# Garbage: a typed error, or a noun of the right type; nothing else, ever.

BLOBS: dict[str, tuple[Wire[Any], bytes]] = {
    "task": (TASK, TASK.encode(make_task())),
    "elements": (ELEMENTS, ELEMENTS.encode(make_step(1).observation.elements or ())),
    "action": (ACTION, ACTION.encode(make_step(1).choice.action)),
    "choice": (CHOICE, CHOICE.encode(make_step(1).choice)),
    "step": (STEP, STEP.encode(StoredStep.of(make_step(1)))),
    "verdicts": (VERDICTS, VERDICTS.encode(make_episode().verdicts)),
    "head": (HEAD, pack(make_episode()).head),
    "packed episode": (PACKED, PACKED.encode(pack(make_episode()))),
}


def sealed(data: bytes) -> bytes:
    return data + zlib.crc32(data).to_bytes(4, "big")


def mutated(blob: bytes, rng: Random) -> bytes:
    """Some bytes changed, taken out, put in, repeated or cut off."""
    spoiled = bytearray(blob)
    for _ in range(rng.choice([1, 1, 2, 5, 40])):
        at = rng.randrange(len(spoiled) + 1)
        match rng.randrange(5):
            case 0:
                spoiled[at : at + 1] = rng.randbytes(1)
            case 1:
                del spoiled[at : at + rng.randrange(1, 9)]
            case 2:
                spoiled[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 3:
                spoiled[at:at] = spoiled[at : at + rng.randrange(1, 30)]
            case _:
                del spoiled[max(at, 1) :]
    return bytes(spoiled)


@pytest.mark.parametrize("kind", BLOBS)
def test_a_mutated_blob_never_gets_past_its_checksum(kind: str) -> None:
    wire, blob = BLOBS[kind]
    rng = Random(1)
    for _ in range(250):
        spoiled = mutated(blob, rng)
        if spoiled != blob:
            with pytest.raises(StoreError, match="checksum"):
                wire.decode(spoiled)


@pytest.mark.parametrize("kind", BLOBS)
def test_garbage_with_a_right_checksum_gives_typed_errors_only(kind: str) -> None:
    wire, blob = BLOBS[kind]
    rng = Random(2)
    refused = 0
    for _ in range(250):
        spoiled = sealed(mutated(blob[:-4], rng))
        try:
            read = wire.decode(spoiled)
        except StoreError:
            refused += 1
        else:  # still of the right type: it can be written and read again
            assert wire.encode(wire.decode(wire.encode(read))) == wire.encode(read)
    assert refused > 100


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x91" * 100_000,
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x80\x04\x95cposix\nsystem\n.",  # how a pickle begins
        msgspec.msgpack.encode({"action": [[[[]]]] * 10}),
    ],
)
@pytest.mark.parametrize("kind", BLOBS)
def test_hostile_bytes_are_refused(kind: str, data: bytes) -> None:
    wire, _ = BLOBS[kind]
    for blob in (data, sealed(data)):
        with pytest.raises(StoreError):
            wire.decode(blob)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    for wire, _ in BLOBS.values():
        with pytest.raises(StoreError):
            wire.decode(data)
        try:
            wire.decode(sealed(data))
        except StoreError as error:
            assert "cannot be read" in str(error)


@pytest.mark.parametrize("codec", ["webp", "png"])
def test_a_mutated_picture_is_refused_or_shows_the_same(codec: picture_codec.Codec) -> None:
    screen = make_screen(3)
    packed, digest = picture_codec.encode(screen, codec), picture_codec.digest_of(screen)
    rng = Random(3)
    for _ in range(300):
        try:
            read = picture_codec.decode(mutated(packed, rng), digest)
        except StoreError as error:
            assert digest.hex() in str(error)
        else:
            np.testing.assert_array_equal(read, screen)
