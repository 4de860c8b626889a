"""Collates inputs of several situations into one batch, and renumbers decisions for it.

Rows of all situations stand one behind the other, without padding, and what several of them share
is there once: goals, labels and crops of a screen return in most screens after it. Only attention
and the choice among candidates and words need a rectangle; indices lead to it and back.

Rectangles change the numbering of texts (goal spans, candidates' texts, vocabulary stand one behind
the other), so decisions are translated on their way into a batch and out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i

Ints = npt.NDArray[np.int64]
HAS_TEXT = len(i.ROLES) + 5
"""Place of "has text" among the features: the last one of state, which follows the role."""
_CONTEXT = 1 + i.HISTORY
"""Tokens before the candidates: overview and history."""
_GROUPS = 4
"""Of a batch to learn from: with more of them there is less padding, and more small operations."""
_CROP_BYTES = i.CROP * i.CROP * 3


@dataclass(frozen=True, slots=True)
class Group:
    """Situations of similar length whose tokens attend to each other, padded to L of them."""

    tokens: Tensor
    """[G, L] row of each token of a situation among all rows; 0 on padding."""
    seen: Tensor
    """[G, L] False on padding."""
    linked: Tensor
    """[G, L, L] pairs of a goal word and a label in which it occurs."""
    alike: Tensor
    """[G, L, L] how alike the meanings of a goal word and a label are."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs of B situations: C candidates and V goal words in all, at most N and W in one.

    Of its tokens, those of all overviews come first, then history, candidates and goal words.
    """

    texts: Tensor
    """[T, 384] vectors of the G words of distinct goals, then of distinct labels, then spare."""
    has_before: Tensor
    """[G, 1] 1 where a word has another before it in its goal, else 0."""
    has_after: Tensor
    """[G, 1] 1 where a word has another behind it in its goal, else 0."""
    goal_means: Tensor
    """[distinct goals, G] averages the words of each distinct goal."""
    goal_of: Tensor
    """[B] which of the distinct goals a situation has."""
    word_of: Tensor
    """[V] row in `texts` of each goal word."""
    word_features: Tensor
    """[V, WORD_FEATURES]"""
    label_of: Tensor
    """[B * HISTORY + C] row in `texts` of what was touched, and of each candidate."""
    crops: Tensor
    """[distinct crops, CROP, CROP, 3], with spare ones at the end"""
    crop_of: Tensor
    """[C] row in `crops`."""
    features: Tensor
    """[C, CANDIDATE_FEATURES]"""
    history: Tensor
    """[B * HISTORY, HISTORY_FEATURES]"""
    overview: Tensor
    """[B, GLOBAL_FEATURES]"""
    places: Tensor
    """[R] where each row stands among the tokens of all groups; 0 for spare rows at the end."""
    candidate_of: Tensor
    """[B, N] row of each candidate in `features`; C on padding."""
    mask: Tensor
    """[B, N] False on padding."""
    word_at: Tensor
    """[B, W] row of each goal word in `word_features`; V on padding."""
    word_mask: Tensor
    """[B, W] False on padding."""
    enabled: Tensor
    """[B, N]"""
    has_text: Tensor
    """[B, N] whether a candidate has a text, which can be typed."""
    typing: Tensor
    """[B] whether a field is focused."""
    groups: tuple[Group, ...]

    def tensors(self) -> tuple[Tensor, ...]:
        """All tensors, those of the groups last, for `of_tensors`."""
        own = (getattr(self, field.name) for field in fields(self)[:-1])
        return *own, *(getattr(g, field.name) for g in self.groups for field in fields(Group))

    @staticmethod
    def of_tensors(tensors: Sequence[Tensor]) -> Batch:
        """The batch that `tensors` was asked of."""
        own, size = len(fields(Batch)) - 1, len(fields(Group))
        starts = range(own, len(tensors), size)
        groups = tuple(Group(*tensors[start : start + size]) for start in starts)
        names = [field.name for field in fields(Batch)[:own]]
        return Batch(**dict(zip(names, tensors, strict=False)), groups=groups)


def collate(rows: Sequence[i.Inputs], *, to_learn: bool = False) -> Batch:
    """Put inputs one behind the other.

    `to_learn` divides them into several groups and rounds the numbers of rows, texts and crops up,
    which pays for large batches and cannot be traced.
    """
    # At least one candidate: a softmax over none would be NaN.
    candidates = _Rectangle([len(r.features) for r in rows], least=1)
    words = _Rectangle([len(r.words) for r in rows])
    features = np.concatenate([r.features for r in rows])
    grouped, places = _grouped(rows, candidates, words, to_learn=to_learn)
    said, goals = _goals(rows, words)
    labels, label_of = _labels(rows)
    texts, crops = np.concatenate([*said, *labels]), _crops(rows)
    if to_learn:
        texts, crops["crops"] = _with_spare_rows(texts), _with_spare_rows(crops["crops"])
    arrays = {
        "texts": texts,
        **goals,
        "word_features": np.concatenate([r.word_features for r in rows]),
        "label_of": len(goals["has_before"]) + label_of,
        **crops,
        "features": features,
        "history": np.concatenate([r.history for r in rows]),
        "overview": np.stack([r.overview for r in rows]),
        "places": places,
        "candidate_of": candidates.places,
        "mask": candidates.mask,
        "word_at": words.places,
        "word_mask": words.mask,
        "enabled": candidates.fill(np.concatenate([r.enabled for r in rows])),
        "has_text": candidates.fill(features[:, HAS_TEXT] > 0),
        "typing": np.array([r.typing for r in rows], np.bool_),
    }
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return Batch(**tensors, groups=grouped)


class _Rectangle:
    """Places of packed rows in a rectangle with a line for each situation."""

    def __init__(self, counts: Sequence[int], least: int = 0) -> None:
        """`counts` rows belong to each situation; a line has at least `least` places."""
        self.counts: Ints = np.array(counts, np.int64)
        self.starts: Ints = np.cumsum(self.counts) - self.counts
        place = np.arange(max(least, int(self.counts.max())))
        self.mask = place < self.counts[:, None]
        self.places: Ints = np.where(self.mask, self.starts[:, None] + place, self.total)

    @property
    def total(self) -> int:
        """Rows of all situations."""
        return int(self.counts.sum())

    def fill(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """The rows in their places; False on padding."""
        filled = np.zeros(self.mask.shape, np.bool_)
        filled[self.mask] = rows
        return filled


def _goals(
    rows: Sequence[i.Inputs], words: _Rectangle
) -> tuple[list[i.Array], dict[str, npt.NDArray[Any]]]:
    """Vectors of distinct goals, and which of their words each situation has."""
    # By the memory that the vectors are in: steps of an episode share it, and data augmentation
    # gives other vectors to the same goal.
    first: dict[int, int] = {}
    distinct: list[i.Array] = []
    goal_of = np.empty(len(rows), np.int64)
    for row, r in enumerate(rows):
        address = r.words.__array_interface__["data"][0]
        known = first.setdefault(address, len(distinct))
        if known == len(distinct):
            distinct.append(r.words)
        goal_of[row] = known
    lines = _Rectangle([len(vectors) for vectors in distinct])
    ends = np.zeros((2, lines.total, 1), np.float32)
    ends[0, lines.starts], ends[1, lines.starts + lines.counts - 1] = 1.0, 1.0
    means = np.zeros((len(distinct), lines.total + 1), np.float32)
    means[np.arange(len(distinct))[:, None], lines.places] = 1.0 / lines.counts[:, None]
    word_of = (lines.starts[goal_of][:, None] + np.arange(words.mask.shape[1]))[words.mask]
    return distinct, {
        "has_before": 1.0 - ends[0],
        "has_after": 1.0 - ends[1],
        "goal_means": means[:, :-1],
        "goal_of": goal_of,
        "word_of": word_of,
    }


def _labels(rows: Sequence[i.Inputs]) -> tuple[list[i.Array], Ints]:
    """Vectors [1, 384] of distinct labels, and which were touched and which candidates have."""
    known: dict[str, int] = {}
    distinct: list[i.Array] = []
    label_of: list[int] = []
    for names, vectors in (
        *((r.trail, r.trail_labels) for r in rows),
        *((r.names, r.labels) for r in rows),
    ):
        for place, name in enumerate(names):
            at = known.setdefault(name, len(distinct))
            if at == len(distinct):
                distinct.append(vectors[place : place + 1])
            label_of.append(at)
    return distinct, np.array(label_of, np.int64)


def _crops(rows: Sequence[i.Inputs]) -> dict[str, npt.NDArray[Any]]:
    """Distinct crops, and those of all candidates."""
    known: dict[bytes, int] = {}
    crop_of: list[int] = []
    for r in rows:
        data = r.crops.tobytes()
        for start in range(0, len(data), _CROP_BYTES):
            crop_of.append(known.setdefault(data[start : start + _CROP_BYTES], len(known)))
    # At least one, as a black one: an empty table has no shape to be reshaped to.
    joined = np.frombuffer(bytearray(b"").join(known) or bytearray(_CROP_BYTES), np.uint8)
    return {
        "crops": joined.reshape(-1, i.CROP, i.CROP, 3),
        "crop_of": np.array(crop_of, np.int64),
    }


def _grouped(
    rows: Sequence[i.Inputs], candidates: _Rectangle, words: _Rectangle, *, to_learn: bool
) -> tuple[tuple[Group, ...], Ints]:
    """Groups of similar length, and the place of every row among their tokens."""
    lengths = _CONTEXT + candidates.counts + words.counts
    order = np.argsort(lengths, kind="stable")
    parts = np.array_split(order, min(_GROUPS, len(rows))) if to_learn else [order]
    total = int(lengths.sum())
    places = np.zeros(_round_up(total) if to_learn else total, np.int64)
    before, groups = 0, []
    for part in parts:
        tokens, seen = _tokens(part, candidates, words)
        places[tokens[seen]] = before + np.flatnonzero(seen)
        before += seen.size
        pairs = _pairs([rows[row] for row in part.tolist()], seen.shape[1])
        groups.append(Group(*(torch.from_numpy(array) for array in (tokens, seen, *pairs))))
    return tuple(groups), places


def _round_up(count: int) -> int:
    """The next of eight sizes per power of two."""
    # oneDNN compiles a program for every size that it meets.
    step = max(16, 1 << max(0, count.bit_length() - 4))
    return -(-count // step) * step


def _with_spare_rows(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A table with rows of zeros behind its own, up to the next round size."""
    spare = _round_up(len(table)) - len(table)
    return np.concatenate([table, np.zeros((spare, *table.shape[1:]), table.dtype)])


