from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, needs_adbutils, own_server, served
from tests.run.conftest import small_config

from distrl import actions
from distrl.cli.main import main
from distrl.clock import RealClock, VirtualClock
from distrl.collect.episode import run_episode
from distrl.config import RunConfig
from distrl.config.load import CONFIG_FILE, dump
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.safety import Danger, Fence, GuardedDevice
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.fleet.fleet import Fleet, Lease
from distrl.devices.fleet.health import Health, HealthLimits
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.shell import Result, Session
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError
from distrl.interfaces import Device, innermost
from distrl.policies.random import RandomPolicy
from distrl.run.builders.android import Phones, evaluate_on_android, is_slow, phone_maker
from distrl.run.local.pipeline import make_devices, make_env
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Action, Choice, Outcome, Situation

GOALS = """
tasks:
  - goal: Open the clock
    step_limit: 2
    check: [{app: org.distrl.phone.clock}]
"""


SERVED_APPS = 'collect.android.safety.apps=["org.distrl.phone.*"]'
PHONE = 'collect.android.serials=["127.0.0.1:1"]'
ANY_APP = 'collect.android.safety.apps=["*"]'


def with_phones(*serials: str, more: tuple[str, ...] = (ANY_APP,)) -> RunConfig:
    listed = ", ".join(f'"{serial}"' for serial in serials)
    named = f"[{listed}]"
    return small_config(
        f"collect.android.safety.opt_in={named}", f"collect.android.serials={named}", *more
    )


@pytest.fixture
def goals(tmp_path: Path) -> str:
    path = tmp_path / "goals.yaml"
    path.write_text(GOALS)
    return str(path)


def test_phones_over_adb_join_the_embedded_ones() -> None:
    config = with_phones(
        "emulator-5554", "10.0.0.1:5555", more=(ANY_APP, "collect.android.adb_port=5037")
    )
    devices = make_devices(config, VirtualClock(), Phones(config, VirtualClock()))
    assert [device.id for device in devices] == [
        "phone-0",
        "phone-1",
        "phone-2",
        "emulator-5554",
        "10.0.0.1:5555",
    ]
    phone = innermost(devices[-1])
    assert isinstance(phone, AndroidDevice)
    assert phone.config.screen_width == 180
    assert not isinstance(innermost(devices[0]), AndroidDevice)


def test_somebody_has_to_collect() -> None:
    with pytest.raises(ConfigError, match="nobody would collect"):
        small_config("collect.devices=0")


def test_server_that_runs_already_is_used() -> None:
    config = with_phones("x", more=(ANY_APP, "collect.android.adb_port=5037"))
    phones = Phones(config, VirtualClock())
    assert [port_of(phone) for phone in phones.all()] == [5037]
    assert phones.servers == ()


def port_of(device: Device) -> int:
    """The port of the adb server that a phone is reached through."""
    phone = innermost(device)
    assert isinstance(phone, AndroidDevice)
    return phone.phone.adb.port


# Servers of our own


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and lists of a user of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_phones_of_a_named_server_are_not_split_over_servers_of_our_own() -> None:
    more = (ANY_APP, "collect.android.servers=2", "collect.android.adb_port=5037")
    with pytest.raises(ConfigError, match=r"adb_port \(5037\) names one that runs already"):
        with_phones("10.0.0.1:5555", more=more)


@needs_adbutils
@pytest.mark.usefixtures("own_home")
def test_phones_are_dealt_out_to_the_servers_in_turn() -> None:
    named = [f"10.0.0.1:{port}" for port in (5555, 5556, 5557)]
    config = with_phones(*named, more=(ANY_APP, "collect.android.servers=2"))
    phones = Phones(config, RealClock())
    try:
        dealt = [port_of(phone) for phone in phones.all()]
        first, second = (server.adb.port for server in phones.servers)
        assert dealt == [first, second, first]
        assert port_of(phones.make("10.0.0.1:5558", opted_in=True)) == second
    finally:
        phones.close()
    assert all(server.ended for server in phones.servers)


