from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.policies.pointer.fakes import FakeTextEncoder, hashed

from distrl.policies.pointer.text_encoder import (
    DIMENSIONS,
    MAX_WORDS,
    Read,
    TextEncoder,
    default_cache,
    fold,
    words_of,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "vectors.sqlite"


# Reading.


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("Set an alarm for 7:05 AM.", ["Set", "an", "alarm", "for", "7:05", "AM"]),
        ("Open 'Bob's notes', please!", ["Open", "Bob's", "notes", "please"]),
        ("Buy AT&T-Router 2.0 (50%+)", ["Buy", "AT&T-Router", "2.0", "50"]),
        ("Ruf Jürgen an", ["Ruf", "Jürgen", "an"]),
        ("…", ["…"]),
        ("", [""]),
    ],
)
def test_words_are_found_without_the_punctuation_around_them(goal: str, words: list[str]) -> None:
    assert [goal[a:b] for a, b in words_of(goal)] == words


def test_words_of_a_long_goal_are_bounded() -> None:
    assert len(words_of("word " * 99)) == MAX_WORDS


@pytest.mark.parametrize(
    ("label", "folded"),
    [
        ("7:05 AM", "0:0 am"),
        ("  9:41 am ", "0:0 am"),
        ("Room 101", "room 0"),
        ("$1,299.00", "$0,0.0"),
        ("", ""),
        ("x" * 500, "x" * 120),
    ],
)
def test_numbers_and_case_are_folded(label: str, folded: str) -> None:
    assert fold(label) == folded


# Vectors.


def test_labels_that_differ_in_their_numbers_share_one_vector() -> None:
    encoder = FakeTextEncoder()
    first, second, other = encoder.labels(["7:05 AM", "9:41 am", "Save"])
    assert (first == second).all()
    assert (first != other).any()
    assert len(encoder.encoded) == 2


def test_vectors_of_labels_have_length_one_and_empty_ones_are_zero() -> None:
    encoder = FakeTextEncoder()
    vectors = encoder.labels(["Save", "Ada Lovelace", "", "   "])
    assert vectors.shape == (4, DIMENSIONS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 0, 0], abs=1e-3)
    assert (encoder.label("Save") == vectors[0]).all()


def test_what_has_nothing_to_read_is_zero_and_not_a_hole() -> None:
    """Some labels are a single mark that the model's tokeniser drops."""
    encoder = FakeTextEncoder()
    assert not encoder.label("\u200b…").any()
    assert not any(vectors.any() for vectors in encoder.goal("\u200b…"))
    assert encoder.goal("").words.shape == (1, DIMENSIONS)


def test_no_labels_have_no_vectors() -> None:
    assert FakeTextEncoder().labels([]).shape == (0, DIMENSIONS)


@pytest.mark.parametrize("goal", ["Save Ada as a friend", "word " * 99, "?!", "Call Bob's Diner."])
def test_a_goal_has_a_vector_per_word(goal: str) -> None:
    for vectors in FakeTextEncoder().goal(goal):
        assert vectors.shape == (len(words_of(goal)), DIMENSIONS)
        assert np.isfinite(vectors).all()


def test_a_word_of_several_tokens_is_their_mean() -> None:
    encoder = FakeTextEncoder()
    goal = encoder.goal("Call Bob's friend")
    [read] = hashed(["Call Bob s friend"])
    for vectors, tokens in ((goal.words, read.early), (goal.meanings, read.late)):
        mean = tokens[1:3].mean(axis=0)
        assert vectors[1] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-3)
        assert vectors[2] == pytest.approx(tokens[3] / np.linalg.norm(tokens[3]), abs=1e-3)


# The cache.


def test_nothing_is_encoded_twice() -> None:
    encoder = FakeTextEncoder()
    for _ in range(3):
        encoder.labels(["Save", "save", "Delete"])
        encoder.goal("Save it")
    assert sorted(encoder.encoded) == ["Save it", "delete", "save"]


