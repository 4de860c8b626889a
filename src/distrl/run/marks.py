"""Weights of now and then, kept while a run trains and evaluated when its clock has stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from torch import Tensor

from distrl.weights.files import FileChannel, write_whole
from distrl.weights.sealed import seal, unseal


class Marks:
    """One file per mark: the newest weights at the first look after it."""

    def __init__(self, folder: Path, channel: FileChannel, every_minutes: float | None) -> None:
        """Keep weights every so often; never when that is None."""
        self._folder, self._channel = folder, channel
        self._every = None if every_minutes is None else 60.0 * every_minutes

    def keep(self, seconds: float) -> None:
        """Keep the newest weights if a mark has passed."""
        mark = 0 if self._every is None else int(seconds / self._every)
        path = self._folder / f"{mark}.safetensors"
        if mark == 0 or path.exists():
            return
        weights, _ = self._channel.fetch(self._channel.latest())
        data, _ = seal(weights, mark)
        self._folder.mkdir(exist_ok=True)
        write_whole(path, data)

    def unseen(self) -> Iterator[tuple[float, Mapping[str, Tensor]]]:
        """Seconds of training and weights, oldest first; each is given out once."""
        if self._every is None or not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob("*.safetensors"), key=lambda p: int(p.stem)):
            mark, done = int(path.stem), path.with_suffix(".done")
            if not done.exists():
                yield mark * self._every, unseal(path.read_bytes(), mark).weights
                done.touch()
