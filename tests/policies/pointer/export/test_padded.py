"""Padded inputs against packed ones."""

from __future__ import annotations

import torch
from tests.policies.pointer.fakes import make_model, make_preparer, random_situation, situation

from distrl.policies.pointer.batch import collate
from distrl.policies.pointer.export.padded import as_batch, collate_padded

PREPARER = make_preparer()
HERE = [situation(), situation(()), situation(None), *map(random_situation, range(4))]


def test_a_padded_batch_has_the_scores_of_a_packed_one() -> None:
    rows, model = [PREPARER.prepare(here) for here in HERE], make_model()
    with torch.no_grad():
        model.network.text_in.bias.fill_(0.3)
        packed, padded = model.network(collate(rows)), model.network(as_batch(collate_padded(rows)))
    for name in ("kind", "tap", "long_press", "start", "direction", "text", "values", "invalid"):
        torch.testing.assert_close(
            getattr(padded, name).clamp(-50), getattr(packed, name).clamp(-50), atol=1e-5, rtol=0
        )
