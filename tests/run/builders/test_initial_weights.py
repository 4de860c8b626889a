from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config

from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.config import load_run_config
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError, WeightsError
from distrl.learn.warm_start import cache_key
from distrl.policies.pointer.name_swap import NameSwap
from distrl.policies.scripted import ScriptedPolicy
from distrl.replay.parquet import write_parquet
from distrl.run.builders.initial_weights import (
    WEIGHTS,
    load_start,
    prepare_start,
    warm_start_parts,
    warm_start_surroundings,
)
from distrl.run.builders.pointer import build_pointer
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.episode_sources import write_store
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.train import TrainResult
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Task
from distrl.weights.file_channel import FileChannel
from distrl.weights.serialization import digest_of

CLONING = (
    "init=warm_start",
    "warm_start.demonstrations=2",
    "warm_start.per_template=1",
    "warm_start.max_updates=2",
    "warm_start.check_every=1000",
    "warm_start.target=null",
)


def quiet(line: str) -> None:
    """Tell nobody."""


def begin(root: Path, *settings: str) -> tuple[RunFolder, str]:
    """Make the start of a run and load it; the digest of the weights."""
    config = small_config(*settings)
    folder = create_run(root, config)
    prepare_start(folder, config, build_pointer(config), quiet)
    pointer = build_pointer(config)
    load_start(folder, pointer)
    return folder, digest_of(pointer.model.state_dict())


def test_scratch_starts_from_the_seed(tmp_path: Path) -> None:
    _, digest = begin(tmp_path / "a", "init=scratch", "seed=4")
    assert digest == digest_of(build_pointer(small_config("seed=4")).model.state_dict())


def test_a_start_is_made_once(tmp_path: Path) -> None:
    folder, digest = begin(tmp_path, "init=scratch")
    other = small_config("seed=8")
    prepare_start(folder, other, build_pointer(other), quiet)
    pointer = build_pointer(other)
    load_start(folder, pointer)
    assert digest_of(pointer.model.state_dict()) == digest


def test_what_was_left_unfinished_is_made_again(tmp_path: Path) -> None:
    (tmp_path / ".start.partial").mkdir()
    (tmp_path / ".start.partial" / WEIGHTS).write_bytes(b"half")
    folder, _ = begin(tmp_path, "init=scratch")
    assert not (tmp_path / ".start.partial").exists()
    assert (folder.start / WEIGHTS).stat().st_size > 1000


def test_a_run_can_start_from_another(
    small_run: tuple[RunFolder, TrainResult], tmp_path: Path
) -> None:
    parent, _ = small_run
    weights, _ = weights_of_run(parent.root)
    _, digest = begin(tmp_path, f"init={parent.root}")
    assert digest == digest_of(weights)


def test_a_run_of_another_network_is_refused(
    small_run: tuple[RunFolder, TrainResult], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="of another network"):
        begin(tmp_path, f"init={small_run[0].root}", "policy.width=32")


def test_a_start_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run at"):
        begin(tmp_path / "a", f"init={tmp_path / 'nowhere'}")


def test_a_damaged_start_is_found_out(tmp_path: Path) -> None:
    folder, _ = begin(tmp_path, "init=scratch")
    data = bytearray((folder.start / WEIGHTS).read_bytes())
    data[-1] ^= 1
    (folder.start / WEIGHTS).write_bytes(data)
    with pytest.raises(WeightsError, match="damaged"):
        load_start(folder, build_pointer(small_config("init=scratch")))


def test_a_warm_start_is_cloned_once_and_then_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The words stay in the usual cache, for encoding them anew takes long.
    monkeypatch.setattr(
        "distrl.run.builders.initial_weights.default_cache", lambda: tmp_path / "cache" / "words"
    )
    config = small_config(*CLONING, "phone.nuisance_rate=0.0")
    told: list[str] = []
    digests = []
    for name in ("a", "b"):
        pointer = build_pointer(config)
        first = digest_of(pointer.model.state_dict())
        prepare_start(create_run(tmp_path / name, config), config, pointer, told.append)
        folder = RunFolder(tmp_path / name)
        demonstrations = load_start(folder, pointer)
        digests.append(digest_of(pointer.model.state_dict()))
        assert digests[-1] != first
        assert demonstrations
        assert json.loads((folder.start / "result.json").read_text())["updates"] == 2
    assert digests[0] == digests[1]
    assert told.count("recording demonstrations") == 1


def by_the_script(task: Task) -> Episode:
    device = PhoneDevice("phone")
    referee = PhoneReferee(device)
    script = ScriptedPolicy(PhoneOracle(referee))
    env = DeviceEnv(device, referee)
    return run_episode(env, script, task, clock=VirtualClock(), episode_id=f"by hand/{task.id}")