class GivesUp:
    """Declares every task done at once."""

    def begin(self, seed: int) -> None:
        """Nothing is random here."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        return [Choice(action=actions.complete(), decision=()) for _ in situations]


class Playing:
    """Plays on whatever a fleet hands out, with somebody for each device, as in a run."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def until_all_came_through(self) -> None:
        devices = {device.id for device in self._fleet.report()}
        assert eventually(lambda: self._round() == devices, 60.0)

    def _round(self) -> set[str]:
        """The devices that were there and came through."""
        leases: list[Lease] = []
        while (lease := self._fleet.lease(timeout=0.1)) is not None:
            leases.append(lease)
        return {lease.device.id for lease in leases if self._play(lease)}

    def _play(self, lease: Lease) -> bool:
        env, task = make_env(lease.device), find_task("general/val/0")
        episode = run_episode(env, GivesUp(), task, clock=RealClock(), episode_id="e")
        lost = episode.outcome is Outcome.DEVICE_LOST
        self._fleet.record_episode(lease, lost=lost, fault=episode.fault)
        self._fleet.give_back(lease)
        return not lost


@needs_adbutils
@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_phones_play_on_when_their_server_has_ended_or_hangs(blow: signal.Signals) -> None:
    with served(scale=1) as one, served(scale=1) as two:
        config = small_config(
            f'collect.android.serials=["{one.address}", "{two.address}"]',
            "collect.devices=0",
            "collect.android.deadline=3",
            SERVED_APPS,
        )
        phones = Phones(config, RealClock())
        limits = HealthLimits(first_seconds=0.5, longest_seconds=2.0, retire_after=2)
        fleet = Fleet(phones.all(), clock=RealClock(), limits=limits)
        try:
            playing = Playing(fleet)
            playing.until_all_came_through()
            (server,) = phones.servers
            os.kill(server.pid, blow)
            playing.until_all_came_through()
            assert eventually(lambda: phones.gauges()["adb/restarts"] == 1)
            playing.until_all_came_through()
            assert {d.condition.health for d in fleet.report()} == {Health.HEALTHY}
        finally:
            fleet.close()
            phones.close()


def test_phone_that_has_become_slow_is_known_behind_its_fences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = with_phones("x", more=(ANY_APP, "collect.android.adb_port=5037"))
    (phone,) = Phones(config, VirtualClock()).all()
    assert not is_slow(phone)
    monkeypatch.setattr(AndroidDevice, "slow", True)
    assert is_slow(phone)
    assert not is_slow(PhoneDevice("embedded"))


# Fences


def test_phone_that_nobody_has_opted_in_to_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"nobody has opted in to R58N.*opt_in.*\(named: x\)"):
        small_config(
            'collect.android.serials=["x", "R58N"]', 'collect.android.safety.opt_in=["x"]', ANY_APP
        )
    phones = Phones(with_phones("x", more=(ANY_APP, "collect.android.adb_port=1")), VirtualClock())
    with pytest.raises(ConfigError, match="'R58N' may not be used"):
        phones.make("R58N")
    assert phones.make("R58N", opted_in=True).id == "R58N"


def test_phones_that_this_machine_serves_are_opted_in_by_their_list() -> None:
    config = small_config('collect.android.serials=["127.0.0.1:5555", "[::1]:5556"]', ANY_APP)
    assert config.collect.android.opted_in("localhost:5557")
    for elsewhere in ("10.0.0.1:5555", "emulator-5554", "127.0.0.1.example.org:5555"):
        assert not config.collect.android.opted_in(elsewhere)


def test_phones_need_apps_that_are_allowed() -> None:
    with pytest.raises(ConfigError, match=r"collect.android.safety.apps is empty"):
        small_config('collect.android.serials=["127.0.0.1:5555"]')


def test_danger_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(ConfigError, match="did you mean 'payment'"):
        small_config('collect.android.safety.blocked=["payments"]')


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "collect.android.serials"),
        ((PHONE, ANY_APP), "set collect.devices to 0"),
        ((PHONE, ANY_APP, "collect.devices=0", "init=warm_start"), "set init"),
    ],
)
def test_goals_of_a_file_need_phones_over_adb(goals: str, more: tuple[str, ...], said: str) -> None:
    config = small_config(f"tasks.suite={goals}", *more)
    with pytest.raises(ConfigError, match=said):
        Phones(config, VirtualClock())


