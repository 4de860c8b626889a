"""Weights as files that are written by a thread: a learner does not wait for the disk.

    learner   seal --hand over--> next update --> ...
    thread                        write, sync, rename, sync, prune

A sync takes tens of milliseconds, which is as long as an update of a small network.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from distrl.weights.file_channel import FileChannel
from distrl.weights.memory_channel import KEEP


class BackgroundFileChannel(FileChannel):
    """A `FileChannel` with at most one version on its way to the disk.

    `publish` waits for the version before, and raises what went wrong with it. Other processes see
    a version when it is whole; whoever reads through this object waits until it is.
    """

    def __init__(self, folder: Path, *, keep: int = KEEP) -> None:
        """Use a folder; it is made if need be. The thread starts with the first version."""
        super().__init__(folder, keep=keep)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="weights")
        self._writing: Future[None] | None = None

    def latest(self) -> int:
        """The newest version, once it is whole; 0 before the first."""
        self.flush()
        return super().latest()

    def sealed(self, version: int) -> memoryview:
        """A version as it is, once what is on its way has arrived."""
        self.flush()
        return super().sealed(version)

    def flush(self) -> None:
        """Wait until everything is written; raises what went wrong since the last time."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def __enter__(self) -> Self:
        """Use it until the end of a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the thread when all is written."""
        self._writer.shutdown()
        if error is None:  # which would be hidden by an error of ours
            self.flush()

    def _write(self, data: bytes, version: int) -> None:
        self._writing = self._writer.submit(super()._write, data, version)
