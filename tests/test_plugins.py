from __future__ import annotations

import copy
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.contracts.device import DeviceContract
from tests.learn.tables import TableModel, episode
from tests.packages import ENTRY, EXAMPLES, write_example, write_package

from distrl import actions, plugins
from distrl.cli.main import main
from distrl.clock import VirtualClock
from distrl.config import RunConfig, load_run_config
from distrl.config.judges import JUDGE_PARTS, judge_names
from distrl.config.learn import AlgorithmConfig
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.initial_state import create_state
from distrl.devices.phone.registry import built_in, find, plugged_in
from distrl.envs.device_kinds import (
    DeviceSettings,
    NoOracle,
    device_names,
    env_on,
    make_device,
)
from distrl.errors import ConfigError
from distrl.interfaces import Device
from distrl.learn.algorithms import algorithm_names, make_algorithm
from distrl.learn.algorithms.a_ride import ARide
from distrl.monitor.trackers import TRACKERS, open_trackers
from distrl.plugins import Part
from distrl.policies import POLICIES, make_policy, policy_names
from distrl.policies.random import RandomPolicy
from distrl.replay.buffer import Sampled
from distrl.run.builders.policy_bundle import POLICIES as TRAINABLE
from distrl.run.builders.policy_bundle import build_policy_bundle
from distrl.tasks.judges.factory import JUDGES, JudgeContext, make_judge
from distrl.tasks.suites import built_in_suites, load_suite, suite_names
from distrl.types import Action, Outcome

BUILT_IN_DEVICES = ("phone", "page", "android", "openenv", "mobilegym", "browsergym")
BUILT_IN_ALGORITHMS = ("a_ride", "digirl", "filtered_bc", "grpo", "ppo")

Install = Callable[..., None]


def device_of(kind: str, device_id: str = "device-0") -> Device:
    return make_device(kind, device_id, DeviceSettings(suite="general"))


class Oracle:
    """Knows one thing to do."""

    def action(self) -> Action:
        return actions.wait()


def run_python(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A new process that has the packages of a folder installed."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        timeout=100,
        check=False,
    )


# Finding


def test_groups_are_named_as_the_documentation_says() -> None:
    assert [part.group for part in Part] == [
        *("distrl.devices", "distrl.trainable_policies", "distrl.policies", "distrl.algorithms"),
        *("distrl.judges", "distrl.suites", "distrl.apps", "distrl.trackers"),
    ]


def test_nothing_is_plugged_in_by_default() -> None:
    assert policy_names() == POLICIES
    assert suite_names() == built_in_suites() == ("general", "shopping", "questions")
    assert algorithm_names() == BUILT_IN_ALGORITHMS
    assert device_names() == BUILT_IN_DEVICES
    assert TRAINABLE.names() == ("pointer", "lm")
    assert judge_names() == JUDGES.names() == JUDGE_PARTS
    assert TRACKERS.names() == ("wandb", "tensorboard")
    assert plugged_in() == ()


def test_listing_names_imports_nothing(site: Path) -> None:
    write_package(
        site,
        "tiny",
        {
            "distrl.policies": {"zeal": "absent:Zeal", "calm": "absent:Calm"},
            "distrl.suites": {"chess": "absent:chess"},
            "distrl.algorithms": {"sarsa": "absent:Sarsa"},
            "distrl.devices": {"toaster": "absent:Toaster"},
            "distrl.trainable_policies": {"deep": "absent:deep"},
            "distrl.judges": {"stern": "absent:Stern"},
            "distrl.trackers": {"diary": "absent:Diary"},
            "console_scripts": {"tiny": "absent:main"},
        },
    )
    assert policy_names() == (*POLICIES, "calm", "zeal")
    assert suite_names() == (*built_in_suites(), "chess")
    assert algorithm_names() == (*BUILT_IN_ALGORITHMS, "sarsa")
    assert device_names() == (*BUILT_IN_DEVICES, "toaster")
    assert TRAINABLE.names() == ("pointer", "lm", "deep")
    assert judge_names() == (*JUDGE_PARTS, "stern")
    assert TRACKERS.names() == ("wandb", "tensorboard", "diary")