def test_goals_that_nobody_can_judge_are_not_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "goals.txt"
    path.write_text("Open the clock\n")
    config = small_config(f"tasks.suite={path}", PHONE, ANY_APP, "collect.devices=0")
    with pytest.raises(ConfigError, match="nobody can judge"):
        Phones(config, VirtualClock())
    with phone_maker(config):
        pass  # a person who plays them knows


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@needs_adbutils
def test_goals_of_a_file_are_played_and_evaluated_over_adb(server: AdbServer, goals: str) -> None:
    with served(scale=1) as daemon:
        config = small_config(
            f"tasks.suite={goals}",
            f'collect.android.serials=["{daemon.address}"]',
            f"collect.android.adb_port={server.adb.port}",
            "collect.devices=0",
            SERVED_APPS,
        )
        (device,) = Phones(config, RealClock()).all()
        env = make_env(device)
        (task,) = load_suite(goals).tasks("train")
        episode = run_episode(env, RandomPolicy(), task, clock=RealClock(), episode_id="e")
        assert episode.outcome.trainable, episode.fault
        served_task = find_task("general/val/0")
        episode = run_episode(env, RandomPolicy(), served_task, clock=RealClock(), episode_id="f")
        assert episode.outcome.trainable, episode.fault
        report = evaluate_on_android(config, RandomPolicy(), [task], lambda *_: None)
        assert (report.overall.episodes, report.faults) == (1, ())
        assert report.overall.oracle_steps is None


