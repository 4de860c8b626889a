import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from distrl.checks import LARGEST_SEED
from distrl.config import RunConfig, dump, load_run_config, recipe_names
from distrl.config.load import check, keys, recipe_folder, setting_rows
from distrl.errors import ConfigError

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "recipes").rglob("*.yaml"))


def problem(*overrides: str, recipe: str | Path = "quickstart") -> str:
    with pytest.raises(ConfigError) as caught:
        load_run_config(recipe, overrides)
    return str(caught.value)


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_loads_by_path_and_by_name(path: Path) -> None:
    assert load_run_config(path) == load_run_config(path.stem)


def test_the_recipes_are_the_ones_that_are_shipped() -> None:
    assert recipe_names() == (
        "android",
        "avd",
        "comparison",
        "debug",
        "docker-android",
        "generalist",
        "miniwob",
        "miniwob-transfer",
        "quickstart",
        "redroid",
        "shopping",
        "smollm",
    )
    assert {path.stem for path in RECIPES} == set(recipe_names())


def test_the_wheel_brings_the_recipes_along(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=100)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "unpacked")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'unpacked')!r})\n"
        "from distrl.config import load_run_config\n"
        "from distrl.config.load import recipe_folder\n"
        "print(recipe_folder(), load_run_config('shopping').tasks.suite)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=100, check=True
    )
    folder, suite = done.stdout.split()
    assert Path(folder) == tmp_path / "unpacked" / "distrl" / "recipes"
    assert suite == "shopping"