def test_the_hit_rate_is_the_share_of_texts_that_were_known() -> None:
    encoder = FakeTextEncoder()
    assert encoder.hit_rate == 1.0
    encoder.labels(["Save", "Delete"])
    assert (encoder.hits, encoder.misses) == (0, 2)
    encoder.labels(["Save", "Delete", "Room 1", "Room 2"])
    assert (encoder.hits, encoder.misses) == (3, 3)
    encoder.goal("Save it")
    encoder.goal("Save it")
    encoder.label("Save")
    assert (encoder.hits, encoder.misses) == (5, 4)
    assert encoder.hit_rate == pytest.approx(5 / 9)


def test_a_prefilled_cache_has_nothing_to_miss() -> None:
    encoder = FakeTextEncoder()
    assert encoder.prefill(["Save", "Room 1", "Room 2", "save"]) == 2
    assert encoder.prefill(["Save", "Room 7"]) == 0
    encoder.labels(["Save", "Room 3"])
    assert encoder.hit_rate == 1.0


def test_prefilled_goals_are_encoded_together_and_the_same_as_one_by_one() -> None:
    goals = ["Save Ada as a friend", "Call Bob's Diner.", "Save it", "Save it", ""]
    together, alone = FakeTextEncoder(), FakeTextEncoder()
    assert together.prefill_goals(goals) == 4
    assert together.prefill_goals(goals) == 0
    for goal in goals:
        assert np.array_equal(together.goal(goal), alone.goal(goal))
    assert together.hit_rate == 1.0


def test_labels_are_listed_once_for_all_who_share_a_cache(cache: Path) -> None:
    listed = []

    def make_list() -> list[str]:
        listed.append(1)
        return ["Save", "Delete"]

    first, second = FakeTextEncoder(cache), FakeTextEncoder(cache)
    assert first.prefill_once("phone 1", make_list) == 2
    assert second.prefill_once("phone 1", make_list) == 0
    assert FakeTextEncoder(cache).prefill_once("phone 1", make_list) == 0
    assert len(listed) == 1
    assert second.prefill_once("phone 2", make_list) == 0
    assert len(listed) == 2
    assert (second.labels(["Save", "Delete"]) == first.labels(["Save", "Delete"])).all()
    assert second.encoded == []


def test_labels_whose_encoding_failed_are_listed_again(cache: Path) -> None:
    def fail(texts: Sequence[str]) -> list[Read]:
        raise OSError(f"no model for {texts}")

    encoder = FakeTextEncoder(cache)
    encoder._model = fail
    with pytest.raises(OSError, match="no model"):
        encoder.prefill_once("phone", lambda: ["Save"])
    assert FakeTextEncoder(cache).prefill_once("phone", lambda: ["Save"]) == 1


def test_vectors_survive_on_disk_and_are_the_same_to_the_bit(cache: Path) -> None:
    first = FakeTextEncoder(cache)
    labels, goal = first.labels(["Save", "Delete"]), first.goal("Save it")
    second = FakeTextEncoder(cache)
    assert (second.labels(["Save", "Delete"]) == labels).all()
    assert np.array_equal(second.goal("Save it"), goal)
    assert second.encoded == []


def test_what_one_writes_later_another_reads_without_encoding(cache: Path) -> None:
    first, second = FakeTextEncoder(cache), FakeTextEncoder(cache)
    labels, goal = first.labels(["Save", "Delete"]), first.goal("Save it")
    assert (second.labels(["Save", "Delete"]) == labels).all()
    assert np.array_equal(second.goal("Save it"), goal)
    assert second.encoded == []
    assert second.hit_rate == 1.0


class Shaky(FakeTextEncoder):
    """Gives other last digits than the rest, as a model does for a text in another batch."""

    def __init__(self, cache: Path, other: TextEncoder) -> None:
        super().__init__(cache)
        self._other = other

    def _encode(self, texts: Sequence[str]) -> list[Read]:
        # Meanwhile the other one, which missed the same texts, is quicker.
        for text in texts:
            self._other.label(text)
            self._other.goal(text)
        return [
            Read(read.early * 1.5 + 0.1, read.late * 1.5 + 0.1, read.offsets)
            for read in hashed(texts)
        ]


def test_who_writes_first_is_right_for_all(cache: Path) -> None:
    first = FakeTextEncoder(cache)
    second = Shaky(cache, first)
    assert (second.label("save") == first.label("save")).all()
    assert np.array_equal(second.goal("Save it"), first.goal("Save it"))