@needs_adbutils
def test_eval_plays_the_goals_of_a_file_on_the_phones_that_a_recipe_names(
    server: AdbServer, goals: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(scale=1) as daemon:
        config = small_config(
            f'collect.android.serials=["{daemon.address}"]',
            f"collect.android.adb_port={server.adb.port}",
            "collect.devices=0",
            SERVED_APPS,
        )
        recipe = tmp_path / "phones.yaml"
        recipe.write_text(dump(config))
        line = ["eval", "--policy", "random", "--suite", goals, "--split", "train", "--json"]
        assert main([*line, "--phones", str(recipe)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert [row["template"] for row in found["rows"]] == ["goal-0"]
        run = tmp_path / "random"
        run.mkdir()
        (run / CONFIG_FILE).write_text(dump(config))
        assert main([*line, "--phones", str(run), "--template", "goal-0"]) == 0


PLAY = ("phone", "play")
RECORD = ("demo", "record", "--out", "demos")


@needs_adbutils
@pytest.mark.parametrize("command", [PLAY, RECORD], ids="-".join)
def test_a_person_plays_the_goals_of_a_file_on_the_phone_that_is_named(
    command: Sequence[str],
    goals: str,
    tmp_path: Path,
    own_home: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO("home\ndone\n"))
    with served(scale=1) as daemon:
        main([*command, "--suite", goals, "--split", "train", "--device", daemon.address])
    shown = capsys.readouterr()
    assert "Open the clock" in shown.out
    assert "org.distrl.phone" in shown.out  # the app in front, as Android tells it
    assert "false_complete after 2 steps" in shown.out, shown.err


@needs_adbutils
def test_a_person_plays_on_the_first_phone_of_a_recipe(
    server: AdbServer,
    goals: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("done\n"))
    recipe = tmp_path / "phones.yaml"
    with served(scale=1) as daemon:
        config = small_config(
            f'collect.android.serials=["{daemon.address}"]',
            f"collect.android.adb_port={server.adb.port}",
            SERVED_APPS,
        )
        recipe.write_text(dump(config))
        main([*PLAY, "--suite", goals, "--split", "train", "--phones", str(recipe)])
    assert "false_complete after 1 steps" in capsys.readouterr().out


@pytest.mark.parametrize("command", [PLAY, RECORD, ("play",)], ids="-".join)
def test_playing_goals_of_a_file_asks_for_a_phone(
    command: Sequence[str],
    goals: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--suite", goals, "--split", "train"]) == 2
    assert "--device SERIAL" in capsys.readouterr().err


def test_pages_are_not_played_on_phones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--suite", "miniwob", "--device", "127.0.0.1:1"]) == 2
    assert "the kind 'page'" in capsys.readouterr().err


def test_eval_of_goals_of_a_file_asks_which_phones(
    goals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "--policy", "random", "--suite", goals, "--split", "train"]) == 2
    assert "--phones RECIPE" in capsys.readouterr().err


class Overheard:
    """A served phone that notes every line which reaches it."""

    def __init__(self, daemon: AdbDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[str] = []
        run = daemon.system.run

        def noted(line: str, session: Session | None = None) -> Result:
            self.lines.append(line)
            return run(line, session)

        monkeypatch.setattr(daemon.system, "run", noted)

    def touches(self) -> list[str]:
        """What was done to the phone since the last time, beyond looking at it."""
        found = [line for line in self.lines if line.startswith(("input", "am", "monkey"))]
        self.lines.clear()
        return found


def guarded(server: AdbServer, serial: str, *more: str) -> GuardedDevice:
    config = small_config(
        f'collect.android.serials=["{serial}"]',
        f"collect.android.adb_port={server.adb.port}",
        *more,
    )
    (device,) = Phones(config, RealClock()).all()
    return device


def tap_without_a_name(device: Device) -> Action:
    """A touch of the last button that does not say what it does; in a dialer, it calls."""
    elements = device.observe().elements or ()
    *_, found = (e for e in elements if e.role == "button" and not e.text + e.description)
    return actions.tap(*found.center)


@needs_adbutils
def test_blocked_action_never_reaches_adb(
    server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(scale=1) as daemon:
        heard = Overheard(daemon, monkeypatch)
        device = guarded(server, daemon.address, SERVED_APPS)
        device.reset(0)
        daemon.system.start("phone")
        device.observe()
        heard.touches()
        device.perform(tap_without_a_name(device))
        device.perform(actions.press("enter"))
        device.perform(actions.type_text("*#06#"))
        assert heard.touches() == []
        assert device.refused == {Danger.CALL: 3}
        device.perform(actions.press("home"))
        assert heard.touches() == ["input keyevent KEYCODE_HOME"]
        allowing = guarded(server, daemon.address, SERVED_APPS, "collect.android.safety.blocked=[]")
        daemon.system.start("phone")
        allowing.observe()
        heard.touches()
        allowing.perform(actions.press("enter"))
        assert heard.touches() == ["input keyevent KEYCODE_ENTER"]


@needs_adbutils
def test_app_that_is_not_allowed_is_left_before_anything_is_touched(
    server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(scale=1) as daemon:
        heard = Overheard(daemon, monkeypatch)
        apps = 'collect.android.safety.apps=["org.distrl.phone.launcher"]'
        device = guarded(server, daemon.address, apps)
        device.reset(0)
        daemon.system.start("clock")
        heard.touches()
        assert device.observe().app == "org.distrl.phone.launcher"
        assert heard.touches() == ["input keyevent KEYCODE_HOME"]
        assert device.refused == {Fence.APP: 1}


@needs_adbutils
def test_what_the_environment_is_asked_to_do_meets_the_fences(
    server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(scale=1) as daemon:
        heard = Overheard(daemon, monkeypatch)
        device = guarded(server, daemon.address, SERVED_APPS)
        env = make_env(device)
        env.reset(find_task("general/val/0"))
        daemon.system.start("phone")
        env.step(actions.wait())
        heard.touches()
        assert env.step(actions.press("enter")).outcome is None
        assert heard.touches() == []


@needs_adbutils
def test_phone_of_its_own_on_a_port_of_this_machine_needs_an_opt_in(
    server: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.android.device._SERVED_PRODUCT", "another")
    with served(scale=1) as daemon:
        heard = Overheard(daemon, monkeypatch)
        device = guarded(server, daemon.address, ANY_APP)
        with pytest.raises(DeviceFault, match="nobody has opted in") as caught:
            device.reset(0)
        assert caught.value.cause is Cause.WITHHELD
        assert heard.touches() == []
        named = f'collect.android.safety.opt_in=["{daemon.address}"]'
        guarded(server, daemon.address, ANY_APP, named).reset(0)
        assert heard.touches() == ["input keyevent KEYCODE_HOME"]