def test_settings_load_without_anything_heavy() -> None:
    code = (
        "import sys; from distrl.config import load_run_config; load_run_config('quickstart')\n"
        "print(sorted({'torch', 'ray', 'numpy', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("recipe", ["debug", "quickstart", "shopping"])
def test_a_recipe_says_only_what_differs_from_the_defaults(recipe: str) -> None:
    told = yaml.safe_load((recipe_folder() / f"{recipe}.yaml").read_text())
    plain = RunConfig().model_dump(mode="json")

    def check(said: dict[str, Any], default: dict[str, Any]) -> None:
        for key, value in said.items():
            if isinstance(value, dict):
                check(value, default[key])
            else:
                assert value != default[key] or (recipe, key) == ("quickstart", "suite"), key

    check(told, plain)


def test_shopping_differs_from_quickstart_in_its_tasks_and_its_time() -> None:
    quick, shop = load_run_config("quickstart"), load_run_config("shopping")
    same = {"minutes": quick.minutes, "tasks": quick.tasks}
    assert shop.tasks.suite == "shopping"
    assert shop.model_copy(update=same) == quick


def test_a_run_folder_is_a_recipe_too(tmp_path: Path) -> None:
    config = load_run_config("debug", ["seed=7"])
    (tmp_path / "config.yaml").write_text(dump(config))
    assert load_run_config(tmp_path) == config
    assert load_run_config(str(tmp_path)) == config


@pytest.mark.parametrize(
    ("override", "read"),
    [
        ("algorithm.correction=none", lambda c: c.algorithm.correction == "none"),
        ("replay.alpha=0", lambda c: c.replay.alpha == 0.0),
        ("algorithm.entropy=0", lambda c: c.algorithm.entropy == 0.0),
        ("algorithm.invalid=0", lambda c: c.algorithm.invalid == 0.0),
        ("curriculum.enabled=false", lambda c: not c.curriculum.enabled),
        ("success_pool.enabled=on", lambda c: c.success_pool.enabled),
        ("collect.penalties.repeat=0", lambda c: c.collect.penalties.repeat == 0.0),
        ("algorithm.learning_rate=3e-4", lambda c: c.algorithm.learning_rate == 3e-4),
        ("algorithm.critic_target=monte_carlo", lambda c: c.algorithm.critic_target),
        ("algorithm.critic_form=q", lambda c: c.algorithm.critic_form == "q"),
        ("minutes = 2", lambda c: c.minutes == 2.0),
        ("init=runs/first", lambda c: c.init == "runs/first"),
        ("replay={alpha: 0, max_lag: 3}", lambda c: (c.replay.alpha, c.replay.max_lag) == (0, 3)),
    ],
)
def test_one_key_is_changed_and_nothing_else(override: str, read: object) -> None:
    plain, config = load_run_config("debug"), load_run_config("debug", [override])
    assert callable(read)
    assert read(config)
    assert not read(plain)
    before, after = yaml.safe_load(dump(plain)), yaml.safe_load(dump(config))
    assert sum(before[name] != after[name] for name in before) == 1


def test_the_last_override_wins() -> None:
    assert load_run_config("quickstart", ["seed=1", "seed=2"]).seed == 2


@pytest.mark.parametrize(
    ("recipe", "suite"),
    [
        ("miniwob", "miniwob:click-test,click-link"),
        ("quickstart", "general:click-test,click-link"),
    ],
)
def test_a_list_of_tasks_chooses_among_those_of_the_suite(recipe: str, suite: str) -> None:
    config = load_run_config(recipe, ["tasks=[click-test,click-link]"])
    assert config.tasks.suite == suite
    plain = load_run_config(recipe)
    assert config.tasks.model_copy(update={"suite": plain.tasks.suite}) == plain.tasks


def test_a_section_given_as_a_mapping_keeps_the_recipes_other_keys() -> None:
    config = load_run_config("debug", ["learner={batch: 5}"])
    assert (config.learner.batch, config.learner.min_episodes) == (5, 8)


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("algorithm.entrpy=1", "unknown key 'algorithm.entrpy'; did you mean 'algorithm.entropy'?"),
        ("collect.penalties.invald=1", "did you mean 'collect.penalties.invalid'?"),
        ("entropy=1", "unknown key 'entropy'; did you mean 'algorithm.entropy'?"),
        ("lerner.batch=1", "did you mean 'learner.batch'?"),
        ("learner.alpha=1", "did you mean 'replay.alpha'?"),
        ("algorithm.correction=retrase", "did you mean 'retrace'?"),
        ("device=gpu", "(allowed: auto, cpu, cuda, mps)"),
        ("algorithm.correction=3", "must be one of retrace, truncated_is, none, monte_carlo"),
        ("algorithm.entropy=lots", "algorithm.entropy must be a number; got 'lots' (text)"),
        ("algorithm.entropy=-1", "algorithm.entropy must be greater than or equal to 0; got -1"),
        ("algorithm.entropy=.inf", "algorithm.entropy must be a finite number; got inf"),
        ("seed=1.5", "seed must be a whole number; got 1.5 (a number)"),
        ("seed=true", "seed must be a whole number; got True (a truth value)"),
        ("seed='1'", "seed must be a whole number; got '1' (text)"),
        ("minutes=soon", "minutes must be a number or null; got 'soon' (text)"),
        ("policy.pixels=maybe", "policy.pixels must be true or false; got 'maybe' (text)"),
        ("policy.kinds=[tap,tipe]", "unknown policy.kinds 'tipe'; did you mean 'type'?"),
        ("tasks=[]", "tasks=[...] takes names of templates, got []"),
        ("tasks=[1]", "tasks=[...] takes names of templates, got [1]"),
        ("policy.kinds=[]", "policy.kinds must not be empty"),
        ("policy.kinds=tap", "policy.kinds must be a list or null; got 'tap' (text)"),
        ("tasks.suite=[1]", "tasks.suite must be text; got a list of 1"),
        ("tasks.suite=null", "tasks.suite must be text; got null"),
        ("algorithm=3", "algorithm is a section, got 3 (a whole number); set one of algorithm."),
        ("algorithm.entropy.x=3", "algorithm.entropy is a single value"),
        ("policy.width=97", "width (97) must be a multiple of heads (4); the nearest is 96"),
        (
            "policy.lm.served.endpoint=http://127.0.0.1:8000/v1",
            "served.endpoint needs constrained=false",
        ),
        ("policy.lm.served.endpoint=127.0.0.1", "must start with http:// or https://"),
        ("policy.lm.served.endpoint=http://me:0815@host/v1", "a key comes from the environment"),
        ("minutes=null", "give the run a budget"),
        ("replay.capacity=3", "replay.capacity (3) must be at least learner.min_episodes (64)"),
        ("learner.keep_checkpoints=1", "must be greater than or equal to 3; got 1"),
        ("seed", "a setting is changed by key=value, got 'seed'"),
        ("=3", "a setting is changed by key=value, got '=3'"),
        ("seed=[", "seed is not YAML"),
        ("init=!!python/name:os.system", "init is not YAML"),
    ],
)
def test_what_is_wrong_is_told_with_what_is_allowed(override: str, told: str) -> None:
    assert told in problem(override)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (
            ("cluster.learners=1",),
            "engine: ray and policy.name: lm; they are 'local' and 'pointer'",
        ),
        (("cluster.learners=1", "policy.name=lm"), "they are 'local' and 'lm'"),
        (("cluster.learners=1", "engine=ray"), "they are 'ray' and 'pointer'"),
        (
            ("cluster.learners=2", "engine=ray", "policy.name=lm", "learner.processes=3"),
            "learner.processes is 3 and cluster.learners is 2",
        ),
        (
            ("algorithm.critic_form=q", "learner.processes=2"),
            "critic_form: q is for one process, and learner.processes is 2",
        ),
    ],
)
def test_who_cannot_share_an_update_is_refused(overrides: tuple[str, ...], told: str) -> None:
    assert told in problem(*overrides)


