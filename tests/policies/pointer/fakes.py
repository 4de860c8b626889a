"""Screens for the pointer, and an encoder whose vectors are hashes: quick, and the same always."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch

from distrl.actions import ANSWER_WORDS
from distrl.config.policies import PolicyConfig
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.decisions import Decision, Options
from distrl.policies.pointer.inputs import Preparer, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.text_encoder import DIMENSIONS, Read, TextEncoder
from distrl.types import Action, Element, Observation, Picture, Pixels, Situation

IN_MEMORY = Path(":memory:")
TINY = PolicyConfig(width=16, layers=2, heads=2, crop_width=8)

BUTTON = Element("button", "Save", bounds=(0.1, 0.1, 0.3, 0.2))
DISABLED = Element("button", "Delete", bounds=(0.6, 0.1, 0.9, 0.2), enabled=False)
FIELD = Element("field", "", "Name", (0.1, 0.3, 0.9, 0.4), editable=True)
NAME = Element("text", "Ada Lovelace", bounds=(0.1, 0.5, 0.9, 0.6))
ICON = Element("image", "", "Search", (0.4, 0.7, 0.6, 0.8))
SCREEN = (BUTTON, DISABLED, FIELD, NAME, ICON)
GOAL = "Save Ada as a friend"


def hashed(texts: Sequence[str]) -> list[Read]:
    """Two vectors and a place for each word of each text."""
    found = []
    for text in texts:
        spans = [match.span() for match in re.finditer(r"[^\W_]+", text)]
        rows = [
            np.random.default_rng(zlib.crc32(text[a:b].lower().encode())).normal(size=DIMENSIONS)
            for a, b in spans
        ]
        vectors = np.array(rows, np.float32).reshape(len(rows), DIMENSIONS)
        found.append(Read(-vectors, vectors, np.array(spans).reshape(len(spans), 2)))
    return found


class FakeTextEncoder(TextEncoder):
    """The real cache over hashes in place of the model; counts the texts that it encodes."""

    def __init__(self, cache: Path = IN_MEMORY) -> None:
        super().__init__(cache)
        self.encoded: list[str] = []
        self._model = self._encode

    def _encode(self, texts: Sequence[str]) -> list[Read]:
        self.encoded += texts
        return hashed(texts)


def noise(height: int = 64, width: int = 32, seed: int = 0) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def situation(
    elements: tuple[Element, ...] | None = SCREEN,
    *,
    goal: str = GOAL,
    keyboard: bool = False,
    history: tuple[Action, ...] = (),
    seed: int = 0,
    pixels: Pixels | None = None,
) -> Situation:
    picture = Picture(noise() if pixels is None else pixels)
    return Situation(
        goal=goal,
        observation=Observation(picture, elements, keyboard, "notes"),
        history=history,
        steps_left=10 - len(history),
        seed=seed,
    )


def random_situation(seed: int) -> Situation:
    """A screen of some elements with words in common with its goal."""
    rng = Random(seed)
    words = ("save", "ada", "open", "alarm", "7:05", "note", "call", "Bob's", "the", "mail")

    def some(most: int) -> str:
        return " ".join(rng.choice(words) for _ in range(rng.randint(0, most)))

    def element() -> Element:
        x, y = rng.random() * 0.8, rng.random() * 0.8
        return Element(
            rng.choice(("button", "text", "field", "image", "strange")),
            some(3),
            some(1),
            (x, y, x + 0.2 * rng.random(), y + 0.2 * rng.random()),
            enabled=rng.random() < 0.8,
            editable=rng.random() < 0.3,
        )

    return situation(
        tuple(element() for _ in range(rng.randint(0, 12))),
        goal=some(12),
        keyboard=rng.random() < 0.5,
        seed=seed,
        pixels=noise(seed=seed),
    )


def make_model(seed: int = 0, *, sharp: float = 1.2) -> PointerModel:
    """Random weights, larger than usual so that its choices are far from even."""
    torch.manual_seed(seed)
    model = PointerModel(TINY)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(sharp)
    return model.eval()


def make_judging_model(seed: int = 0) -> PointerModel:
    """The same with critics of decisions that tell them well apart."""
    plain = make_model(seed)
    model = PointerModel(TINY, decision_critics=True)
    model.load_state_dict(model.adapt(plain.state_dict()))
    assert model.network.decision_critics is not None
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.network.decision_critics.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator))
    return model.eval()


def make_preparer(*, pixels: bool = True) -> Preparer:
    return Preparer(FakeTextEncoder(), pixels=pixels)


def texts_of(options: Options, kind: int = d.TYPE) -> Iterator[int]:
    """The numbers of all texts that can be typed, or answered."""
    words, candidates = len(options.words), len(options.candidates)
    for start in range(words):
        for length in range(1, min(d.MAX_SPAN, words - start) + 1):
            yield start * d.MAX_SPAN + length - 1
    for index, candidate in enumerate(options.candidates):
        if candidate.text:
            yield words * d.MAX_SPAN + index
    blocks, known = (1, d.VOCABULARY) if kind == d.TYPE else (2, ANSWER_WORDS)
    for index, candidate in enumerate(options.candidates):
        if kind == d.ANSWER and candidate.text and candidate.description:
            yield words * d.MAX_SPAN + candidates + index
    for index in range(len(known)):
        yield words * d.MAX_SPAN + blocks * candidates + index


def every_decision(here: Situation, *, later: bool = False) -> list[Decision]:
    """All decisions that a situation allows, written out; with `later`, of all kinds."""
    options = options_of(here)
    targets = range(len(options.candidates))
    found: list[Decision] = [(kind, t, 0) for kind in (d.TAP, d.LONG_PRESS) for t in targets]
    found += [
        (d.SWIPE, start, direction)
        for start in range(len(targets) + 1)
        for direction in range(len(d.DIRECTIONS))
    ]
    found += [(d.TYPE, 0, extra) for extra in texts_of(options)]
    found += [(kind, 0, 0) for kind in range(d.TYPE + 1, len(d.CHOICES))]
    if later:
        found += [(d.ANSWER, 0, extra) for extra in texts_of(options, d.ANSWER)]
        found += [(d.DOUBLE_TAP, target, 0) for target in targets]
        found.append((d.RECENTS, 0, 0))
    return found
