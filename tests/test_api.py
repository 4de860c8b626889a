import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import distrl
from distrl.config import RunConfig
from distrl.envs import gymnasium_env
from distrl.errors import ConfigError
from distrl.run import evaluate, gymnasium_policy, train
from distrl.web.play import serve

HEAVY = ("numpy", "PIL", "gymnasium", "pydantic", "rich", "tyro", "torch")


def test_the_public_names_are_what_they_say() -> None:
    names = ["__version__", "evaluate", "load_policy", "make", "play", "train"]
    assert distrl.__all__ == names
    assert distrl.make is gymnasium_env.make
    assert distrl.load_policy is gymnasium_policy.load_policy
    assert distrl.play is serve.play
    assert distrl.train is train.train
    assert distrl.evaluate is evaluate.evaluate
    assert distrl.__version__[0].isdigit()
    assert set(distrl.__all__) <= set(dir(distrl))


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = f"import sys, distrl; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'trian'"):
        _ = distrl.trian  # type: ignore[attr-defined]


def test_a_policy_is_evaluated_in_one_line() -> None:
    report = distrl.evaluate("scripted", "general", "val", tasks=2)
    assert report.overall.success == 1.0
    assert report.overall.episodes == 2


@pytest.mark.parametrize(
    ("call", "arguments", "told"),
    [
        (distrl.make, {"suite": 3}, "suite must be text, .*'general', got 3"),
        (distrl.make, {"split": None}, "split must be text, .*, got None"),
        (distrl.make, {"size": "big"}, r"size must be \(width, height\).*'big'"),
        (distrl.make, {"size": (180, 0)}, "height in size must be .* got 0"),
        (distrl.train, {"config": 3}, "config, .*must be the path .*, got 3"),
        (
            distrl.train,
            {"config": "debug", "overrides": "minutes=5"},
            r"overrides must be a list of texts, such as \['minutes=5'\], got 'minutes=5'",
        ),
        (
            distrl.train,
            {"config": RunConfig(), "overrides": ["minutes=5"]},
            "overrides change a recipe",
        ),
        (distrl.train, {"resume": True}, "resume needs the folder of the run"),
        (distrl.train, {"resume": "no"}, "resume must be True or False, got 'no'"),
        (distrl.train, {"run_dir": ""}, "run_dir must be the path .*, got ''"),
        (distrl.play, {"port": 99999}, "port must be .* 0 to 65535, got 99999"),
        (distrl.play, {"seed": -1}, "seed must be a whole number, .*got -1"),
        (distrl.play, {"policy": 3}, "policy must be a list of texts, .*got 3"),
        (distrl.play, {"task": 3}, "task must be text, such as .*, got 3"),
        (distrl.play, {"demonstrations": ""}, "demonstrations must be the path"),
        (distrl.evaluate, {"tasks": "4"}, "tasks must be a whole number.*got '4'"),
        (distrl.evaluate, {"suite": 3}, "suite must be text, .*, got 3"),
        (distrl.evaluate, {"policy": 3}, "policy, .*, must be the path.*, got 3"),
        (distrl.evaluate, {"seed": -1}, "seed must be .*, got -1"),
        (distrl.evaluate, {"phone": {}}, "phone must be a PhoneConfig, got {}"),
        (distrl.load_policy, {"greedy": "no"}, "greedy must be True or False, got 'no'"),
        (distrl.load_policy, {"policy": 3}, "policy, .*, got 3"),
        (distrl.load_policy, {"policy": "random", "seed": 10**22}, "seed must be"),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_allowed(
    call: Callable[..., Any], arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        call(**arguments)