def test_built_in_names_are_served_without_looking_for_plugins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look(path: tuple[str, ...]) -> tuple[plugins.Plugin, ...]:
        raise AssertionError("looked for plug-ins")

    monkeypatch.setattr(plugins, "_installed", look)
    load_suite.cache_clear()
    assert load_suite("general").name == "general"
    assert isinstance(make_policy("random", Oracle()), RandomPolicy)
    assert isinstance(make_algorithm(TableModel(), AlgorithmConfig()), ARide)
    assert find("clock").title == "Clock"
    with pytest.raises(AssertionError, match="looked"):
        make_policy("rnadom", Oracle())


def test_an_unknown_name_is_answered_with_the_nearest_plugin(site: Path) -> None:
    write_package(site, "tiny", {"distrl.policies": {"literal": "absent:Policy"}})
    with pytest.raises(ConfigError, match=r"unknown policy 'litteral'; did you mean 'literal'\?"):
        make_policy("litteral", Oracle())
    with pytest.raises(ConfigError, match=r"unknown device 'phoen'; did you mean 'phone'\?"):
        device_of("phoen")


# What can be wrong with a plug-in

MAKERS: dict[str, Callable[[], object]] = {
    "distrl.policies": lambda: make_policy("odd", Oracle()),
    "distrl.algorithms": lambda: make_algorithm(TableModel(), AlgorithmConfig(name="odd")),
    "distrl.suites": lambda: load_suite("odd"),
    "distrl.apps": lambda: find("odd"),
    "distrl.devices": lambda: device_of("odd"),
    "distrl.judges": lambda: make_judge("odd", JudgeContext(client=pytest.fail)),
    "distrl.trainable_policies": lambda: build_policy_bundle(
        load_run_config("debug", ["policy.name=odd"])
    ),
}


@pytest.mark.parametrize("group", MAKERS)
@pytest.mark.parametrize(
    ("module", "cause"),
    [
        ("raise SystemExit('run me as a script')", "SystemExit: run me as a script"),
        ("import nowhere_to_be_found", "ModuleNotFoundError: No module named 'nowhere_to_be"),
        ("def made(", "SyntaxError: "),
        ("made_up = 1", "AttributeError: .*'made'"),
        ("def made(*given): raise RuntimeError('out of ink')", "RuntimeError: out of ink"),
        ("def made(): return made(1)", "TypeError: made\\(\\) takes 0"),
        ("def made(*given): return 7", "it made 7, which is no "),
    ],
)
def test_a_broken_plugin_is_refused_with_its_package_and_the_cause(
    group: str, module: str, cause: str, site: Path
) -> None:
    write_package(site, "odd-ones", {group: {"odd": "odd:made"}}, {"odd": module})
    message = rf"'odd' of the package odd-ones 0\.1 \(odd:made\) cannot be used: {cause}"
    with pytest.raises(ConfigError, match=message):
        MAKERS[group]()


@pytest.mark.parametrize(
    ("group", "module", "cause"),
    [
        (
            "distrl.suites",
            "from distrl.tasks.suites import *\n"
            "def made():\n"
            "    return Suite('even', [], SuiteShape(sizes={}, step_limit=1, first_seed=0))",
            "is no Suite of that name",
        ),
        (
            "distrl.suites",
            "from distrl.tasks.suites import *\n"
            "def made():\n"
            "    return Suite('odd', [], SuiteShape(sizes={}, step_limit=1, first_seed=0))",
            "KeyError: 'train'",
        ),
        (
            "distrl.apps",
            "from distrl.devices.phone.app import App\nclass made(App): name = 'even'",
            "is no App of that name",
        ),
        (
            "distrl.apps",
            "from distrl.devices.phone.app import App\nclass made(App): name = 'odd'",
            "AttributeError: 'made' object has no attribute 'title'",
        ),
    ],
)
def test_what_would_only_break_later_is_refused_at_once(
    group: str, module: str, cause: str, site: Path
) -> None:
    write_package(site, "odd-ones", {group: {"odd": "odd:made"}}, {"odd": module})
    with pytest.raises(ConfigError, match=rf"odd-ones 0\.1 .*{cause}"):
        MAKERS[group]()


