from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config
from tests.run.runs import UPDATES, fake_run

from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.builders import pretrained
from distrl.run.builders.initial_weights import load_start, prepare_start
from distrl.run.builders.pointer import build_pointer
from distrl.run.builders.pretrained import (
    Card,
    is_pretrained,
    make_pretrained,
    pretrained_names,
    read_card,
    read_pretrained,
    recipe_of,
)
from distrl.run.builders.trained_policy import load_policy
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.folder import create_run


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Card]:
    """A pretrained policy where the package would have one, and what it is."""
    folder = tmp_path / "shipped"
    monkeypatch.setattr(pretrained, "FOLDER", folder)
    run = fake_run(tmp_path / "run", small_config("seed=5", "init=warm_start"))
    name, card = make_pretrained(run.root, tasks=2)
    assert name == "general"
    return folder, card


Made = tuple[Path, Card]


def quiet(line: str) -> None:
    """Tell nobody."""


def test_what_is_made_says_where_it_comes_from(made: Made) -> None:
    folder, card = made
    assert (card.suite, card.split, card.seed, card.updates) == ("general", "test", 5, UPDATES)
    assert card.tasks == 2
    assert card.low <= card.success <= card.high
    assert card.bytes == (folder / "general.safetensors").stat().st_size
    assert card.settings["policy"]["width"] == 16
    assert read_card("pretrained") == ("general", card)
    with pytest.raises(ConfigError, match="unknown pretrained policy ''"):
        read_card("pretrained:")


def test_averaged_weights_are_kept_in_half_precision(made: Made, tmp_path: Path) -> None:
    _, card = made
    weights, _ = weights_of_run(tmp_path / "run")
    found = read_pretrained("pretrained:general").weights
    assert set(found) == set(weights)
    assert card.parameters == sum(tensor.numel() for tensor in weights.values())
    assert card.bytes < 2.5 * card.parameters
    for name, tensor in found.items():
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, weights[name].half().float())


def test_a_pretrained_policy_acts_with_its_own_size(made: Made) -> None:
    _, card = made
    policy = load_policy("pretrained")
    assert policy.digest == card.sha256
    assert isinstance(policy, PointerPolicy)
    network = policy._model.state_dict()
    assert all(torch.equal(network[k], t) for k, t in read_pretrained("pretrained").weights.items())


def test_a_path_is_always_a_run(made: Made) -> None:
    with pytest.raises(ConfigError, match="there is no run at pretrained"):
        load_policy(Path("pretrained"))


def test_a_run_can_start_from_a_pretrained_policy(made: Made, tmp_path: Path) -> None:
    config = small_config("init=pretrained")
    folder = create_run(tmp_path / "next", config)
    prepare_start(folder, config, build_pointer(config), quiet)
    pointer = build_pointer(config)
    assert load_start(folder, pointer) == ()
    weights = read_pretrained("pretrained").weights
    assert all(torch.equal(t, weights[k]) for k, t in pointer.model.state_dict().items())


def test_so_can_a_run_that_judges_decisions(made: Made, tmp_path: Path) -> None:
    config = small_config("init=pretrained", "algorithm.critic_form=q")
    folder = create_run(tmp_path / "next", config)
    prepare_start(folder, config, build_pointer(config), quiet)
    pointer = build_pointer(config)
    load_start(folder, pointer)
    weights, found = read_pretrained("pretrained").weights, pointer.model.state_dict()
    assert all(torch.equal(found[name], tensor) for name, tensor in weights.items())
    added = [tensor for name, tensor in found.items() if name not in weights]
    assert added
    assert not any(tensor.any() for tensor in added)


def test_a_policy_that_was_trained_with_critics_of_decisions_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path / "shipped")
    run = fake_run(tmp_path / "run", small_config("algorithm.critic_form=q"))
    make_pretrained(run.root, tasks=1)
    policy = load_policy("pretrained")
    assert isinstance(policy, PointerPolicy)
    network = policy._model.state_dict()
    shipped = read_pretrained("pretrained").weights
    assert set(network) < set(shipped)
    assert all(torch.equal(tensor, shipped[name]) for name, tensor in network.items())


