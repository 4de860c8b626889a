from __future__ import annotations

import pytest
import torch
from tests.run.conftest import small_config

from distrl.config import RunConfig
from distrl.run.builders import policy_bundle, torch_device
from distrl.run.builders.lm import Lm
from distrl.run.builders.pointer import Pointer
from distrl.run.builders.policy_bundle import ModelBundle, build_acting_bundle, config_for_hosts


class Placed:
    """A bundle of which only its place matters."""

    device = torch.device("cpu")

    def __init__(self, bundle: type[ModelBundle]) -> None:
        self.acts_on_gpu = bundle.acts_on_gpu

    def place(self, device: torch.device) -> None:
        self.device = device


@pytest.mark.parametrize(("bundle", "place"), [(Lm, "cuda"), (Pointer, "cpu")])
def test_language_models_act_where_the_run_trains_and_pointers_on_the_cpu(
    bundle: type[ModelBundle], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Placed(bundle)
    monkeypatch.setattr(policy_bundle, "build_policy_bundle", lambda config: built)
    monkeypatch.setattr(torch_device, "_is_there", lambda device: True)
    build_acting_bundle(small_config())
    assert built.device.type == place


def lm_config(*settings: str) -> RunConfig:
    return small_config("policy.name=lm", "learner.swap_names=false", *settings)


@pytest.mark.parametrize(("gpus", "device"), [("0", "cpu"), ("0.5", "cuda")])
def test_hosts_take_a_gpu_only_if_one_is_reserved(
    gpus: str, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_device, "_is_there", lambda device: True)
    config = lm_config("device=cuda", f"cluster.gpus_per_host={gpus}")
    assert config_for_hosts(config).device == device


@pytest.mark.parametrize(("has_it", "dtype"), [(True, "bfloat16"), (False, "float32")])
def test_hosts_keep_weights_in_what_the_learner_does(
    has_it: bool, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_device, "_is_there", lambda device: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: has_it)
    told = config_for_hosts(lm_config())
    assert told.policy.lm.dtype == dtype
    assert RunConfig.model_validate_json(told.model_dump_json()) == told


def test_settings_for_pointers_travel_as_they_are() -> None:
    config = small_config("device=cpu")
    assert config_for_hosts(config) is config
