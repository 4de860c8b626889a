"""Speed and memory of browser devices, against the official environment of MiniWoB++.

The same task, the same seeds and the same scripted clicks on both; at every step the screen is
taken and the elements are listed, and resets are part of the time. The two take turns, so that what
else the machine does meets both alike. Each side runs in a process of its own, whose memory, with
that of the browsers it started, is measured while all instances are open.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from distrl import actions
from distrl.devices.browser.chromium import find_chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError
from distrl.run.processes.child import Child, Parent
from distrl.tasks.suites import load_suite
from distrl.tasks.web.miniwob import HEIGHT, WIDTH

TASK = "click-button-sequence"
CLICKS = ((0.5, 0.95), (0.9, 0.6), (0.1, 0.95), (0.9, 0.95))
"""Where the script clicks, as shares of the page: on nothing that ends the episode."""
_MANY = 8
_SIDES = ("ours", "official")
_WAIT_SECONDS = 600.0
_TIMES = 50
"""How often each part of a step is timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserFigures:
    """What was measured."""

    over_official_1: float
    """Steps per second of one page over those of one official instance."""
    over_official_8: float
    """The same with eight of each."""
    steps_per_second_1: float
    official_steps_per_second_1: float
    steps_per_second_8: float
    official_steps_per_second_8: float
    memory_mb: float
    """Per page, with eight of them: of the process, the browser and all between."""
    official_memory_mb: float
    reset_ms: float
    """Where the time of a page goes: a new episode on a page that stays loaded,"""
    tap_ms: float
    """a tap with the list of elements after it,"""
    screen_ms: float
    """and the screen."""