def test_a_run_of_another_size_cannot_start_from_it(made: Made, tmp_path: Path) -> None:
    config = small_config("init=pretrained", "policy.width=32")
    with pytest.raises(ConfigError, match="the weights in pretrained are of another network"):
        prepare_start(create_run(tmp_path / "next", config), config, build_pointer(config), quiet)


def test_an_unknown_name_gets_the_nearest(made: Made) -> None:
    with pytest.raises(ConfigError, match="did you mean 'general'"):
        read_pretrained("pretrained:genral")


def test_no_policy_at_all_is_told_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="distrl pretrained make --run RUN"):
        read_pretrained("pretrained", tmp_path / "nothing")


def test_damaged_weights_are_found_out(made: Made) -> None:
    path = made[0] / "general.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"cannot be used: its SHA-256 .* install distrl again"):
        load_policy("pretrained")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda card: "{", "truncated"),
        (lambda card: json.dumps({**card, "success": "much"}), "success"),
        (lambda card: json.dumps({**card, "format": 99}), "its format is 99"),
        (lambda card: json.dumps({**card, "settings": {}}), "policy"),
        (lambda card: json.dumps({**card, "settings": {"policy": {"width": 1}}}), "width"),
    ],
)
def test_a_damaged_description_is_found_out(made: Made, change: object, message: str) -> None:
    path = made[0] / "general.json"
    assert callable(change)
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(ConfigError, match=rf"cannot be used: .*{message}"):
        load_policy("pretrained")


def test_a_missing_description_is_told(made: Made) -> None:
    (made[0] / "general.json").unlink()
    with pytest.raises(ConfigError, match=r"general\.json cannot be used: .*No such file"):
        load_policy("pretrained")


def test_weights_of_another_network_are_refused(made: Made) -> None:
    card = json.loads((made[0] / "general.json").read_text())
    card["settings"]["policy"]["width"] = 32
    (made[0] / "general.json").write_text(json.dumps(card))
    with pytest.raises(ConfigError, match="of another network"):
        load_policy("pretrained")


def test_the_package_has_little_room(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrained, "MOST_BYTES", made[1].bytes + 1000)
    make_pretrained(tmp_path / "run", tasks=1)
    with pytest.raises(ConfigError, match="the package has room for"):
        make_pretrained(tmp_path / "run", name="second", tasks=1)
    assert pretrained_names() == ("general",)


def test_weights_beyond_half_precision_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no place in half precision: large"):
        pretrained._halved({"large": torch.tensor([1e6])}, tmp_path)


@pytest.mark.parametrize("name", ["../general", "My Policy"])
def test_a_name_is_a_plain_word(name: str, tmp_path: Path) -> None:
    run = fake_run(tmp_path / "run", small_config())
    with pytest.raises(ConfigError, match="small letters"):
        make_pretrained(run.root, name=name, folder=tmp_path, tasks=1)


def test_the_recipe_of_unchanged_settings_is_known_whatever_the_seed() -> None:
    assert recipe_of(load_run_config("quickstart", ["seed=3"])) == "quickstart"
    assert recipe_of(load_run_config("quickstart", ["minutes=3"])) is None


def test_names_that_mean_a_pretrained_policy() -> None:
    names = ("pretrained", "pretrained:general", "./pretrained", "pretrained-1", "scripted")
    assert [is_pretrained(name) for name in names] == [True, True, False, False, False]


def test_what_ships_with_the_package_fits_its_network_and_its_room() -> None:
    names = pretrained_names()
    digests = [load_policy(f"pretrained:{name}").digest for name in names]
    assert digests == [read_card(f"pretrained:{name}")[1].sha256 for name in names]
    sizes = [path.stat().st_size for path in pretrained.FOLDER.glob("*") if path.is_file()]
    assert sum(sizes) <= pretrained.MOST_BYTES
