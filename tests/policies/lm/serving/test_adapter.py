from __future__ import annotations

import json
from pathlib import Path

import pytest
from safetensors.torch import load_file
from tests.policies.lm.tiny import llama_model

from distrl.policies.lm.serving.adapter import write_adapter


def written(folder: Path, top: int) -> Path:
    model = llama_model(top=top)
    write_adapter(folder / "one", model.state_dict(), rank=2, alpha=4.0, base="a-llama")
    return folder / "one"


def test_weights_have_the_names_that_peft_and_servers_know(tmp_path: Path) -> None:
    folder = written(tmp_path, top=1)
    weights = load_file(folder / "adapter_model.safetensors")
    model = llama_model(top=1)
    assert set(weights) == {
        f"base_model.model.{name.removeprefix('adapter.')}"
        for name in model.state_dict()
        if name.startswith("adapter.")
    }
    assert "base_model.model.model.layers.3.self_attn.q_proj.lora_A.weight" in weights


def test_its_settings_name_the_layers_that_are_adapted(tmp_path: Path) -> None:
    settings = json.loads((written(tmp_path, top=1) / "adapter_config.json").read_text("utf-8"))
    assert (settings["peft_type"], settings["r"], settings["lora_alpha"]) == ("LORA", 2, 4.0)
    assert settings["base_model_name_or_path"] == "a-llama"
    assert "model.layers.3.mlp.down_proj" in settings["target_modules"]
    assert all(name.startswith("model.layers.3.") for name in settings["target_modules"])


def test_nothing_is_left_beside_the_folder(tmp_path: Path) -> None:
    written(tmp_path, top=1)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_folder_is_not_written_twice(tmp_path: Path) -> None:
    written(tmp_path, top=1)
    with pytest.raises(OSError, match="one"):
        written(tmp_path, top=1)
