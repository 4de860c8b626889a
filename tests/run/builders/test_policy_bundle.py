from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tests.packages import write_example
from tests.run.conftest import small_config

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.run.builders import policy_bundle, torch_device
from distrl.run.builders.lm import Lm
from distrl.run.builders.pointer import Pointer
from distrl.run.builders.policy_bundle import (
    ModelBundle,
    build_acting_bundle,
    build_policy_bundle,
    config_for_hosts,
)
from distrl.weights.serialization import digest_of


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


def test_a_policy_that_nobody_offers_is_answered_with_the_nearest(site: Path) -> None:
    write_example(site, "trainable_policy")
    with pytest.raises(ConfigError, match=r"unknown policy\.name 'tyni'; did you mean 'tiny'\?"):
        build_policy_bundle(small_config("policy.name=tyni"))


def test_built_in_policies_have_no_options() -> None:
    with pytest.raises(ConfigError, match="is for plug-ins, and 'pointer' is built in"):
        build_policy_bundle(small_config("policy.options.width=3"))


def test_the_policy_of_a_plugin_has_its_first_weights_by_the_seed(site: Path) -> None:
    write_example(site, "trainable_policy")
    one, two, other = (
        digest_of(build_policy_bundle(small_config("policy.name=tiny", seed)).model.state_dict())
        for seed in ("seed=1", "seed=1", "seed=2")
    )
    assert one == two != other


def test_the_policy_of_a_plugin_refuses_weights_of_another_network(site: Path) -> None:
    write_example(site, "trainable_policy")
    narrow, wide = (
        build_policy_bundle(small_config("policy.name=tiny", f"policy.options.width={width}"))
        for width in (4, 8)
    )
    with pytest.raises(ConfigError, match=r"weights in here .* body\.0\.bias differs"):
        wide.take(narrow.model.state_dict(), "here")
