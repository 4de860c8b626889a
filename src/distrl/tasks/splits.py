"""Splits that say what is new, beside the four that every suite has.

    train, val, test, unseen    as written: three to ten phrasings per template
    wide        a wider training set: derived templates, and the grammar of requests
    worded      the test tasks, in words that no training task has
    composed    known operations, in compositions that no training task has
    unseen_app  apps that no training task has

Every new split takes the parameter values of one of the four. Values of `test` stay new to training
wherever they are used, so a policy that fails on `worded` fails because of the words alone.
"""

from __future__ import annotations

WIDE = "wide"
WORDED = "worded"
COMPOSED = "composed"
UNSEEN_APP = "unseen_app"
MORE_SPLITS = (WIDE, WORDED, COMPOSED, UNSEEN_APP)
"""In the order of their seeds; a new one goes to the end, for seeds must not move."""

_VALUES = {WIDE: "train", WORDED: "test", COMPOSED: "test", UNSEEN_APP: "test"}


def values_of(split: str) -> str:
    """The split whose share of the open values a split draws from."""
    return _VALUES.get(split, split)
