from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served

from distrl import actions
from distrl.cli.main import main
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config import load_run_config
from distrl.devices.cassette import load_cassette
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import State
from distrl.errors import ConfigError, DeviceLost, DistrlError, TaskError
from distrl.interfaces import Device
from distrl.run.builders.android import Phones
from distrl.run.local.pipeline import make_env
from distrl.run.state.cassettes import CassetteFolder, replay
from distrl.tasks.suites import find_task
from distrl.types import Action, Choice, Episode, Observation, Outcome, Situation

TASK = "general/val/0"


class Walker:
    """Touches here and there, and then says that it is done."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def begin(self, seed: int) -> None:
        pass

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        return [Choice(action=self._next(len(situation.history))) for situation in situations]

    def _next(self, step: int) -> Action:
        rng = Random(f"{self._seed} {step}")
        return actions.complete() if step == 5 else actions.tap(rng.random(), rng.random())


def play(device: Device, folder: Path, seed: int = 0) -> tuple[Episode, Path]:
    """An episode that is recorded, and its cassette."""
    env = CassetteFolder(folder).tape(device, make_env)
    episode = run_episode(env, Walker(seed), find_task(TASK), clock=RealClock(), episode_id="e")
    return episode, max(folder.glob("*.cassette"))


def assert_same_episode(one: Episode, two: Episode) -> None:
    assert [s.choice.action for s in one.steps] == [s.choice.action for s in two.steps]
    assert one.outcome == two.outcome
    for left, right in zip(one.steps, two.steps, strict=True):
        assert left.observation.elements == right.observation.elements
        assert left.observation.app == right.observation.app
        np.testing.assert_array_equal(left.observation.screen, right.observation.screen)


def test_episode_plays_back_as_it_was(tmp_path: Path) -> None:
    episode, path = play(PhoneDevice("phone-0"), tmp_path)
    ((take, again),) = replay(load_cassette(path))
    assert len(episode.steps) == 6
    assert_same_episode(episode, again)
    assert take.task == episode.task
    assert path.name == "000000-phone-0-general-val-0.cassette"


def test_policy_meets_what_was_recorded_until_it_departs(tmp_path: Path) -> None:
    episode, path = play(PhoneDevice("phone-0"), tmp_path, seed=1)
    cassette = load_cassette(path)
    ((_, again),) = replay(cassette, Walker(1))
    assert_same_episode(episode, again)
    ((_, other),) = replay(cassette, Walker(2))
    assert other.outcome is Outcome.DEVICE_LOST
    assert "has no recording of" in other.fault


class Dying(PhoneDevice):
    """A phone that dies of its third action."""

    done = 0

    def perform(self, action: Action) -> None:
        self.done += 1
        if self.done == 3:
            raise DeviceLost("phone-0 died")
        super().perform(action)


def test_lost_device_is_lost_again(tmp_path: Path) -> None:
    episode, path = play(Dying("phone-0"), tmp_path)
    assert (episode.outcome, len(episode.steps)) == (Outcome.DEVICE_LOST, 3)
    ((take, again),) = replay(load_cassette(path))
    assert take.outcome is Outcome.DEVICE_LOST
    assert_same_episode(episode, again)
    assert again.fault == "phone-0 died"


class Failing(PhoneDevice):
    """A phone that fails when a task is set up on it, or when somebody looks."""

    def __init__(self, in_set_up: DistrlError | None, in_look: DistrlError | None) -> None:
        self._in_set_up, self._in_look = None, None
        super().__init__("phone-0")
        self._in_set_up, self._in_look = in_set_up, in_look

    def restore(self, state: State) -> None:
        if self._in_set_up is not None:
            raise self._in_set_up
        super().restore(state)

    def observe(self) -> Observation:
        if self._in_look is not None:
            raise self._in_look
        return super().observe()


@pytest.mark.parametrize(
    ("device", "outcome"),
    [
        (Failing(DeviceLost("offline: phone-0 is gone"), None), Outcome.DEVICE_LOST),
        (Failing(None, DeviceLost("timeout: phone-0 does not answer")), Outcome.DEVICE_LOST),
        (Failing(TaskError("there is nothing to look for"), None), Outcome.TASK_ERROR),
    ],
    ids=["set-up", "first-look", "task"],
)
def test_episode_that_is_lost_in_its_reset_has_a_cassette_too(
    device: PhoneDevice, outcome: Outcome, tmp_path: Path
) -> None:
    episode, path = play(device, tmp_path)
    assert (episode.outcome, episode.steps) == (outcome, ())
    ((take, again),) = replay(load_cassette(path))
    assert (take.task, take.outcome) == (episode.task, outcome)
    assert (again.outcome, again.fault) == (outcome, episode.fault)


def test_cassettes_are_numbered_on(tmp_path: Path) -> None:
    for _ in range(2):
        play(PhoneDevice("phone-0"), tmp_path)
    assert sorted(path.name[:6] for path in tmp_path.iterdir()) == ["000000", "000001"]


def test_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cassettes cannot be kept"):
        CassetteFolder(tmp_path / "file")


def test_disk_that_is_full_costs_the_cassette_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise ConfigError("no room")

    monkeypatch.setattr("distrl.devices.cassette.save_cassette", full)
    env = CassetteFolder(tmp_path).tape(PhoneDevice("phone-0"), make_env)
    episode = run_episode(env, Walker(0), find_task(TASK), clock=RealClock(), episode_id="e")
    assert episode.outcome.trainable
    assert "no room" in caplog.text


@needs_adbutils
def test_phone_over_adb_is_recorded_behind_its_fences(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with own_server(tmp_path / "home") as server, served(scale=1) as daemon:
        config = load_run_config(
            "debug",
            [
                f'collect.android.serials=["{daemon.address}"]',
                f"collect.android.adb_port={server.adb.port}",
                'collect.android.safety.apps=["org.distrl.phone.*"]',
            ],
        )
        (device,) = Phones(config, RealClock()).all()
        episode, path = play(device, tmp_path / "tapes")
    assert episode.fault == ""
    ((_, again),) = replay(load_cassette(path))
    assert_same_episode(episode, again)


def test_command_replays_and_says_what_came_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episode, path = play(PhoneDevice("phone-0"), tmp_path)
    assert main(["devices", "replay", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["device"], told["episodes"], told["same"]) == ("phone-0", 1, 1)
    assert told["rows"][0]["outcome"] == episode.outcome.value
    assert main(["devices", "replay", str(path), "--policy", "random"]) == 1
    assert TASK in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["no-such.cassette"], "cannot be read"),
        (["TAPE", "--policy", "nobody"], "a policy is `random` or the folder of a run"),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    argv: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, path = play(PhoneDevice("phone-0"), tmp_path)
    words = [str(path) if word == "TAPE" else word for word in argv]
    assert main(["devices", "replay", *words]) == 2
    assert said in capsys.readouterr().err


class _Answers(Walker):
    """Opens an app, and answers."""

    def _next(self, step: int) -> Action:
        return (actions.open_app("Clock"), actions.press("recents"), actions.answer("7:30"))[step]


def test_an_answer_is_recorded_and_judged_as_it_was_then(tmp_path: Path) -> None:
    env = CassetteFolder(tmp_path).tape(PhoneDevice("recorded"), make_env)
    task = find_task("questions/val/0")
    episode = run_episode(env, _Answers(0), task, clock=RealClock(), episode_id="e")
    assert episode.outcome is Outcome.FALSE_COMPLETE
    cassette = load_cassette(max(tmp_path.glob("*.cassette")))
    ((_, again),) = replay(cassette)
    assert_same_episode(episode, again)

    class Other(_Answers):
        def _next(self, step: int) -> Action:
            return actions.answer("8:30") if step == 2 else super()._next(step)

    ((_, unknown),) = replay(cassette, Other(0))
    assert unknown.outcome is Outcome.TASK_ERROR
    assert 'answer("8:30")' in unknown.fault
