from __future__ import annotations

import pytest

from distrl.bench.cluster.speed import HOSTS, PHONES, SIZES, settings
from distrl.config import load_run_config
from distrl.run.builders.pointer import build_pointer
from distrl.run.ray_cluster.inventory import ClusterState


@pytest.mark.parametrize("megabytes", SIZES)
def test_weights_are_as_large_as_the_figures_say(megabytes: int) -> None:
    model = build_pointer(load_run_config("quickstart", SIZES[megabytes])).model
    found = sum(one.numel() * one.element_size() for one in model.state_dict().values()) / 1e6
    assert megabytes <= found <= 1.15 * megabytes


def test_both_engines_have_the_same_phones_and_settings() -> None:
    file = "token"
    cluster = ClusterState(name="bench", address="127.0.0.1:7000", token_file=file, folder="folder")
    local, over_ray = settings("local", 0.5, 10.0), settings("ray", 0.5, 10.0, cluster)
    assert local.collect.devices == HOSTS * over_ray.collect.devices == PHONES
    same = {"engine", "address", "cluster", "collect"}
    assert local.model_dump(exclude=same) == over_ray.model_dump(exclude=same)
    assert local.collect.latency == over_ray.collect.latency == 0.5