def _tokens(
    part: Ints, candidates: _Rectangle, words: _Rectangle
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Rows of the tokens of some situations: overview, history, candidates, goal words."""
    size, line = len(words.counts), part[:, None]
    end = _CONTEXT + candidates.counts[line]
    last = end + words.counts[line]
    place = np.arange(int(last.max()))
    first_candidate = size * _CONTEXT + candidates.starts[line]
    first_word = size * _CONTEXT + candidates.total + words.starts[line]
    tokens = np.select(
        [place < 1, place < _CONTEXT, place < end, place < last],
        [
            line,
            size + i.HISTORY * line + place - 1,
            first_candidate + place - _CONTEXT,
            first_word + place - end,
        ],
    )
    return tokens, place < last


def _pairs(rows: Sequence[i.Inputs], length: int) -> tuple[npt.NDArray[np.bool_], i.Array]:
    linked = np.zeros((len(rows), length, length), np.bool_)
    alike = np.zeros((len(rows), length, length), np.float32)
    for row, r in enumerate(rows):
        labels, words = r.links.shape
        before, behind = slice(1, 1 + labels), slice(1 + labels, 1 + labels + words)
        for of_group, own in ((linked, r.links), (alike, r.alike)):
            of_group[row, before, behind] = own
            of_group[row, behind, before] = own.T
    return linked, alike


def pad_decision(decision: d.Decision, words: int, candidates: int, batch: Batch) -> d.Decision:
    """Translate a decision from its screen's numbering to that of a batch."""
    # Candidates and directions keep their numbers; only texts stand behind padded parts.
    kind, target, extra = decision
    if kind not in d.TEXT_BLOCKS:
        return decision
    return kind, target, d.renumber(extra, kind, (words, candidates), _sizes(batch))


def unpad_decision(padded: d.Decision, words: int, candidates: int, batch: Batch) -> d.Decision:
    """Translate a decision from a batch to its screen's numbering."""
    kind, target, extra = padded
    if kind not in d.TEXT_BLOCKS:
        return padded
    return kind, target, d.renumber(extra, kind, _sizes(batch), (words, candidates))


def _sizes(batch: Batch) -> tuple[int, int]:
    return batch.word_mask.shape[1], batch.mask.shape[1]