class Instance(Protocol):
    """One page, whoever drives it."""

    def episode(self, seed: int) -> int:
        """Reset and click through the script; returns the steps."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def measure_browser(seconds: float, log: Path) -> BrowserFigures:
    """Measure both sides, each speed for about `seconds`; what they say goes to `log`."""
    with _side("ours", log) as ours, _side("official", log) as official:
        sides = {"ours": ours, "official": official}
        speed: dict[tuple[str, int], float] = {}
        memory: dict[str, float] = {}
        parts = _ask(ours, {"parts": _TIMES})
        for count in (1, _MANY):
            for name in _SIDES:
                memory[name] = _ask(sides[name], {"open": count})["memory"] / count
            halves: dict[str, list[float]] = {name: [] for name in _SIDES}
            for _ in range(2):
                for name in _SIDES:
                    told = _ask(sides[name], {"run": seconds / 2})
                    halves[name].append(told["steps"] / told["seconds"])
            for name in _SIDES:
                speed[name, count] = sum(halves[name]) / len(halves[name])
    return BrowserFigures(
        over_official_1=speed["ours", 1] / speed["official", 1],
        over_official_8=speed["ours", _MANY] / speed["official", _MANY],
        steps_per_second_1=speed["ours", 1],
        official_steps_per_second_1=speed["official", 1],
        steps_per_second_8=speed["ours", _MANY],
        official_steps_per_second_8=speed["official", _MANY],
        memory_mb=memory["ours"] / 2**20,
        official_memory_mb=memory["official"] / 2**20,
        **parts,
    )


@contextmanager
def _side(name: str, log: Path) -> Iterator[Child]:
    child = Child(name, "distrl.bench.browser", [name], log=log)
    try:
        yield child
        child.stop({"stop": True}, timeout=60.0)
    finally:
        child.kill()


def _ask(child: Child, message: dict[str, Any]) -> dict[str, Any]:
    child.send(message)
    told = child.receive(timeout=_WAIT_SECONDS)
    if told is None:
        raise ConfigError(f"{child.name} did not answer within {_WAIT_SECONDS:g} s")
    return told


class Ours:
    """A page of this package."""

    def __init__(self, number: int) -> None:
        """Open it."""
        suite = f"miniwob:{TASK}"
        self._tasks = load_suite(suite).tasks("train")
        self._env, _ = env_on(device_factory(suite).make_device(f"page-{number}"))
        self._env.reset(self._tasks[0])

    def episode(self, seed: int) -> int:
        """Look at the screen and the elements at every step."""
        seen = self._env.reset(self._tasks[seed % len(self._tasks)])
        for x, y in CLICKS:
            assert seen.screen.size and seen.elements is not None
            moved = self._env.step(actions.tap(x, y))
            if moved.fault:
                raise ConfigError(moved.fault)
            seen = moved.observation
        assert seen.screen.size
        return len(CLICKS)

    def close(self) -> None:
        """Close the page."""
        self._env.close()


class Official:
    """The environment of the package `miniwob`, driven by Selenium."""

    def __init__(self, number: int) -> None:
        """Start its browser; without `SE_OFFLINE` Selenium would ask the network for a driver."""
        del number
        driver = shutil.which("chromedriver")
        if driver is None:
            raise ConfigError(
                "the official environment needs chromedriver: apt-get install chromium-driver"
            )
        os.environ.update(
            SE_OFFLINE="true",
            MINIWOB_CHROMEDRIVER=driver,
            MINIWOB_CHROME_BINARY=str(find_chromium(full=True)),
        )
        import gymnasium
        import miniwob
        from miniwob.action import ActionTypes

        if f"miniwob/{TASK}-v1" not in gymnasium.registry:
            gymnasium.register_envs(miniwob)
        self._kind = ActionTypes.CLICK_COORDS
        self._env: Any = gymnasium.make(f"miniwob/{TASK}-v1").unwrapped
        self._env.reset(seed=0)

    def episode(self, seed: int) -> int:
        """Its observations have the screen and the elements."""
        self._env.reset(seed=seed)
        for x, y in CLICKS:
            coords = [x * WIDTH, y * HEIGHT]
            self._env.step(self._env.create_action(self._kind, coords=coords))
        return len(CLICKS)

    def close(self) -> None:
        """End its browser."""
        self._env.close()


class Side:
    """One of the two, in its own process."""

    def __init__(self, make: Callable[[int], Instance]) -> None:
        """Nothing is open yet."""
        self._make = make
        self._open: list[Instance] = []

    def open(self, count: int) -> dict[str, float]:
        """Have so many instances; returns the memory of everything."""
        while len(self._open) < count:
            self._open.append(self._make(len(self._open)))
        for number, instance in enumerate(self._open):
            instance.episode(number)
        return {"memory": tree_bytes(os.getpid())}

    def run(self, seconds: float) -> dict[str, float]:
        """Let all instances play side by side."""
        steps = [0] * len(self._open)
        failed: list[Exception] = []
        began = time.perf_counter()

        def play(number: int) -> None:
            seed = 0
            try:
                while time.perf_counter() - began < seconds:
                    steps[number] += self._open[number].episode(seed)
                    seed += 1
            except Exception as error:  # noqa: BLE001 - raised below, in the thread that asked
                failed.append(error)

        threads = [
            threading.Thread(target=play, args=(number,)) for number in range(len(self._open))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]
        return {"steps": sum(steps), "seconds": time.perf_counter() - began}

    def close(self) -> None:
        """Close all."""
        for instance in self._open:
            instance.close()


def parts_of_a_step(times: int) -> dict[str, float]:
    """Mean milliseconds of what a step on a page consists of."""
    suite = f"miniwob:{TASK}"
    device = device_factory(suite, pictures=False).make_device("parts")
    assert isinstance(device, BrowserDevice)
    env, _ = env_on(device)
    tasks = load_suite(suite).tasks("train")
    env.reset(tasks[0])

    def mean_ms(run: Callable[[int], object]) -> float:
        began = time.perf_counter()
        for turn in range(times):
            run(turn)
        return 1000 * (time.perf_counter() - began) / times

    figures = {
        "reset_ms": mean_ms(lambda turn: env.reset(tasks[turn])),
        "tap_ms": mean_ms(lambda _: device.perform(actions.tap(*CLICKS[0]))),
        "screen_ms": mean_ms(lambda _: device.take()),
    }
    device.close()
    return figures


def tree_bytes(root: int) -> int:
    """Memory of a process and all below it; what they share counts once, by its share of each."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(stat[1]), []).append(int(folder.name))
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        waiting += children.get(process, [])
        total += _proportional_bytes(process)
    return total


def _proportional_bytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def main(argv: list[str]) -> int:
    """Be one of the two sides until told to stop."""
    parent = Parent(int(argv[1]))
    return parent.run(lambda: serve(parent, Side(Ours if argv[0] == "ours" else Official)))


def serve(parent: Parent, side: Side) -> None:
    """Do what the parent asks for."""
    done = 0
    while not parent.stopping.wait(0.01):
        while done < len(parent.messages):
            message = parent.messages[done]
            done += 1
            if "open" in message:
                parent.tell(side.open(message["open"]))
            elif "parts" in message:
                parent.tell(parts_of_a_step(message["parts"]))
            elif "run" in message:
                parent.tell(side.run(message["run"]))
    side.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
