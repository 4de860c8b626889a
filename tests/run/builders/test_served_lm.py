"""A run whose actions a server writes: by its settings, and from beginning to end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("peft")

from tests.policies.lm.serving.writers import PeftWriter, even_llama
from tests.policies.lm.tiny import shake, situation
from tests.run.builders.test_lm import save, small_config

from distrl.config import RunConfig
from distrl.errors import ConfigError, PipelineError
from distrl.learn.ingest import log_probs_of
from distrl.monitor.jsonl import read_records
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.serving.served_policy import ServedPolicy
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.lm import Lm, build_lm
from distrl.run.state.folder import RunFolder
from distrl.run.train import train
from distrl.services.scripted_server import ScriptedServer
from distrl.weights.file_channel import FileChannel

KEY = "sk-do-not-tell-2342"
SITUATIONS = [situation(seed=seed) for seed in range(4)]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(even_llama(), tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(writer=PeftWriter()) as running:
        yield running


def served_config(llama: Path, server: ScriptedServer, *more: str) -> RunConfig:
    return small_config(
        llama,
        "policy.lm.top_layers=4",
        "policy.lm.constrained=false",
        f"policy.lm.served.endpoint={server.base_url}",
        "policy.lm.served.key_env=TEST_SERVED_KEY",
        *more,
    )


def publish(bundle: Lm, version: int) -> None:
    assert bundle.served is not None
    shake(bundle.model, seed=version)
    bundle.served.load(bundle.model.state_dict(), version, "")


def test_collectors_ask_the_server_and_everybody_else_computes(
    llama: Path, server: ScriptedServer
) -> None:
    bundle = build_lm(served_config(llama, server))
    assert isinstance(bundle.actor(), ServedPolicy)
    assert isinstance(bundle.policy(greedy=True), LmPolicy)
    assert isinstance(build_lm(small_config(llama)).actor(), LmPolicy)


def test_a_server_that_agrees_is_never_complained_about(
    llama: Path, server: ScriptedServer
) -> None:
    config = served_config(
        llama, server, "policy.lm.temperature=0.7", "policy.lm.served.tolerance=0.0005"
    )
    bundle = build_lm(config)
    for version in range(1, 5):
        publish(bundle, version)
        assert {choice.version for choice in bundle.actor().act(SITUATIONS)} == {version}
    bundle.close()
    assert server.adapters == {}


def test_a_server_that_tells_other_probabilities_is_noticed_within_three_versions(
    llama: Path,
) -> None:
    with ScriptedServer(writer=PeftWriter(temperate=False)) as wrong:
        bundle = build_lm(served_config(llama, wrong, "policy.lm.temperature=0.5"))
        for version in (1, 2):
            publish(bundle, version)
            bundle.actor().act(SITUATIONS)
        publish(bundle, 3)
        with pytest.raises(PipelineError, match="disagree on log-probabilities at version 3"):
            bundle.actor().act(SITUATIONS)
        bundle.close()


def test_a_server_without_adapters_is_told_before_anything_is_computed(
    llama: Path, tmp_path: Path
) -> None:
    with (
        ScriptedServer() as plain,
        pytest.raises(ConfigError, match=r"policy\.lm\.served.*VLLM_ALLOW_RUNTIME_LORA_UPDATING"),
    ):
        train(served_config(llama, plain), run_dir=tmp_path / "run")
    assert not (tmp_path / "run" / "start").exists()


@pytest.mark.slow
def test_a_run_learns_from_what_a_server_wrote(
    llama: Path, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_SERVED_KEY", KEY)
    folder = RunFolder(tmp_path / "run")
    config = served_config(llama, server)
    result = train(config, run_dir=folder.root)
    assert (result.episodes, result.updates > 0) == (12, True)
    assert server.adapters == {}
    assert {request.key for request in server.requests} == {KEY}

    with StoreReader(folder.episodes) as store:
        steps = [step for _, episode in store.read_after(0, 100) for step in episode.steps]
    channel = FileChannel(folder.weights, keep=4)
    bundle = build_lm(config)
    newest = max(step.version for step in steps)
    assert newest >= 1
    compared = 0
    for version in {step.version for step in steps}:
        try:
            weights = channel.fetch(version).weights
        except LookupError:
            continue
        bundle.take(weights, "the run")
        told = [step for step in steps if step.version == version]
        again = log_probs_of(bundle.model, bundle.unpack)(
            [step.inputs for step in told], [step.decision or () for step in told]
        )
        assert again == pytest.approx([step.log_prob for step in told], abs=1e-3)
        compared += len(told)
    assert compared
    numbers = read_records(folder.root / "metrics" / "collect.jsonl")[-1].numbers
    assert (numbers["served/refused"], numbers["served/unanswered"]) == (0, 0)
    assert numbers["canary/mismatches"] == 0
    files = [path for path in folder.root.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in files)
