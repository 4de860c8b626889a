from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("peft")

import torch
from peft.tuners.lora import LoraLayer
from tests.policies.lm.tiny import loaded_llama, shake, situation
from tests.run.builders.test_lm import save, small_config
from torch import Tensor

from distrl import actions
from distrl.errors import ConfigError
from distrl.learn.learner_state import Snapshot, flatten
from distrl.run.builders.lm import Lm, build_lm
from distrl.run.export import merged_model
from distrl.run.export.comparison_inputs import Counted
from distrl.run.export.merged_model import export_merged, merge
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import create_run
from distrl.types import Choice, Situation

SEEN = [situation(f"Open the chat with {name}") for name in ("Ann Lee", "Bob", "Cy")]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(loaded_llama(), tmp_path_factory.mktemp("models") / "llama")


def trained(llama: Path) -> Lm:
    """A model whose adapter does something."""
    lm = build_lm(small_config(llama))
    shake(lm.model)
    return lm


def logits(lm: Lm) -> Tensor:
    with torch.no_grad():
        found: Tensor = lm.model.network.whole(torch.arange(1, 12)[None]).logits
    return found


def adapters(lm: Lm) -> list[str]:
    whole = lm.model.network.whole
    return [name for name, part in whole.named_modules() if isinstance(part, LoraLayer)]


def test_the_merged_model_has_no_adapter_and_says_the_same(llama: Path) -> None:
    lm, plain = trained(llama), build_lm(small_config(llama))
    before = logits(lm)
    assert adapters(lm)
    assert not torch.allclose(before, logits(plain), atol=1e-3)
    merge(lm)
    assert adapters(lm) == []
    assert torch.allclose(logits(lm), before, atol=1e-4)


def test_merging_twice_changes_nothing_more(llama: Path) -> None:
    lm = trained(llama)
    merge(lm)
    once = logits(lm)
    merge(lm)
    assert torch.equal(logits(lm), once)


def run_of(lm: Lm, root: Path, llama: Path) -> Path:
    folder = create_run(root, small_config(llama))
    tensors: dict[str, Tensor] = {}
    state = {"algorithm": flatten({"model": lm.model.state_dict()}, "algorithm", tensors)}
    Checkpoints(folder.checkpoints).save(Snapshot(5, tensors, state))
    return folder.root


def gathered(lm: Lm) -> list[tuple[Situation, Choice]]:
    return list(zip(SEEN, lm.policy(greedy=True).act(SEEN), strict=True))


def test_a_run_becomes_a_folder_that_decides_as_the_policy_did(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lm = trained(llama)
    seen = gathered(lm)
    monkeypatch.setattr(merged_model, "gather", lambda policy, config, most, _: seen[:most])
    root = run_of(lm, tmp_path / "run", llama)
    figures = export_merged(root, tmp_path / "out", observations=3)
    assert (figures.observations, figures.same_actions) == (3, 3)
    assert figures.latency_ms > 0
    files = [path for path in (tmp_path / "out").iterdir() if path.is_file()]
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {path.name for path in files}
    assert figures.size_mb == pytest.approx(sum(p.stat().st_size for p in files) / 2**20)


def test_actions_that_differ_are_counted(llama: Path) -> None:
    lm = trained(llama)
    (first, choice), *rest = gathered(lm)
    others = (actions.wait(), actions.complete())
    wrong = Choice(action=next(action for action in others if action != choice.action))
    same, seconds = merged_model._compare(lm, [(first, wrong), *rest], Counted())
    assert same == len(rest)
    assert len(seconds) == 1 + len(rest)


def test_nothing_is_loaded_when_the_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(ConfigError, match="no empty folder"):
        export_merged(tmp_path / "nowhere", tmp_path)