def test_a_warm_start_clones_episodes_that_are_given(tmp_path: Path) -> None:
    played = [by_the_script(task) for task in load_suite("general").tasks("train")[:3]]
    wanted = {episode.id for episode in played if episode.succeeded}
    assert wanted
    exported, stored = tmp_path / "played.parquet", tmp_path / "played.sqlite"
    write_parquet(played, exported)
    write_store(played, stored)
    told: list[str] = []
    cloned = []
    for number, where in enumerate((exported, stored)):
        given = (f"warm_start.episodes={where}", "warm_start.reuse=false")
        config = small_config(*CLONING, *given)
        pointer = build_pointer(config)
        folder = create_run(tmp_path / str(number), config)
        prepare_start(folder, config, pointer, told.append)
        demonstrations = load_start(folder, pointer)
        assert {trajectory.id for trajectory in demonstrations} == wanted
        cloned.append(digest_of(pointer.model.state_dict()))
    assert cloned[0] == cloned[1]
    assert cloned[0] != digest_of(build_pointer(config).model.state_dict())
    assert told.count("reading demonstrations") == 2
    left = f" ({3 - len(wanted)} failed)" if len(wanted) < 3 else ""
    assert f"cloning {len(wanted)} of 3 episodes in {stored}{left}" in told
    assert any(line.startswith("few demonstrations") for line in told)
    assert "recording demonstrations" not in told


def test_a_warm_start_depends_on_what_is_given(tmp_path: Path) -> None:
    keys = set()
    for content in (b"one", b"two"):
        (tmp_path / "some.sqlite").write_bytes(content)
        config = small_config(*CLONING, f"warm_start.episodes={tmp_path / 'some.sqlite'}")
        parts = warm_start_parts(config, build_pointer(config), quiet)
        keys.add(cache_key(parts, config.warm_start))
    assert len(keys) == 2


def test_given_episodes_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there are no episodes in .*nowhere"):
        begin(tmp_path / "a", *CLONING, f"warm_start.episodes={tmp_path / 'nowhere'}")


def test_a_warm_start_clones_the_same_policy_whatever_critics_judge(tmp_path: Path) -> None:
    cloned = []
    for form in "vq":
        config = small_config(*CLONING, "warm_start.reuse=false", f"algorithm.critic_form={form}")
        pointer = build_pointer(config)
        folder = create_run(tmp_path / form, config)
        prepare_start(folder, config, pointer, quiet)
        again = build_pointer(config)
        assert load_start(folder, again)
        assert digest_of(again.model.state_dict()) == digest_of(pointer.model.state_dict())
        cloned.append(again.model.state_dict())
    plain, judging = cloned
    assert all(torch.equal(judging[name], tensor) for name, tensor in plain.items())
    assert len(judging) > len(plain)


@pytest.mark.parametrize("wanted", [True, False])
def test_demonstrations_are_cloned_with_names_swapped_if_the_run_wants_it(wanted: bool) -> None:
    config = small_config(f"learner.swap_names={str(wanted).lower()}")
    parts = warm_start_parts(config, build_pointer(config), quiet)
    assert isinstance(parts.vary, NameSwap) is wanted


def test_the_surroundings_of_a_warm_start_tell_phones_and_policies_apart() -> None:
    overrides = ["phone.nuisance_rate=0", "policy.pixels=false", "tasks.suite=shopping"]
    overrides += ["phone.factors=[dark]", "tasks.factors=[dark]"]
    plain = warm_start_surroundings(load_run_config("quickstart"))
    assert "factors" not in {*plain, *plain["phone"]}, "caches of before there were any are found"
    for override in overrides:
        assert warm_start_surroundings(load_run_config("quickstart", [override])) != plain


def test_where_actions_are_written_makes_no_other_warm_start() -> None:
    free = ["policy.name=lm", "policy.lm.constrained=false"]
    plain = warm_start_surroundings(load_run_config("quickstart", free))
    served = load_run_config("quickstart", [*free, "policy.lm.served.endpoint=http://gpu:8000/v1"])
    assert warm_start_surroundings(served) == plain


def test_a_run_can_begin_with_the_newest_whole_weights_that_another_published(
    tmp_path: Path,
) -> None:
    config = small_config(f"init={tmp_path / 'old' / 'weights'}")
    pointer = build_pointer(config)
    channel = FileChannel(tmp_path / "old" / "weights")
    published = {name: tensor + 0.5 for name, tensor in pointer.model.state_dict().items()}
    channel.publish(published, 3)
    channel.publish(pointer.model.state_dict(), 4)
    (tmp_path / "old" / "weights" / "v4.safetensors").write_bytes(b"damaged")
    folder = create_run(tmp_path / "new", config)
    prepare_start(folder, config, pointer, quiet)
    load_start(folder, pointer)
    found = pointer.model.state_dict()
    assert all(torch.equal(found[name], tensor) for name, tensor in published.items())
