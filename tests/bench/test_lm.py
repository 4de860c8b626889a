from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("peft")

from tests.policies.lm.tiny import loaded_llama

from distrl.bench.lm import LmFigures, measure_lm
from distrl.cli.main import main
from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.run.builders.lm import Lm, build_lm


@pytest.fixture(scope="module")
def figures() -> LmFigures:
    def build(config: RunConfig) -> Lm:
        return build_lm(config, loaded_llama())

    return measure_lm(episodes=6, updates=2, build=build)


@pytest.mark.slow
def test_shares_of_the_time_add_up(figures: LmFigures) -> None:
    shares = (figures.share_generate, figures.share_update, figures.share_publish)
    assert all(0 < share < 1 for share in shares)
    assert sum(shares) + figures.share_devices == pytest.approx(1.0)


@pytest.mark.slow
def test_tokens_are_counted(figures: LmFigures) -> None:
    assert figures.rollout_tokens_per_second > 0
    assert figures.update_tokens_per_second > 0
    assert figures.prompt_tokens > 20
    assert 2 <= figures.action_tokens <= 32
    assert figures.steps >= 6


@pytest.mark.slow
def test_only_the_adapter_is_published(figures: LmFigures) -> None:
    assert figures.published_mb < 1.0
    assert 0 < figures.parameters < 50_000


def test_a_recipe_without_a_language_model_is_refused() -> None:
    with pytest.raises(ConfigError, match="the recipe quickstart trains pointer, not lm"):
        measure_lm("quickstart")


@pytest.mark.slow
def test_the_command_prints_the_promised_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = loaded_llama()
    loaded.model.save_pretrained(tmp_path / "model")
    loaded.tokenizer.save_pretrained(tmp_path / "model")
    recipe = tmp_path / "tiny.yaml"
    recipe.write_text(
        "policy: {name: lm, lm: {model: %s, top_layers: 2}}\n"
        "tasks: {suite: starter}\n"
        "learner: {swap_names: false, min_episodes: 4}\n" % (tmp_path / "model")
    )
    words = ["bench", "lm", "--recipe", str(recipe), "--episodes", "4", "--updates", "1", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert {
        "rollout_tokens_per_second",
        "update_tokens_per_second",
        "share_generate",
        "share_update",
        "share_publish",
    } <= found.keys()
