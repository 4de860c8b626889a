"""What a language model takes in memory: the table of docs/models.md, computed, not measured.

weights       2 bytes each in bfloat16, 4 in float32; one copy to act, one to learn
adapter       weight, gradient, two moments of AdamW and the average: 4 bytes each
activations   of one pass while learning: what each adapted layer keeps for its gradient
cache         keys and values of the prompts that are written on side by side
"""

from __future__ import annotations

from dataclasses import dataclass

_GB = 1e9
_TRAINED_BYTES = 5 * 4
_KEPT_PER_WIDTH, _KEPT_PER_INNER = 8, 3
"""Vectors of a layer's width, and of its inner width, that a layer keeps for each token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """What its configuration file says."""

    name: str
    parameters: float
    """All of them, those that see included."""
    layers: int
    width: int
    inner: int
    """Of the feed-forward part."""
    keys: int
    """Width of all keys together, or of all values."""
    sees: bool = True


SHAPES = (
    ModelShape(
        name="SmolLM2-135M",
        parameters=0.135e9,
        layers=30,
        width=576,
        inner=1536,
        keys=192,
        sees=False,
    ),
    ModelShape(
        name="SmolVLM-2.2B", parameters=2.25e9, layers=24, width=2048, inner=8192, keys=2048
    ),
    ModelShape(name="Qwen2-VL-2B", parameters=2.21e9, layers=28, width=1536, inner=8960, keys=256),
    ModelShape(
        name="Qwen2.5-VL-3B", parameters=3.75e9, layers=36, width=2048, inner=11008, keys=256
    ),
    ModelShape(
        name="Qwen2.5-VL-7B", parameters=8.29e9, layers=28, width=3584, inner=18944, keys=512
    ),
)
"""Models that people use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How a model is used."""

    rank: int = 16
    adapted: int | None = None
    """Layers with an adapter; None for all."""
    bytes: int = 2
    """Of a frozen weight, and of an activation."""
    rows: int = 16
    """Steps in one pass while learning."""
    at_once: int = 16
    """Prompts that are written on side by side."""
    tokens: int = 400
    """Of a prompt with its picture and its action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Gigabytes."""

    weights: float
    adapter: float
    activations: float
    cache: float

    @property
    def acting(self) -> float:
        """Of the process that collects."""
        return self.weights + self.cache

    @property
    def learning(self) -> float:
        """Of the process that learns."""
        return self.weights + self.adapter + self.activations


def adapter_parameters(shape: ModelShape, use: Use) -> int:
    """Weights of a LoRA on queries, keys, values, output and the feed-forward part."""
    width, inner, keys = shape.width, shape.inner, shape.keys
    ends = [(width, width), (width, keys), (width, keys), (width, width)]
    ends += [(width, inner), (width, inner), (inner, width)]
    layers = shape.layers if use.adapted is None else use.adapted
    return layers * use.rank * sum(a + b for a, b in ends)


def needs_of(shape: ModelShape, use: Use) -> Needs:
    """What a model takes for a use."""
    layers = shape.layers if use.adapted is None else use.adapted
    # A model that sees passes one prompt after another.
    rows = 1 if shape.sees else use.rows
    kept = _KEPT_PER_WIDTH * shape.width + 2 * shape.keys + _KEPT_PER_INNER * shape.inner
    return Needs(
        weights=shape.parameters * use.bytes / _GB,
        adapter=adapter_parameters(shape, use) * _TRAINED_BYTES / _GB,
        activations=rows * use.tokens * layers * kept * use.bytes / _GB,
        cache=use.at_once * use.tokens * shape.layers * 2 * shape.keys * use.bytes / _GB,
    )


def table() -> str:
    """The page's table, in Markdown."""
    head = ("model", "weights", "adapter", "a pass", "cache", "to act", "to learn", "travels")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for shape in SHAPES:
        use = Use() if shape.sees else Use(adapted=8, bytes=4, tokens=90)
        needs = needs_of(shape, use)
        numbers = (
            *(needs.weights, needs.adapter, needs.activations, needs.cache),
            *(needs.acting, needs.learning),
        )
        travels = f"{adapter_parameters(shape, use) * 4 / 1e6:.0f} MB"
        cells = (shape.name, *(f"{number:.2f} GB" for number in numbers), travels)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
