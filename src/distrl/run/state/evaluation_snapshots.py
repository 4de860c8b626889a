"""Snapshots of weights, kept while a run trains and evaluated after its clock has stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from distrl.weights.file_channel import FileChannel, write_whole
from distrl.weights.serialization import seal, unseal


@dataclass(frozen=True, slots=True)
class EvaluationSnapshot:
    """A moment of a run."""

    seconds: float
    """Of training."""
    episodes: int
    weights: Mapping[str, Tensor]


class EvaluationSnapshots:
    """One file per snapshot: the newest weights at the first look after it."""

    def __init__(self, folder: Path, channel: FileChannel, every_minutes: float | None) -> None:
        """Keep weights every so often; never when that is None."""
        self._folder, self._channel = folder, channel
        self._every = None if every_minutes is None else 60.0 * every_minutes

    def keep(self, seconds: float, episodes: int) -> None:
        """Keep the newest weights if the next one is due."""
        number = 0 if self._every is None else int(seconds / self._every)
        path = self._folder / f"{number}.safetensors"
        if number == 0 or path.exists():
            return
        weights = self._channel.fetch(self._channel.latest()).weights
        notes = {"seconds": str(seconds), "episodes": str(episodes)}
        data, _ = seal(weights, number, notes)
        self._folder.mkdir(exist_ok=True)
        write_whole(path, data)

    def unseen(self) -> Iterator[EvaluationSnapshot]:
        """Snapshots, oldest first; each is returned once."""
        if self._every is None or not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob("*.safetensors"), key=lambda p: int(p.stem)):
            done = path.with_suffix(".done")
            if not done.exists():
                sealed = unseal(path.read_bytes(), int(path.stem))
                seconds, episodes = float(sealed.notes["seconds"]), int(sealed.notes["episodes"])
                yield EvaluationSnapshot(seconds, episodes, sealed.weights)
                # Only after whoever asked has come back for the next one: an evaluation that was
                # interrupted is made again.
                done.touch()
