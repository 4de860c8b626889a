from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.envs.fakes import FakeDevice, FakeReferee, make_task

from distrl import actions
from distrl.clock import RealClock
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Env, SaysGoal
from distrl.monitor.live_screens import CONTROL, FRESH_SECONDS, LIVE, SCREENS, WATCHED, LiveScreens
from distrl.types import Pixels

DEADLINE = 60.0


class Drawn:
    """Encodes pictures as their size, and counts them."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.count, self._seconds = 0, seconds

    def __call__(self, screen: Pixels) -> bytes:
        self.count += 1
        end = time.thread_time() + self._seconds
        while time.thread_time() < end:
            pass
        return repr(screen.shape).encode()


def make_wall(
    folder: Path, drawn: Drawn | None = None, states: Mapping[str, Any] | None = None
) -> tuple[LiveScreens, list[Any]]:
    asked: list[Mapping[str, Any]] = []
    return LiveScreens(
        folder, encode=drawn or Drawn(), states=lambda: states or {}, handle=asked.append, share=0.5
    ), asked


def make_env(name: str = "fake-0") -> Env:
    device = FakeDevice()
    device.id = name
    return DeviceEnv(device, FakeReferee())


def rows(folder: Path) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((folder / LIVE / SCREENS).read_bytes())["devices"]
    return read


def touch(folder: Path) -> None:
    (folder / LIVE).mkdir(exist_ok=True)
    (folder / LIVE / WATCHED).touch()


def test_a_watched_environment_behaves_as_the_one_inside(tmp_path: Path) -> None:
    live_screens, _ = make_wall(tmp_path)
    plain, watched = make_env(), live_screens.watch(make_env())
    assert watched.device_id == plain.device_id
    assert watched.reset(make_task()).app == plain.reset(make_task()).app
    for action in (actions.tap(0.3, 0.25), actions.complete()):
        ours, theirs = watched.step(action), plain.step(action)
        assert (ours.outcome, ours.reward) == (theirs.outcome, theirs.reward)
    assert watched.verdicts() == plain.verdicts()


class Worded(DeviceEnv):
    """An environment that says what it wants only once it is set up."""

    goal = "press what is green"


def test_what_an_environment_wants_is_heard_and_shown(tmp_path: Path) -> None:
    live_screens, _ = make_wall(tmp_path)
    env = live_screens.watch(Worded(FakeDevice(), FakeReferee()))
    env.reset(make_task())
    assert isinstance(env, SaysGoal)
    assert env.goal == Worded.goal
    live_screens.write(1.0)
    (row,) = rows(tmp_path)
    assert row["goal"] == Worded.goal


def test_the_wall_says_what_each_device_shows_and_did_last(tmp_path: Path) -> None:
    live_screens, _ = make_wall(
        tmp_path, states={"fake-0": {"state": "leased"}, "spare": {"state": "free"}}
    )
    env = live_screens.watch(make_env())
    env.reset(make_task())
    env.step(actions.tap(0.3, 0.25))
    live_screens.write(1.0)
    (row, spare) = rows(tmp_path)
    assert (row["device"], row["state"], row["step"]) == ("fake-0", "leased", 1)
    assert row["goal"] == make_task().goal
    assert (row["action"]["kind"], row["action"]["x"]) == ("tap", 0.3)
    assert (tmp_path / LIVE / f"{row['number']}.png").read_bytes() == b"(4, 2, 3)"
    assert spare == {"device": "spare", "state": "free"}


def test_devices_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    live_screens, _ = make_wall(tmp_path)
    for name in ("phone-10", "phone-2"):
        live_screens.watch(make_env(name)).reset(make_task())
    live_screens.write(1.0)
    assert [row["device"] for row in rows(tmp_path)] == ["phone-2", "phone-10"]


def test_a_screen_that_has_not_changed_is_not_drawn_again(tmp_path: Path) -> None:
    drawn = Drawn()
    live_screens, _ = make_wall(tmp_path, drawn)
    live_screens.watch(make_env()).reset(make_task())
    live_screens.write(1.0)
    live_screens.write(1.0)
    assert drawn.count == 1


def test_drawing_stops_when_its_share_of_time_is_spent(tmp_path: Path) -> None:
    drawn = Drawn(seconds=0.02)
    live_screens, _ = make_wall(tmp_path, drawn)
    envs = [live_screens.watch(make_env(f"phone-{n}")) for n in range(20)]
    for env in envs:
        env.reset(make_task())
    live_screens.write(0.08)  # half of it may be spent, which is two pictures
    assert 1 <= drawn.count <= 4
    before = drawn.count
    live_screens.write(0.0)  # whatever the last picture took beyond the budget is owed
    assert drawn.count == before


def test_nothing_is_written_while_nobody_watches(tmp_path: Path) -> None:
    live_screens, _ = make_wall(tmp_path)
    live_screens.watch(make_env()).reset(make_task())
    stopping = threading.Event()
    thread = threading.Thread(target=live_screens.run, args=(stopping,))
    thread.start()
    assert not live_screens.is_watched()
    touch(tmp_path)
    assert live_screens.is_watched()
    assert RealClock().wait_until((tmp_path / LIVE / SCREENS).exists, timeout=DEADLINE)
    stopping.set()
    thread.join(DEADLINE)
    long_ago = time.time() - 2 * FRESH_SECONDS
    os.utime(tmp_path / LIVE / WATCHED, (long_ago, long_ago))
    assert not live_screens.is_watched()


def test_requests_are_obeyed_once_and_only_those_made_after_the_start(tmp_path: Path) -> None:
    touch(tmp_path)
    control = tmp_path / LIVE / CONTROL
    control.write_text('{"do": "old"}\n')
    live_screens, asked = make_wall(tmp_path)
    with control.open("a") as file:
        file.write('{"do": "take"}\nnot json\n[1]\n{"do": "half')
    assert live_screens.listen() == 1
    with control.open("a") as file:
        file.write('"}\n')
    assert live_screens.listen() == 1
    assert live_screens.listen() == 0
    assert asked == [{"do": "take"}, {"do": "half"}]


def test_a_picture_that_cannot_be_drawn_stops_nobody(tmp_path: Path) -> None:
    def broken(screen: Pixels) -> bytes:
        tried.set()
        raise RuntimeError("no")

    tried, stopping = threading.Event(), threading.Event()
    live_screens = LiveScreens(tmp_path, encode=broken, states=dict, handle=lambda _: None)
    live_screens.watch(make_env()).reset(make_task())
    touch(tmp_path)
    thread = threading.Thread(target=live_screens.run, args=(stopping,))
    thread.start()
    assert tried.wait(DEADLINE)
    assert thread.is_alive()
    stopping.set()
    thread.join(DEADLINE)
    assert not thread.is_alive()
