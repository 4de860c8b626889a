"""A tracker that writes what is recorded as lines of text, one for each number.

[project.entry-points."distrl.trackers"]: lines = "tracker:LinesTracker"
"""

from collections.abc import Mapping

from distrl.config.base import Config
from distrl.config.options import read_options
from distrl.monitor.trackers import TrackerContext


class Options(Config):
    file: str = "numbers.txt"


class LinesTracker:
    def __init__(self, context: TrackerContext) -> None:
        options = read_options(Options, context.options, "monitor.trackers.lines")
        self._file = (context.folder / options.file).open("a")

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        self._file.writelines(f"{step} {name} {value:g}\n" for name, value in numbers.items())

    def close(self) -> None:
        self._file.close()