def test_a_served_model_that_sees_is_refused() -> None:
    told = problem(
        "policy.lm={constrained: false, sees: both, served: {endpoint: http://127.0.0.1:8000/v1}}"
    )
    assert "served.endpoint needs sees=text, got sees=both" in told


def test_an_address_with_a_password_is_not_repeated() -> None:
    assert "0815" not in problem("policy.lm.served.endpoint=http://me:0815@host/v1")


def test_all_that_is_wrong_is_told_at_once() -> None:
    lines = problem("seed=x", "algorithm.gamma=2", "policy.heads=null").splitlines()
    assert [line.split(" ")[0] for line in lines] == ["seed", "policy.heads", "algorithm.gamma"]


def test_an_unknown_recipe_gets_the_nearest_name() -> None:
    assert "unknown recipe 'quickstrt'; did you mean 'quickstart'?" in problem(recipe="quickstrt")


def test_a_path_without_a_recipe_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "none.yaml") in problem(recipe=tmp_path / "none.yaml")
    assert str(tmp_path / "config.yaml") in problem(recipe=str(tmp_path))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("algorithm:\n  entrpy: 1\n", "did you mean 'algorithm.entropy'?"),
        ("seed: 1\nseed: 2\n", "the key 'seed' stands twice"),
        ("- seed\n", "must hold keys and values, got a list of 1"),
        ("seed: [\n", "is not YAML"),
        ("[1]: 2\n", "is not YAML"),
        ("3: 4\n", "unknown key '3'"),
        ("algorithm: 3\n", "algorithm is a section, got 3"),
    ],
)
def test_a_broken_recipe_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    assert told in problem(recipe=path)


def test_a_recipe_that_is_not_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in problem(recipe=path)


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_an_empty_file_is_refused_as_a_recipe_and_as_settings_of_a_run(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    for recipe in (path, tmp_path):
        assert f"{path} is empty" in problem(recipe=recipe)


@pytest.mark.parametrize("recipe", recipe_names())
def test_what_is_dumped_loads_back_equal(recipe: str, tmp_path: Path) -> None:
    config = load_run_config(recipe, ["algorithm.learning_rate=1e-05", "init=off/1e3"])
    path = tmp_path / "dumped.yaml"
    path.write_text(dump(config))
    assert load_run_config(path) == config


@given(
    rate=st.floats(min_value=1e-300, max_value=1e300),
    init=st.text(),
    seed=st.integers(min_value=0, max_value=LARGEST_SEED),
)
def test_any_value_survives_a_dump(rate: float, init: str, seed: int) -> None:
    tree = {"seed": seed, "init": init, "algorithm": {"learning_rate": rate}}
    config = check(tree)
    assert check(yaml.safe_load(dump(config))) == config


def test_every_key_is_documented() -> None:
    assert [key for key, text in keys() if not text] == []
    assert dict(keys())["replay.alpha"].startswith("Exponent of priorities")


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        RunConfig().seed = 3  # type: ignore[misc]


def test_every_setting_says_where_its_value_comes_from(tmp_path: Path) -> None:
    recipe = tmp_path / "mine.yaml"
    recipe.write_text("minutes: 3\nmonitor: {trackers: {mlflow: {server: x}}}\n")
    overrides = ["tasks=[note_create]", "replay={capacity: 900}", "algorithm.gamma=0.9"]
    config = load_run_config(recipe, overrides)
    found = {row.setting: row.source for row in setting_rows(config, recipe, overrides)}
    from_line = {key for key, source in found.items() if source == "command line"}
    assert from_line == {"tasks.suite", "replay.capacity", "algorithm.gamma"}
    assert {key for key, source in found.items() if source == str(recipe)} == {
        "minutes",
        "monitor.trackers",
    }
