import subprocess
import sys

import pytest

import distrl
from distrl.envs import gymnasium_env
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
