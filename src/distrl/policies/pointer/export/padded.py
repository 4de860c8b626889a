"""Inputs of exported networks: padded rectangles, which other programs fill more easily.

They become a `Batch` inside of the exported network, with padding as rows that nobody looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor

from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import HAS_TEXT, Batch, Group
from distrl.policies.pointer.text_encoder import DIMENSIONS


@dataclass(frozen=True, slots=True)
class PaddedBatch:
    """Inputs of B situations with at most W words and N candidates."""

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
    alike: Tensor
    """[B, HISTORY + N, W] how alike the meanings of such a label and of a goal word are."""
    overview: Tensor
    enabled: Tensor
    typing: Tensor


def collate_padded(rows: Sequence[i.Inputs]) -> PaddedBatch:
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
    alike = np.zeros(links.shape, np.float32)
    for row, r in enumerate(rows):
        w, n = len(r.words), len(r.features)
        words[row, :w], word_features[row, :w], word_mask[row, :w] = r.words, r.word_features, True
        labels[row, :n], features[row, :n], crops[row, :n] = r.labels, r.features, r.crops
        mask[row, :n], enabled[row, :n] = True, r.enabled
        links[row, : i.HISTORY + n, :w] = r.links
        alike[row, : i.HISTORY + n, :w] = r.alike
    return PaddedBatch(
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
        alike=torch.from_numpy(alike),
        overview=torch.from_numpy(np.stack([r.overview for r in rows])),
        enabled=torch.from_numpy(enabled),
        typing=torch.tensor([r.typing for r in rows]),
    )


def as_batch(p: PaddedBatch) -> Batch:
    """The same as a `Batch` in which nothing is shared, of operations that ONNX knows."""
    (size, most), long = p.mask.shape, p.words.shape[1]
    line, word, candidate = (torch.arange(count) for count in (size, long, most))
    filled = p.word_mask.float()
    means = filled / filled.sum(1, keepdim=True)
    group, places = _group(p)
    return Batch(
        texts=torch.cat([part.flatten(0, 1) for part in (p.words, p.trail, p.labels)]),
        has_before=(word > 0).float().expand(size, long).reshape(-1, 1),
        has_after=F.pad(filled[:, 1:], (0, 1)).reshape(-1, 1),
        goal_means=((line[:, None] == line).float()[:, :, None] * means).flatten(1),
        goal_of=line,
        word_of=torch.arange(size * long),
        word_features=p.word_features.flatten(0, 1),
        label_of=size * long + torch.arange(size * (i.HISTORY + most)),
        crops=p.crops.flatten(0, 1),
        crop_of=torch.arange(size * most),
        features=p.features.flatten(0, 1),
        history=p.history.flatten(0, 1),
        overview=p.overview,
        places=places,
        candidate_of=torch.where(p.mask, most * line[:, None] + candidate, size * most),
        mask=p.mask,
        word_at=torch.where(p.word_mask, long * line[:, None] + word, size * long),
        word_mask=p.word_mask,
        enabled=p.enabled,
        has_text=p.mask & (p.features[..., HAS_TEXT] > 0),
        typing=p.typing,
        groups=(group,),
    )


def _group(p: PaddedBatch) -> tuple[Group, Tensor]:
    """All situations as one group: overview, history, candidates, words; and the rows' places."""
    (size, most), long = p.mask.shape, p.words.shape[1]
    line = torch.arange(size)[:, None]
    counts = (1, i.HISTORY, most, long)
    length = 1 + i.HISTORY + most + long
    tokens, places, rows, before = [], [], 0, 0
    for count in counts:
        place = torch.arange(count)
        tokens.append(rows + count * line + place)
        places.append((length * line + before + place).flatten())
        rows, before = rows + size * count, before + count
    context = torch.ones_like(p.history[:, :1, 0], dtype=torch.bool).expand(size, 1 + i.HISTORY)
    around = (1 + i.HISTORY + most, 0, 1, long)
    linked, alike = F.pad(p.links.float(), around), F.pad(p.alike, around)
    group = Group(
        tokens=torch.cat(tokens, 1),
        seen=torch.cat([context, p.mask, p.word_mask], 1),
        linked=linked + linked.mT > 0,
        alike=alike + alike.mT,
    )
    return group, torch.cat(places)
