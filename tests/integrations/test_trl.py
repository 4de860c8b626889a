"""The real TRL trains a tiny model of random weights on the phone."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.integrations.tiny_model import save_tiny_model

from distrl.errors import ConfigError
from distrl.integrations.trl import PhoneEnvironment, phone_dataset

ROOT = Path(__file__).parents[2]
CALL = '<tool_call>\n{"name": "press", "arguments": {"key": "home"}}\n</tool_call><|im_end|>'
COMPLETE = '<tool_call>\n{"name": "complete", "arguments": {}}\n</tool_call><|im_end|>'


def test_an_episode_as_the_trainer_plays_it() -> None:
    phone = PhoneEnvironment("starter", pictures=True)
    told = phone.reset(prompt=[], task="starter/train/3", whatever=1)
    assert told.startswith("Goal: ")
    picture, text = phone.press("home")
    assert picture["image"].size == (180, 400)
    assert "Steps left: 4" in text["text"]
    assert phone.get_reward() == 0.0
    assert isinstance(PhoneEnvironment("starter").reset(seed=3), str)


def test_the_reward_is_one_for_a_goal_that_is_reached_and_declared() -> None:
    phone = PhoneEnvironment("starter")
    phone.reset(task="starter/train/0")
    turn = phone._session.turn
    oracle = phone._session.oracle
    assert oracle is not None
    while not turn.done:
        assert phone.get_reward() == 0.0
        turn = phone._session.step(oracle.action())
    assert phone.get_reward() == 1.0


def test_the_data_set_names_a_task_in_every_row() -> None:
    pytest.importorskip("datasets")
    rows = phone_dataset("starter", "val", tasks=5)
    assert rows["task"][:2] == ["starter/val/0", "starter/val/1"]
    assert len(rows) == 5
    with pytest.raises(ConfigError, match="at least 1, got 0"):
        phone_dataset(tasks=0)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("trl", reason="TRL is not installed")
    folder = tmp_path_factory.mktemp("tiny")
    save_tiny_model(folder)
    return folder


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_example_trains_two_steps(tiny: Path, tmp_path: Path) -> None:
    options = ["--model", str(tiny), "--steps", "2", "--group", "2", "--tokens", "32"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "trl_phone.py"), *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "trl" / "checkpoint-2").is_dir()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")
def test_calls_of_tools_reach_the_phone_and_its_reward_the_trainer(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A random model calls no tools, so its words are put into its mouth; the rest is TRL's."""
    from trl import GRPOConfig, GRPOTrainer

    said: list[str] = []

    class Outspoken(GRPOTrainer):  # type: ignore[misc]
        def _generate_single_turn(self, prompt_ids: Any, *args: Any, **kwargs: Any) -> Any:
            said.append(self.processing_class.decode(prompt_ids[0]))
            words = CALL if len(said) % 2 else COMPLETE
            ids = self.processing_class(words, add_special_tokens=False)["input_ids"]
            return [list(ids) for _ in prompt_ids], None

    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    trainer = Outspoken(
        model=str(tiny),
        train_dataset=phone_dataset("starter", tasks=4),
        environment_factory=partial(PhoneEnvironment, "starter"),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=2,
            num_generations=2,
            per_device_train_batch_size=2,
            max_completion_length=4096,
            max_tool_calling_iterations=2,
            logging_steps=1,
            report_to="none",
            use_cpu=True,
        ),
    )
    trainer.train()
    assert trainer.state.global_step == 2
    assert "Steps left: 5" in said[0]  # the phone's first screen stands in the prompt
    assert "Steps left: 4" in said[1]  # and the answer of the tool after it
    assert all(phone._session.turn.done for phone in trainer.environments)
    assert any("rewards/PhoneEnvironment/mean" in line for line in trainer.state.log_history)