class Curious(FakeTextEncoder):
    """Writes through another connection while it encodes."""

    def __init__(self, cache: Path) -> None:
        super().__init__(cache)
        self._path = cache

    def _encode(self, texts: Sequence[str]) -> list[Read]:
        other = FakeTextEncoder(self._path)
        other._store.execute("PRAGMA busy_timeout = 0")
        other.label("meanwhile " + "abc"[len(self.encoded) // 64])
        return super()._encode(texts)


def test_others_can_write_while_many_labels_are_encoded(cache: Path) -> None:
    encoder = Curious(cache)
    labels = [f"label {a}{b}" for a in "abcdefghijkl" for b in "abcdefghijkl"]
    assert encoder.prefill(labels) == 144
    assert len(FakeTextEncoder(cache)._known) == 144 + 3


ACT = """
import sys
from pathlib import Path
import numpy as np
from distrl.policies.pointer.text_encoder import DIMENSIONS, Read, TextEncoder
encoded = []
def run(texts):
    encoded.extend(texts)
    numbers = [np.random.default_rng(len(text)).normal(size=(1, DIMENSIONS)) for text in texts]
    halves = [vectors.astype(np.float32) for vectors in numbers]
    return [Read(half, half, [(0, 1)]) for half in halves]
encoder = TextEncoder(Path(sys.argv[1]))
encoder._model = run
labels = encoder.labels(["Save", "Delete", "7:05"])
print(len(encoded), labels.tobytes().hex())
"""


def test_two_processes_share_one_cache(cache: Path) -> None:
    def run() -> tuple[str, str]:
        command = [sys.executable, "-c", ACT, str(cache)]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
        )
        encoded, vectors = done.stdout.split()
        return encoded, vectors

    first, second = run(), run()
    assert (first[0], second[0]) == ("3", "0")
    assert first[1] == second[1]
    here = FakeTextEncoder(cache)
    assert here.labels(["save", "delete", "9:41"]).tobytes().hex() == first[1]
    assert here.encoded == []


def test_the_cache_is_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISTRL_CACHE", str(tmp_path))
    assert default_cache().parent == tmp_path
    monkeypatch.delenv("DISTRL_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache().parent == tmp_path / ".cache" / "distrl"


# The model itself.


def test_the_real_encoder_reads_meaning_offline(cache: Path) -> None:
    encoder = TextEncoder(cache)
    alarm, clock, banana, call, phone = encoder.labels(
        ["Set an alarm", "Clock", "Banana bread", "Call Bob", "Phone"]
    )
    assert np.linalg.norm(alarm) == pytest.approx(1, abs=1e-3)
    assert alarm @ clock > alarm @ banana + 0.1
    assert call @ phone > call @ banana + 0.1
    goal = "Set an alarm for 7:05 AM, please."
    vectors = encoder.goal(goal)
    assert vectors.words.shape == vectors.meanings.shape == (len(words_of(goal)), DIMENSIONS)
    # In the light of its sentence, a word is nearer to its own label than to a stranger's.
    alarm_word = vectors.meanings[2]
    assert alarm_word @ encoder.label("alarm") > alarm_word @ banana + 0.1
    assert not encoder.label("\u200b").any()
    # Many at a time are sorted by length and shared out, and come back in order.
    many = [f"{'very ' * (n % 7)}long label {chr(97 + n % 26)}" for n in range(40)]
    alone = TextEncoder(cache.with_name("alone.sqlite"))
    for label, vector in zip(many, encoder.labels(many), strict=True):
        assert vector == pytest.approx(alone.label(label), abs=1e-2)
    again = TextEncoder(cache)
    assert np.array_equal(again.goal(goal), vectors)
    assert again._model is None


def test_goals_of_before_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    first = FakeTextEncoder(tmp_path / "cache.sqlite")
    wanted = first.goal("Call Ada now").words
    first.label("Call")
    first.close()
    second = FakeTextEncoder(tmp_path / "cache.sqlite")
    # A cache may have many thousand goals, of which a process needs a few.
    assert set(second._known) == {"l:call"}
    assert np.array_equal(second.goal("Call Ada now").words, wanted)
    assert second.encoded == []
    assert second.hit_rate == 1.0