def test_a_broken_plugin_breaks_nothing_else(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {group: {"odd": "odd:made"} for group in MAKERS}
    write_package(site, "odd-ones", odd, {"odd": "raise RuntimeError('out of ink')"})
    assert main(["eval", "--tasks", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["success"] == 1.0
    assert main(["suites", "--json"]) == 0
    shown = capsys.readouterr()
    assert {row["suite"] for row in json.loads(shown.out)["rows"]} == set(built_in_suites())
    assert "the suite 'odd' of the package odd-ones 0.1" in shown.err
    assert "out of ink" in shown.err


def test_a_broken_plugin_that_is_asked_for_ends_with_2(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_package(site, "odd-ones", {"distrl.policies": {"odd": "odd:made"}}, {"odd": "1 / 0"})
    assert main(["eval", "--policy", "odd", "--tasks", "1"]) == 2
    shown = capsys.readouterr()
    assert "odd-ones 0.1" in shown.err
    assert "ZeroDivisionError" in shown.err
    assert "Traceback" not in shown.err


def test_a_name_that_two_packages_offer_is_refused(site: Path) -> None:
    entries = {"distrl.policies": {"literal": "policy:LiteralPolicy"}}
    write_package(site, "one-package", entries)
    write_package(site, "other-package", entries)
    write_example(site, "suite")
    assert policy_names() == (*POLICIES, "literal")
    message = "the policy 'literal': one-package 0.1 and other-package 0.1; uninstall one"
    with pytest.raises(ConfigError, match=message):
        make_policy("literal", Oracle())
    assert load_suite("tidying").name == "tidying"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with modules that no package offers."""
    monkeypatch.setenv(plugins.VARIABLE, "")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_part_is_offered_without_a_package(bare: Path) -> None:
    (bare / "bare_policy.py").write_text("def make(surroundings):\n    return surroundings.seed\n")
    plugins.plug_in("policy", "bare", "bare_policy:none")
    plugins.plug_in("policy", "bare", "bare_policy:make")
    assert "bare" in policy_names()
    assert plugins.find(Part.POLICY, "bare", POLICIES).entry.value == "bare_policy:make"
    with pytest.raises(ConfigError, match=r"'bare' of the package \(DISTRL_PLUGINS\) .* no Policy"):
        make_policy("bare", NoOracle("general"))


def test_processes_that_are_started_know_what_was_plugged_in(bare: Path) -> None:
    plugins.plug_in(Part.SUITE, "tea", "tea:suite")
    plugins.plug_in(Part.APP, "tea", "tea:App")
    code = "from distrl.tasks.suites import suite_names; print(suite_names())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'tea'" in said.stdout


@pytest.mark.usefixtures("bare")
def test_what_cannot_be_plugged_in_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="did you mean 'suite'"):
        plugins.plug_in("suites", "tea", "tea:suite")
    with pytest.raises(ConfigError, match=r"module:attribute, got 'tea' and 'tea\.py'"):
        plugins.plug_in("suite", "tea", "tea.py")
    monkeypatch.setenv(plugins.VARIABLE, "tea=tea:suite")
    with pytest.raises(ConfigError, match="GROUP:NAME=MODULE:ATTRIBUTE"):
        plugins.offered(Part.SUITE)
    monkeypatch.setenv(plugins.VARIABLE, "distrl.suite:tea=tea:suite")
    with pytest.raises(ConfigError, match=r"did you mean 'distrl\.suites'"):
        plugins.offered(Part.SUITE)


def test_a_package_that_is_found_twice_is_one_package(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = write_example(site, "policy")
    monkeypatch.syspath_prepend(tmp_path / "again")
    write_package(tmp_path / "again", "Example_policy", {"distrl.policies": {entry: "absent:P"}})
    with pytest.raises(ConfigError, match=r"Example_policy 0\.1 \(absent:P\)"):
        make_policy(entry, Oracle())


def test_a_built_in_name_cannot_be_taken(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_package(
        site,
        "impostors",
        {
            "distrl.policies": {"random": "absent:P"},
            "distrl.suites": {"general": "absent:S"},
            "distrl.algorithms": {"a_ride": "absent:A"},
            "distrl.devices": {"phone": "absent:D"},
            "distrl.apps": {"clock": "absent:C"},
            "distrl.judges": {"state": "absent:J"},
            "distrl.trainable_policies": {"pointer": "absent:T"},
            "distrl.trackers": {"wandb": "absent:W"},
        },
    )
    with caplog.at_level(logging.WARNING):
        assert policy_names() == POLICIES
        assert policy_names() == POLICIES
    (told,) = caplog.messages
    assert "'random' of the package impostors 0.1 is left out" in told
    assert isinstance(make_policy("random", Oracle()), RandomPolicy)
    assert suite_names() == built_in_suites()
    assert isinstance(make_algorithm(TableModel(), AlgorithmConfig()), ARide)
    assert device_of("phone", "phone-0").id == "phone-0"
    assert make_judge("state", JudgeContext(client=pytest.fail)).name == "state"
    assert TRAINABLE.names() == ("pointer", "lm")
    assert TRACKERS.names() == ("wandb", "tensorboard")
    assert plugins.names(Part.APP, built_in()) == ()


def test_entry_points_that_nobody_can_read_are_told_and_hide_no_others(
    site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    entry = write_example(site, "policy")
    write_package(site, "garbled", {})
    (site / "garbled-0.1.dist-info" / "entry_points.txt").write_bytes(b"[distrl.apps]\nno equals")
    write_package(site, "nameless", {"distrl.apps": {"odd": "odd:made"}})
    (site / "nameless-0.1.dist-info" / "METADATA").unlink()
    with caplog.at_level(logging.WARNING):
        assert policy_names() == (*POLICIES, entry)
    assert len(caplog.messages) == 2
    assert all(f"a package in {site}" in message for message in caplog.messages)


# The examples


@pytest.mark.parametrize("part", Part)
def test_every_part_has_an_example_of_under_60_lines(part: Part) -> None:
    name = part.replace(" ", "_")
    text = (EXAMPLES / f"{name}.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) < 60
    found = ENTRY.search(text)
    assert found is not None
    assert found[1] == part.group
    assert found[3].split(":")[0] == name


def test_the_policy_of_the_example_can_be_evaluated(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_example(site, "policy")
    line = ["eval", "--policy", name, "--nuisance-rate", "0", "--json"]
    assert main([*line, "--split", "train", "--template", "open_chat"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert 0.0 < figures["success"] < 1.0
    assert 1.0 < figures["mean_steps"] < 4.0


def test_the_suite_of_the_example_is_solved_by_the_script_and_does_not_leak(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_example(site, "suite")
    for split, tasks in (("train", 12), ("test", 4)):
        assert main(["eval", "--suite", name, "--split", split, "--json"]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert (figures["episodes"], figures["success"]) == (tasks, 1.0)
        assert figures["side_effects"] == 0
    assert main(["eval", "--suite", name, "--policy", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["success"] == 0.0
    assert main(["suites", name, "--check-leaks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaks"] == 0


def test_the_algorithm_of_the_example_learns_from_successes(site: Path) -> None:
    name = write_example(site, "algorithm")
    model = TableModel()
    config = load_run_config("quickstart", [f"algorithm.name={name}"]).algorithm
    algorithm = make_algorithm(model, config)
    records = (
        episode([0, 1], [1, 1], succeeded=True),
        episode([2, 3], [1, 1], succeeded=False),
    )
    sampled = Sampled(np.arange(2), records, np.ones(2, np.float32), np.ones(2, np.bool_))
    result = algorithm.update(sampled)
    assert result.terms.shape == algorithm.terms(sampled).shape == (2, 3)
    assert model.probability(0, 1) > 0.5
    assert model.probability(2, 1) == 0.5

    other = make_algorithm(TableModel(), config)
    other.load_state_dict(copy.deepcopy(algorithm.state_dict()))
    other.update(sampled)
    algorithm.update(sampled)
    one, two = algorithm.model.state_dict(), other.model.state_dict()
    assert all(bool((one[key] == two[key]).all()) for key in one)


class TestTheDeviceOfTheExample(DeviceContract):
    @pytest.fixture(autouse=True)
    def _installed(self, site: Path) -> None:
        self.name = write_example(site, "device")

    def make_device(self) -> Device:
        return device_of(self.name, "lamp-0")

    def effective_action(self, device: Device) -> Action:
        return actions.tap(0.5, 0.5)

    def test_it_keeps_the_id_that_it_is_given(self) -> None:
        assert device_of(self.name, "kitchen").id == "kitchen"

    def test_it_is_played_on_by_the_environment_of_its_kind(self) -> None:
        env, oracle = env_on(SlowDevice(self.make_device(), VirtualClock(), observe=1.0))
        light, dark = load_suite("lamps").tasks("train")[:2]
        for task, tap in ((light, True), (dark, False)):  # their seed is 0: the lamp is off
            assert env.reset(task).elements is not None
            if tap:
                env.step(actions.tap(0.5, 0.5))
            assert env.step(actions.complete()).outcome is Outcome.SUCCEEDED
        env.reset(light)
        assert env.step(actions.complete()).outcome is Outcome.FALSE_COMPLETE
        assert oracle is None


USE_THE_APP = """
import json
from distrl.actions import wait
from distrl.devices.phone import apps
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.oracle_hand import Do, Hand

device = PhoneDevice("user", PhoneConfig(nuisance_rate=0.0))
device.reset(5)
start = device.snapshot()

def take(*way):
    try:
        for step in way:
            step(Hand(device.phone))
    except Do as turn:
        device.perform(turn.action)
        return True
    return False

steps = 0
while take(lambda hand: hand.open("counter")):
    steps += 1
take(lambda hand: hand.tap("Count on"))
seen = device.observe()
print(json.dumps({
    "names": apps.names(), "start": start, "steps": steps, "app": seen.app,
    "count": device.snapshot()["apps"]["counter"]["count"],
    "texts": [element.text for element in seen.elements], "shape": seen.screen.shape,
}))
"""


def test_the_app_of_the_example_is_on_every_phone_and_changes_nothing_else(tmp_path: Path) -> None:
    name = write_example(tmp_path, "app")
    broken = {"distrl.apps": {"odd": "odd:made"}}
    write_package(tmp_path, "odd-ones", broken, {"odd": "raise RuntimeError('out of ink')"})
    done = run_python(tmp_path, "-c", USE_THE_APP)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)

    assert told["names"] == [*built_in(), name]
    assert (told["app"], told["shape"]) == (name, [400, 180, 3])
    assert told["steps"] >= 1
    assert told["count"] == told["start"]["apps"][name]["count"] + 1
    assert {"Count on", str(told["count"])} <= set(told["texts"])

    assert "the app 'odd' of the package odd-ones 0.1" in done.stderr
    assert "out of ink" in done.stderr
    assert "Traceback" not in done.stderr
    assert without_app(told["start"], name) == json.loads(json.dumps(plain_state(5)))


def plain_state(seed: int) -> dict[str, Any]:
    from distrl.devices.phone import nuisance

    return create_state(seed, nuisance_rate=0.0, weights=nuisance.WEIGHTS, layouts={})


def without_app(state: dict[str, Any], name: str) -> dict[str, Any]:
    """The phone as it would be if an app had never been there."""
    pages = state["apps"]["launcher"]["pages"]
    assert pages[-1][-1] == name
    pages[-1].pop()
    assert state["system"]["installed"].pop(name)
    assert state["apps"].pop(name)
    return state


def test_the_app_of_the_example_is_listed(tmp_path: Path) -> None:
    name = write_example(tmp_path, "app")
    done = run_python(tmp_path, "-m", "distrl", "phone", "apps", "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows[name]["title"] == "Counter"
    assert rows[name]["pages"] == "main"


def test_the_judge_of_the_example_looks_on_at_an_evaluation(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_example(site, "judge")
    line = ["eval", "--tasks", "3", "--json", "--judge", name]
    assert main(line) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["judge"], figures["judge_success"], figures["judge_void"]) == (name, 1.0, 0.0)
    assert main([*line[:-1], "trustign"]) == 2
    assert "unknown judge 'trustign'; did you mean 'trusting'?" in capsys.readouterr().err


def test_the_judge_of_the_example_is_audited(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_example(site, "judge")
    fakes = str(tmp_path / "fakes.sqlite")
    assert main(["judge", "adversarial", "--out", fakes, "--episodes", "4"]) == 0
    capsys.readouterr()
    assert main(["judge", "audit", fakes, "--judge", name, "--json"]) == 1  # it believes the fakes
    assert json.loads(capsys.readouterr().out)["fake_verdicts_accepted"] > 0


@pytest.mark.parametrize(
    ("setting", "where"),
    [
        ("judge={name: trusting, options: {most_stesp: 3}}", "judge.options"),
        ("policy={name: tiny, options: {widht: 3}}", "policy.options"),
        ("monitor.trackers={lines: {fiel: a}}", "monitor.trackers.lines"),
    ],
)
def test_an_option_that_a_plugin_does_not_know_is_refused(
    setting: str, where: str, site: Path, tmp_path: Path
) -> None:
    for name in ("judge", "trainable_policy", "tracker"):
        write_example(site, name)
    config = load_run_config("debug", [setting])
    with pytest.raises(ConfigError, match=rf"unknown key of {where} '\w+'; did you mean '\w+'\?"):
        open_parts(config, tmp_path)


def test_an_option_that_a_judge_does_not_know_is_found_by_a_dry_run(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_example(site, "judge")
    setting = "judge={name: trusting, options: {most_stesp: 3}}"
    assert main(["train", "--recipe", "debug", "--dry-run", setting]) == 2
    assert "unknown key of judge.options 'most_stesp'" in capsys.readouterr().err


def open_parts(config: RunConfig, folder: Path) -> None:
    """Make all parts whose plug-ins have options."""
    open_trackers(folder, config, pytest.fail)
    build_policy_bundle(config)
    make_judge(
        config.judge.name or "state",
        JudgeContext(client=pytest.fail, options=config.judge.options),
    )


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    def act(self, seen): raise KeyError('lost')", r"KeyError: 'lost' \(odd.py, line 4\)"),
        ("    def act(self, seen): return []", r"act was given 1 situations and returned \[\]"),
        ("    pass", "which is no Policy: it has no act"),
    ],
)
def test_what_a_policy_does_wrong_names_the_plugin_and_the_place(
    body: str, told: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"class Odd:\n    def __init__(self, _): ...\n    def begin(self, seed): ...\n{body}\n"
    write_package(site, "odd-ones", {"distrl.policies": {"odd": "odd:Odd"}}, {"odd": text})
    assert main(["eval", "--policy", "odd", "--tasks", "1"]) == 2
    message = rf"the policy 'odd' of the package odd-ones 0\.1 \(odd:Odd\) cannot be used: .*{told}"
    assert re.search(message, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("group", "setting"),
    [
        ("distrl.algorithms", "algorithm.name=odd"),
        ("distrl.trainable_policies", "policy.name=odd"),
    ],
)
def test_what_cannot_be_imported_is_found_by_a_dry_run(
    group: str, setting: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_package(site, "odd-ones", {group: {"odd": "odd:made"}}, {"odd": "1 / 0"})
    assert main(["train", "--recipe", "debug", "--dry-run", "init=scratch", setting]) == 2
    assert "odd-ones 0.1 (odd:made) cannot be used: ZeroDivision" in capsys.readouterr().err
