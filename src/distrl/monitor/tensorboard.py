"""TensorBoard event files, written with tensorboardX: neither TensorBoard nor TensorFlow is needed.

Look at them with `pip install tensorboard` and `tensorboard --logdir RUN/tensorboard`.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

_LARGEST = 3.4028234e38
"""TensorBoard's scalars are 4-byte floats, which end here; what is larger is shown as this."""


class TensorBoardMonitor:
    """Writes scalars that TensorBoard shows. Any thread may record."""

    def __init__(self, folder: Path) -> None:
        """Start a new file in a folder; TensorBoard shows those of a resumed run as one curve."""
        # Imported here: most commands import this module and open no run, so need no protobuf.
        from tensorboardX.event_file_writer import EventsWriter

        folder.mkdir(parents=True, exist_ok=True)
        # tensorboardX names files by the second and overwrites: two starts in one must not meet.
        suffix = f".{os.getpid()}.{time.time_ns()}"
        self._lock = threading.Lock()
        # The writer below SummaryWriter, which queues events for a thread and loses them in a kill.
        self._writer = EventsWriter(str(folder / "events"), suffix)
        self._writer.flush()
        self._closed = False

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Write one event with all finite numbers; it is in the file when this returns."""
        from tensorboardX.proto.event_pb2 import Event
        from tensorboardX.proto.summary_pb2 import Summary

        values = [
            Summary.Value(tag=name, simple_value=max(-_LARGEST, min(_LARGEST, float(value))))
            for name, value in numbers.items()
            if math.isfinite(value)
        ]
        if not values:
            return
        event = Event(wall_time=time.time(), step=int(step), summary=Summary(value=values))
        with self._lock:
            self._writer.write_event(event)
            self._writer.flush()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._writer.close()
