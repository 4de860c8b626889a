"""Episodes as Parquet, a row per step, for Hugging Face datasets and every other reader.

    write_parquet(episodes, Path("run.parquet"))
    datasets.load_dataset("parquet", data_files="run.parquet")      # screens come as pictures
    for episode in ParquetEpisodes(Path("run.parquet")): ...        # and back, to the last pixel

What belongs to the whole episode stands in each of its rows. One more row, without an action, holds
what the device showed at the end. Screens are PNG.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from PIL import Image

from distrl.actions import to_text
from distrl.errors import ConfigError, StoreError, boundary
from distrl.replay.store import picture_codec
from distrl.types import (
    Action,
    Bounds,
    Element,
    Episode,
    Key,
    Kind,
    Observation,
    Outcome,
    Picture,
    Pixels,
    Step,
    StoredStep,
    Task,
    Value,
    Verdict,
)

_ROWS = 256
"""Rows that are written, and read, at a time: each holds a screen, some 15 KB."""
_LARGEST = 64 * 2**20
"""Pixels of the largest screen that is decoded: a small file can claim to be a huge picture."""
_STEP_FIELDS = tuple(field.name for field in fields(StoredStep))
_EMPTY_STEP: dict[str, Any] = {
    **dict.fromkeys(("decision", "log_prob", "entropy", "value")),
    **dict.fromkeys(("reward", "decide_seconds", "device_seconds"), 0.0),
    **{"version": 0, "digest": "", "inputs": b""},
}


class _Screen(msgspec.Struct, kw_only=True):
    png: bytes = msgspec.field(name="bytes")
    path: str | None = None


class _Element(msgspec.Struct, kw_only=True):
    role: str
    text: str
    description: str
    bounds: Bounds
    enabled: bool
    checked: bool | None
    focused: bool
    editable: bool


class _Action(msgspec.Struct, kw_only=True):
    kind: Kind
    x: float
    y: float
    x2: float
    y2: float
    text: str
    key: Key | None


class _Verdict(msgspec.Struct, kw_only=True):
    judge: str
    success: bool | None
    reason: str
    side_effects: tuple[str, ...]


class Row(msgspec.Struct, kw_only=True):
    """One row; the names are the columns."""

    episode_id: str
    step: int
    """From 0; the row of the end has the number of steps."""
    steps: int
    task_id: str
    goal: str
    suite: str
    split: str
    template: str
    parameters: str
    """JSON object."""
    seed: int
    step_limit: int
    screen: _Screen
    screen_doubt: str | None = None
    """Why the screen, drawn again, may differ from what the device showed; None if it does not."""
    elements: list[_Element] | None
    keyboard: bool
    app: str
    action: _Action | None
    """None in the row of the end."""
    action_text: str | None
    """The action in the grammar of `distrl.actions`, rounded; for readers."""
    decision: tuple[int, ...] | None
    log_prob: float | None
    entropy: float | None
    value: float | None = None
    """The probability of success by who acted; files of before have no such column."""
    version: int | None
    digest: str | None
    inputs: bytes | None
    reward: float | None
    penalties: str | None
    """JSON object."""
    decide_seconds: float | None
    device_seconds: float | None
    outcome: Outcome
    verdicts: tuple[_Verdict, ...]
    device: str
    started: float
    ended: float
    fault: str


def write_parquet(episodes: Iterable[Episode], path: Path) -> tuple[int, int]:
    """Write all episodes and return how many they are, and their steps.

    The file is there as a whole or not at all. An episode without a single screen has no rows, and
    does not count.
    """
    pyarrow, parquet = _arrow()
    schema = _schema(pyarrow)
    aside = path.with_name(f".{path.name}.partial")
    written = steps = 0
    try:
        with parquet.ParquetWriter(aside, schema, compression="zstd") as writer:
            rows: list[dict[str, Any]] = []
            for episode in episodes:
                found = [_plain(row) for row in rows_of(episode)]
                written += bool(found)
                steps += len(episode.steps)
                rows += found
                if len(rows) >= _ROWS:
                    writer.write_table(_table(pyarrow, rows, schema))
                    rows = []
            if rows:
                writer.write_table(_table(pyarrow, rows, schema))
        aside.rename(path)
    finally:
        aside.unlink(missing_ok=True)
    return written, steps


def rows_of(episode: Episode) -> Iterator[Row]:
    """The rows of one episode."""
    for number, step in enumerate(episode.steps):
        yield _row(episode, number, step.observation, step)
    if episode.final is not None:
        yield _row(episode, len(episode.steps), episode.final, None)


class ParquetEpisodes:
    """The episodes of a file that `write_parquet` wrote, or of one with the same columns."""

    def __init__(self, path: Path) -> None:
        """Open a file; StoreError when it is none of these."""
        _, parquet = _arrow()
        with boundary(StoreError, f"{path} cannot be read"):
            self._file = parquet.ParquetFile(path)
        required = {field.name for field in msgspec.structs.fields(Row) if field.required}
        missing = required - set(self._file.schema_arrow.names)
        if missing:
            raise StoreError(f"{path} has no column {sorted(missing)[0]!r}: it holds no episodes")
        self._path = path
        self._count: int | None = None

    def __len__(self) -> int:
        """How many episodes there are."""
        if self._count is None:
            ids = (
                id
                for batch in self._file.iter_batches(_ROWS, columns=["episode_id"])
                for id in batch.column(0).to_pylist()
            )
            self._count = sum(1 for _ in groupby(ids))
        return self._count

    def __iter__(self) -> Iterator[Episode]:
        """One after the other; StoreError at the first that cannot be read."""
        with boundary(StoreError, f"{self._path} cannot be read"):
            for _, rows in groupby(self._rows(), key=lambda row: row.episode_id):
                yield _episode(list(rows))

    def _rows(self) -> Iterator[Row]:
        for batch in self._file.iter_batches(_ROWS):
            for row in batch.to_pylist():
                yield msgspec.convert(row, Row, builtin_types=(bytes,))


def _row(episode: Episode, number: int, seen: Observation, step: Step | None) -> Row:
    task = episode.task
    return Row(
        episode_id=episode.id,
        step=number,
        steps=len(episode.steps),
        task_id=task.id,
        goal=task.goal,
        suite=task.suite,
        split=task.split,
        template=task.template,
        parameters=json.dumps(dict(task.parameters), ensure_ascii=False),
        seed=task.seed,
        step_limit=task.step_limit,
        screen=_Screen(png=picture_codec.encode(picture_codec.checked(seen.screen), "png")),
        screen_doubt=seen.picture.doubt or None,
        elements=None if seen.elements is None else [_fields(_Element, e) for e in seen.elements],
        keyboard=seen.keyboard,
        app=seen.app,
        **_step_columns(step),
        outcome=episode.outcome,
        verdicts=tuple(_fields(_Verdict, verdict) for verdict in episode.verdicts),
        device=episode.device,
        started=episode.started,
        ended=episode.ended,
        fault=episode.fault,
    )


def _episode(rows: list[Row]) -> Episode:
    first = rows[0]
    steps = [row for row in rows if row.action is not None]
    ends = [row for row in rows if row.action is None]
    if [row.step for row in rows] != list(range(len(rows))) or len(steps) != first.steps:
        raise StoreError(f"the rows of episode {first.episode_id!r} are not all there, in order")
    if len(ends) > 1 or (ends and ends[0] is not rows[-1]):
        raise StoreError(f"a step of episode {first.episode_id!r} has no action")
    return Episode(
        id=first.episode_id,
        task=Task(
            id=first.task_id,
            goal=first.goal,
            suite=first.suite,
            split=first.split,
            template=first.template,
            parameters=msgspec.json.decode(first.parameters, type=dict[str, Value]),
            seed=first.seed,
            step_limit=first.step_limit,
        ),
        steps=tuple(map(_step, steps)),
        final=_observation(ends[0]) if ends else None,
        outcome=first.outcome,
        verdicts=tuple(msgspec.convert(v, Verdict, from_attributes=True) for v in first.verdicts),
        device=first.device,
        started=first.started,
        ended=first.ended,
        fault=first.fault,
    )


def _step_columns(step: Step | None) -> dict[str, Any]:
    """The columns of a step; all of them None in the row of the end."""
    if step is None:
        return dict.fromkeys((*_STEP_FIELDS, "action_text"))
    stored, action = StoredStep.of(step), step.choice.action
    return {
        **{name: getattr(stored, name) for name in _STEP_FIELDS},
        "action": _fields(_Action, action),
        "action_text": to_text(action),
        "penalties": json.dumps(dict(step.penalties)),
    }


def _step(row: Row) -> Step:
    found = {name: getattr(row, name) for name in _STEP_FIELDS}
    # What another writer left empty is what a step has by default.
    given = {name: value for name, value in found.items() if value is not None}
    stored = StoredStep(
        **{
            **_EMPTY_STEP,
            **given,
            "action": msgspec.convert(row.action, Action, from_attributes=True),
            "penalties": msgspec.json.decode(row.penalties or "{}", type=dict[str, float]),
        }
    )
    return stored.at(_observation(row))


def _observation(row: Row) -> Observation:
    elements = None
    if row.elements is not None:
        elements = tuple(msgspec.convert(e, Element, from_attributes=True) for e in row.elements)
    packed = row.screen.png
    picture = Picture(lambda: _decoded(packed))
    picture.doubt = row.screen_doubt or ""
    return Observation(picture, elements, row.keyboard, row.app)


def _decoded(packed: bytes) -> Pixels:
    with (
        boundary(StoreError, "an exported screen cannot be read"),
        Image.open(io.BytesIO(packed), formats=("PNG", "JPEG", "WEBP")) as image,
    ):
        if image.width * image.height > _LARGEST:
            raise StoreError(f"an exported screen is too large: {image.size}")
        return np.asarray(image.convert("RGB"))


def _fields(kind: Any, noun: object) -> Any:
    """The same values as another class with the same fields."""
    return kind(**{name: getattr(noun, name) for name in kind.__struct_fields__})


def _plain(row: Row) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(row, builtin_types=(bytes,))
    return plain


def _table(pyarrow: Any, rows: list[dict[str, Any]], schema: Any) -> Any:
    with boundary(StoreError, "an episode cannot be written as Parquet"):
        return pyarrow.Table.from_pylist(rows, schema=schema)


def _schema(pyarrow: Any) -> Any:
    text, number, whole, flag = (
        pyarrow.string(),
        pyarrow.float64(),
        pyarrow.int64(),
        pyarrow.bool_(),
    )
    element = {"role": text, "text": text, "description": text, "bounds": pyarrow.list_(number)}
    element |= dict.fromkeys(("enabled", "checked", "focused", "editable"), flag)
    action = {"kind": text, "x": number, "y": number, "x2": number, "y2": number}
    action |= {"text": text, "key": text}
    verdict = {"judge": text, "success": flag, "reason": text, "side_effects": pyarrow.list_(text)}
    special = {
        "seed": pyarrow.uint64(),
        "screen": pyarrow.struct({"bytes": pyarrow.binary(), "path": text}),
        "elements": pyarrow.list_(pyarrow.struct(element)),
        "keyboard": flag,
        "action": pyarrow.struct(action),
        "decision": pyarrow.list_(whole),
        "inputs": pyarrow.binary(),
        "verdicts": pyarrow.list_(pyarrow.struct(verdict)),
        **dict.fromkeys(("step", "steps", "step_limit", "version"), whole),
        **dict.fromkeys(("log_prob", "entropy", "value", "reward"), number),
        **dict.fromkeys(("decide_seconds", "device_seconds", "started", "ended"), number),
    }
    columns = [(name, special.get(name, text)) for name in Row.__struct_fields__]
    # Tells `datasets` to show screens as pictures.
    features = {"info": {"features": {"screen": {"_type": "Image"}}}}
    return pyarrow.schema(columns, metadata={"huggingface": json.dumps(features)})


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as cause:
        raise ConfigError(
            f"Parquet needs the package pyarrow: pip install 'distrl[data]' ({cause})"
        ) from None
    return pyarrow, parquet
