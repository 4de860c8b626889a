from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.experiments.ablation import STUDIES
from distrl.bench.results.plan import GROUPS, default_work, plan
from distrl.config import load_run_config
from distrl.errors import ConfigError


def names(*only: str, seeds: tuple[int, ...] = (0, 1, 2)) -> list[str]:
    return [row.name for row in plan(seeds, only)]


def test_every_group_has_its_rows() -> None:
    assert names() == [
        *("quickstart-seed0", "quickstart-seed1", "quickstart-seed2"),
        *("pool-alone-seed0", "pool-alone-seed1", "pool-alone-seed2"),
        *("rl-alone-seed0", "rl-alone-seed1", "rl-alone-seed2"),
        *("cloning-seed0", "cloning-seed1", "cloning-seed2"),
        *("warm-start-seed0", "warm-start-seed1", "warm-start-seed2"),
        "shopping-seed0",
        *("smollm-seed0", "smollm-warm-start-seed0"),
        "miniwob-seed0",
    ]


def test_some_groups_or_rows_can_be_chosen() -> None:
    assert names("shopping", "cloning-seed1") == ["cloning-seed1", "shopping-seed0"]
    assert names("shopping", seeds=(7, 8)) == ["shopping-seed7"]
    assert names("cloning", seeds=(3, 3)) == ["cloning-seed3"]


@pytest.mark.parametrize(
    ("wrong", "nearest"), [("clonning", "cloning"), ("quickstart-seed9", "quickstart-seed")]
)
def test_an_unknown_row_gets_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(ConfigError, match=f"did you mean '{nearest}"):
        plan(only=[wrong])


def test_no_seed_is_no_plan() -> None:
    with pytest.raises(ConfigError, match="at least one seed"):
        plan(())


def test_the_quickstart_is_the_recipe_itself() -> None:
    (row,) = plan((4,), ["quickstart"])
    assert row.config() == load_run_config("quickstart", ["seed=4"])


def test_the_quickstart_is_taken_apart_as_on_the_virtual_engine() -> None:
    made = {row.group.name: row.group for row in plan((0,), ["pool-alone", "rl-alone"])}
    told = {variant.name: variant.settings for variant in STUDIES["quickstart"].variants[1:]}
    assert {name: group.settings for name, group in made.items()} == told
    assert {group.recipe for group in made.values()} == {"quickstart"}


def test_cloning_differs_from_the_warm_start_in_when_it_ends_only() -> None:
    cloning, warm = plan((1,), ["cloning", "warm-start"])
    full = cloning.config().warm_start
    assert full.target is None
    assert full.max_updates == 800
    assert warm.config().warm_start.target is not None
    again = full.model_copy(
        update={
            "target": warm.config().warm_start.target,
            "max_updates": warm.config().warm_start.max_updates,
        }
    )
    assert again == warm.config().warm_start
    assert not cloning.group.trains
    assert not warm.group.trains


def test_a_quick_row_is_small_and_says_so() -> None:
    for row in plan((0,), quick=True):
        config = row.config()
        assert config.max_episodes == 16
        assert config.warm_start.max_updates == 2
        assert row.command.endswith("--quick")
    assert len({group.about for group in GROUPS}) == len(GROUPS)


def test_runs_are_kept_in_the_user_s_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTRL_CACHE", str(tmp_path))
    assert default_work() == tmp_path / "results"
