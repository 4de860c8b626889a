"""A whole run with a small language model: collectors here, a learner in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("peft")

import torch
from tests.policies.lm.tiny import loaded_llama, situation
from tests.policies.lm.tiny_vision import idefics3

from distrl.collect.evaluation.evaluate import evaluate_policy, select_tasks
from distrl.config import RunConfig, load_run_config
from distrl.errors import ConfigError
from distrl.learn.ingest import log_probs_of
from distrl.monitor.jsonl import read_records
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.loading import Loaded
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.lm import build_lm
from distrl.run.builders.trained_policy import load_policy
from distrl.run.export.merged_model import export_merged
from distrl.run.inspection.critic_values import CriticValues
from distrl.run.state.checkpoint import Checkpoints, load, model_weights
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult, train
from distrl.weights.canary import CanaryCheck
from distrl.weights.file_channel import FileChannel

SMALL = (
    "policy.name=lm",
    "policy.lm.top_layers=2",
    "policy.lm.rank=2",
    "tasks.suite=starter",
    "phone.nuisance_rate=0.0",
    "learner.swap_names=false",
    "minutes=3",
    "max_episodes=12",
    "collect.devices=3",
    "learner.checkpoint_every=5",
    "learner.min_episodes=4",
    "evaluate.tasks=3",
    "warm_start.reuse=false",
)
"""On top of the recipe `debug`."""


def save(loaded: Loaded, folder: Path) -> Path:
    loaded.model.save_pretrained(folder)
    (loaded.processor or loaded.tokenizer).save_pretrained(folder)
    return folder


def small_config(model: Path, *more: str) -> RunConfig:
    return load_run_config("debug", [*SMALL, f"policy.lm.model={model}", *more])


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(loaded_llama(), tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture(scope="module")
def text_run(
    llama: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RunFolder, TrainResult]:
    root = tmp_path_factory.mktemp("runs") / "text"
    return RunFolder(root), train(small_config(llama), run_dir=root)


def require_parity(folder: RunFolder) -> None:
    """Whoever loads the last weights computes what the learner did."""
    bundle = build_lm(folder.load_config())
    channel = FileChannel(folder.weights, keep=4)
    newest = channel.latest()
    bundle.take(channel.fetch(newest).weights, "the run")
    check = CanaryCheck(log_probs_of(bundle.model, bundle.unpack))
    check.check(channel.fetch(newest).notes, newest)
    assert (check.checks, check.mismatches) == (1, 0)
    numbers = read_records(folder.root / "metrics" / "collect.jsonl")[-1].numbers
    assert numbers["canary/mismatches"] == 0


@pytest.mark.slow
def test_a_run_trains_an_adapter(text_run: tuple[RunFolder, TrainResult]) -> None:
    folder, result = text_run
    assert result.episodes == 12
    assert result.updates > 0
    with StoreReader(folder.episodes) as store:
        steps = [step for _, episode in store.read_after(0, 100) for step in episode.steps]
    assert all(unpack(step.inputs).states is not None for step in steps)
    channel = FileChannel(folder.weights, keep=4)
    assert channel.latest() > 1
    newest = channel.fetch(channel.latest()).weights
    first = Checkpoints(folder.checkpoints).paths()[0]
    before = model_weights(load(first))
    assert newest.keys() == before.keys()
    assert not all(torch.equal(newest[name], before[name]) for name in newest)


@pytest.mark.slow
def test_collector_and_learner_agree(text_run: tuple[RunFolder, TrainResult]) -> None:
    require_parity(text_run[0])


@pytest.mark.slow
def test_evaluating_the_folder_repeats_the_figure(
    text_run: tuple[RunFolder, TrainResult],
) -> None:
    folder, result = text_run
    tasks = select_tasks("starter", "val", tasks=3)
    phone = folder.load_config().phone
    assert evaluate_policy(load_policy(folder.root), tasks, phone=phone).overall.success == (
        result.success
    )


@pytest.mark.slow
def test_a_checkpoint_looks_at_stored_episodes_again(
    text_run: tuple[RunFolder, TrainResult],
) -> None:
    folder, _ = text_run
    with StoreReader(folder.episodes) as store:
        (_, episode), *_ = store.read_after(0, 1)
    (seen,) = CriticValues(folder, folder.load_config()).look([episode])
    assert all(step.log_pi is not None and step.log_pi <= 0 for step in seen.steps)


@pytest.mark.slow
def test_a_run_goes_on_where_it_was(llama: Path, tmp_path: Path) -> None:
    root = tmp_path / "run"
    first = train(small_config(llama, "max_episodes=6", "evaluate.before=false"), run_dir=root)
    second = train(
        small_config(llama, "max_episodes=10", "evaluate.before=false"), run_dir=root, resume=True
    )
    assert (first.episodes, second.episodes) == (6, 10)
    assert second.updates > first.updates


@pytest.mark.slow
def test_a_warm_start_clones_demonstrations(llama: Path, tmp_path: Path) -> None:
    config = small_config(llama, "init=warm_start", "max_episodes=4", "evaluate.before=false")
    train(config, run_dir=tmp_path / "run")
    bundle = build_lm(config)
    from distrl.run.builders.initial_weights import load_start

    untrained = bundle.model.state_dict()["heads.value.1.weight"].clone()
    first = {name: weight.clone() for name, weight in bundle.model.state_dict().items()}
    shown = load_start(RunFolder(tmp_path / "run"), bundle)
    assert shown
    assert torch.equal(bundle.model.state_dict()["heads.value.1.weight"], untrained)
    moved = [
        name for name, weight in bundle.model.state_dict().items() if (weight != first[name]).any()
    ]
    assert moved
    assert all(name.startswith("adapter.") for name in moved)


@pytest.mark.slow
def test_an_exported_folder_acts_as_the_policy_did(
    text_run: tuple[RunFolder, TrainResult], tmp_path: Path
) -> None:
    folder, _ = text_run
    figures = export_merged(folder.root, tmp_path / "out", observations=20)
    assert figures.observations == 20
    assert figures.same_actions >= 19
    assert (tmp_path / "out" / "config.json").is_file()
    assert not list((tmp_path / "out").glob("adapter*"))
    with pytest.raises(ConfigError, match="no empty folder"):
        export_merged(folder.root, tmp_path / "out", observations=20)


@pytest.mark.slow
@pytest.mark.parametrize("sees", ["image", "both"])
def test_a_model_that_sees_trains_on_screenshots(sees: str, tmp_path: Path) -> None:
    model = save(idefics3(), tmp_path / "model")
    root = tmp_path / "run"
    config = small_config(model, f"policy.lm.sees={sees}", "policy.lm.picture_width=32")
    result = train(config, run_dir=root)
    assert result.updates > 0
    require_parity(RunFolder(root))
    with StoreReader(RunFolder(root).episodes) as store:
        (_, episode), *_ = store.read_after(0, 1)
    pictures = [unpack(step.inputs).picture for step in episode.steps]
    assert all(picture is not None and picture.std() > 0 for picture in pictures)


@pytest.mark.slow
def test_two_processes_with_half_of_the_weights_each_train_and_go_on(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    pytest.importorskip("bitsandbytes")
    root, model = tmp_path / "run", save(idefics3(), tmp_path / "model")
    settings = (
        "policy.lm.sees=image",
        "policy.lm.picture_width=32",
        "policy.lm.gradient_checkpointing=true",
        "learner.processes=2",
        "learner.shard=true",
        "algorithm.optimiser=adamw_8bit",
        "algorithm.critic_warmup=1",
        "evaluate.before=false",
    )
    first = train(small_config(model, "max_episodes=6", *settings), run_dir=root)
    second = train(small_config(model, "max_episodes=10", *settings), run_dir=root, resume=True)
    assert 0 < first.updates < second.updates
    require_parity(RunFolder(root))


@pytest.mark.parametrize(
    "settings", [("policy.name=pointer", "learner.processes=2"), ("learner.processes=1",)]
)
def test_weights_are_spread_over_processes_of_a_language_model_only(
    settings: tuple[str, ...], llama: Path
) -> None:
    with pytest.raises(ConfigError, match=r"learner\.shard is for policy\.name: lm"):
        small_config(llama, "learner.shard=true", *settings)


def test_a_model_that_is_not_there_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"policy\.lm\.model '/nowhere' cannot be loaded"):
        build_lm(small_config(Path("/nowhere")))


def test_a_model_without_eyes_needs_elements(llama: Path) -> None:
    config = small_config(llama)
    blind = config.changed(phone=config.phone.changed(elements=False))
    with pytest.raises(ConfigError, match="nothing to read"):
        build_lm(blind)


def test_the_same_seed_makes_the_same_adapter(llama: Path) -> None:
    one, same = (build_lm(small_config(llama)).model.state_dict() for _ in range(2))
    other = build_lm(small_config(llama, "seed=1")).model.state_dict()
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert any(not torch.equal(one[name], other[name]) for name in one)


def test_weights_of_another_run_are_refused(llama: Path) -> None:
    bundle = build_lm(small_config(llama))
    weights = dict(bundle.model.state_dict())
    weights.pop("heads.value.1.bias")
    with pytest.raises(ConfigError, match=r"heads\.value\.1\.bias differs"):
        bundle.take(weights, "somewhere")


def test_loaded_parts_can_be_handed_in(llama: Path) -> None:
    given = replace(loaded_llama(), processor=None)
    assert build_lm(small_config(llama), given).model.network.whole is given.model


def test_prompts_offer_only_the_kinds_that_the_settings_allow(llama: Path) -> None:
    bundle = build_lm(small_config(llama, "policy.kinds=[tap, complete]"))
    prompt, _ = bundle.prompt_encoder.encode(situation("Save it", labels=("Save",)))
    assert prompt.options == ("tap(1)", "complete()")
