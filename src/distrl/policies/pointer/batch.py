"""Collates inputs of several situations into one padded batch, and renumbers decisions for it.

Padding changes the numbering of texts (goal spans, candidates' texts, vocabulary stand one behind
the other), so decisions are translated on their way into a batch and out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.text_encoder import DIMENSIONS


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded inputs of B situations with at most W words and N candidates."""

    words: Tensor
    word_features: Tensor
    word_mask: Tensor
    labels: Tensor
    features: Tensor
    crops: Tensor
    mask: Tensor
    """[B, N] False on padding."""
    history: Tensor
    trail: Tensor
    links: Tensor
    """[B, HISTORY + N, W] whether a goal word occurs in a touched label, or in a candidate's."""
    overview: Tensor
    enabled: Tensor
    typing: Tensor


def collate(rows: Sequence[i.Inputs]) -> Batch:
    """Pad inputs to the most words and candidates among them."""
    # At least one candidate: attention and softmax over none would be NaN.
    size, most = len(rows), max(1, max(len(r.features) for r in rows))
    long = max(len(r.words) for r in rows)
    words = np.zeros((size, long, DIMENSIONS), np.float32)
    word_features = np.zeros((size, long, i.WORD_FEATURES), np.float32)
    word_mask = np.zeros((size, long), np.bool_)
    labels = np.zeros((size, most, DIMENSIONS), np.float32)
    features = np.zeros((size, most, i.CANDIDATE_FEATURES), np.float32)
    crops = np.zeros((size, most, i.CROP, i.CROP, 3), np.uint8)
    mask = np.zeros((size, most), np.bool_)
    enabled = np.zeros((size, most), np.bool_)
    links = np.zeros((size, i.HISTORY + most, long), np.bool_)
    for row, r in enumerate(rows):
        w, n = len(r.words), len(r.features)
        words[row, :w], word_features[row, :w], word_mask[row, :w] = r.words, r.word_features, True
        labels[row, :n], features[row, :n], crops[row, :n] = r.labels, r.features, r.crops
        mask[row, :n], enabled[row, :n] = True, r.enabled
        links[row, : i.HISTORY + n, :w] = r.links
    return Batch(
        words=torch.from_numpy(words),
        word_features=torch.from_numpy(word_features),
        word_mask=torch.from_numpy(word_mask),
        labels=torch.from_numpy(labels),
        features=torch.from_numpy(features),
        crops=torch.from_numpy(crops),
        mask=torch.from_numpy(mask),
        history=torch.from_numpy(np.stack([r.history for r in rows])),
        trail=torch.from_numpy(np.stack([r.trail_labels for r in rows])),
        links=torch.from_numpy(links),
        overview=torch.from_numpy(np.stack([r.overview for r in rows])),
        enabled=torch.from_numpy(enabled),
        typing=torch.tensor([r.typing for r in rows]),
    )


def pad_decision(decision: d.Decision, words: int, candidates: int, batch: Batch) -> d.Decision:
    """Translate a decision from its screen's numbering to that of a padded batch."""
    # Candidates and directions keep their numbers; only texts stand behind padded parts.
    kind, target, extra = decision
    if kind != d.TYPE:
        return decision
    long, most = batch.words.shape[1], batch.mask.shape[1]
    spans = words * d.MAX_SPAN
    if extra < spans:
        return decision
    extra -= spans
    if extra < candidates:
        return kind, target, long * d.MAX_SPAN + extra
    return kind, target, long * d.MAX_SPAN + most + extra - candidates


def unpad_text(extra: int, words: int, candidates: int, batch: Batch) -> int:
    """Translate the number of a text from a padded batch to its screen's numbering."""
    long, most = batch.words.shape[1], batch.mask.shape[1]
    if extra < long * d.MAX_SPAN:
        return extra
    extra -= long * d.MAX_SPAN
    if extra < most:
        return words * d.MAX_SPAN + extra
    return words * d.MAX_SPAN + candidates + extra - most
