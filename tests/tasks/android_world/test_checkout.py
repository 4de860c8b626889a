from __future__ import annotations

import random
import shutil
import sys
import threading
from pathlib import Path

import pytest
from tests.tasks.android_world.conftest import SMALL

from distrl.errors import ConfigError
from distrl.tasks.android_world.checkout import open_checkout

pytestmark = pytest.mark.usefixtures("small")


def copied(tmp_path: Path) -> Path:
    """A checkout of the test's own."""
    return Path(shutil.copytree(SMALL, tmp_path / "checkout"))


def test_the_classes_of_a_checkout_are_found_by_name() -> None:
    checkout = open_checkout(str(SMALL))
    assert "TurnSettingOn" in checkout.classes
    assert checkout.questions == {"HowManyNotes"}
    assert checkout is open_checkout(f"{SMALL}/../small_checkout"), "the same folder, one checkout"


def test_the_folder_of_a_checkout_is_not_put_on_the_path() -> None:
    open_checkout(str(SMALL))
    assert str(SMALL) not in sys.path


@pytest.mark.parametrize(
    "where", ["/no/such/place", "", "~/nothing-here", str(SMALL / "installed")]
)
def test_a_folder_without_it_is_refused_with_where_to_get_it(where: str) -> None:
    with pytest.raises(
        ConfigError, match=r"git clone https://github.com/google-research"
    ) as refused:
        open_checkout(where)
    assert repr(where) in str(refused.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import android_env.no_such_part", r"pip install 'distrl\[android-world\]' \(android_env"),
        ("import dm_env.no_such_part", r"pip install 'distrl\[android-world\]' \(dm_env"),
        ("import no_such_package", "needs no_such_package: pip install"),
        (
            "from android_world import state_pb2",
            r"python -m grpc_tools\.protoc -I\. --python_out=\. android_world/task_evals",
        ),
        ("from android_world import no_such_part", "cannot be imported: ImportError"),
        ("raise TypeError('protos of another version')", "cannot be imported: TypeError.*another"),
    ],
)
def test_a_checkout_that_cannot_be_imported_says_what_to_do(
    tmp_path: Path, line: str, said: str
) -> None:
    folder = copied(tmp_path)
    registry = folder / "android_world" / "registry.py"
    registry.write_text(f"{line}\n")
    with pytest.raises(ConfigError, match=said):
        open_checkout(str(folder))
    assert open_checkout(str(SMALL)).classes, "nothing is left of the import that failed"


def test_a_second_checkout_in_one_process_is_refused(tmp_path: Path) -> None:
    open_checkout(str(SMALL))
    with pytest.raises(ConfigError, match=r"was imported from .*small_checkout.* already"):
        open_checkout(str(copied(tmp_path)))


def test_a_seed_gives_the_same_parameters_every_time() -> None:
    checkout = open_checkout(str(SMALL))
    goals = [checkout.instance("TurnSettingOn", seed).goal for seed in (1, 2, 1)]
    assert goals[0] == goals[2] != goals[1]


def test_parameters_are_those_that_the_module_random_would_have_given() -> None:
    made = open_checkout(str(SMALL)).instance("TurnSettingOn", 5)
    expected = random.Random(5).choice([f"switch_{number}" for number in range(1000)])
    assert made.params == {"setting": expected, "seed": 5}


def test_a_goal_stays_although_its_parameters_are_of_the_moment() -> None:
    checkout = open_checkout(str(SMALL))
    first = checkout.instance("FolderOfNow", 1)
    first.params["folder"] += " spoilt"
    again = checkout.instance("FolderOfNow", 1)
    assert again.goal == first.goal.removesuffix(" spoilt")
    assert again.goal != checkout.instance("FolderOfNow", 2).goal


def test_its_tasks_neither_seed_our_numbers_nor_draw_from_them() -> None:
    checkout = open_checkout(str(SMALL))
    random.seed(3)
    expected = random.random()
    random.seed(3)
    checkout.instance("TurnSettingOn", 1)
    assert random.random() == expected


def test_threads_draw_from_numbers_of_their_own() -> None:
    checkout = open_checkout(str(SMALL))
    module = checkout.module("tasks")
    module.random.seed(1)
    alone = [module.random.random() for _ in range(2)]
    module.random.seed(1)
    first = module.random.random()

    def elsewhere() -> None:
        module.random.seed(99)
        module.random.random()

    other = threading.Thread(target=elsewhere)
    other.start()
    other.join(10)
    assert [first, module.random.random()] == alone


def test_a_part_that_a_checkout_lacks_is_named() -> None:
    with pytest.raises(ConfigError, match=r"cannot be imported.*android_world\.env\.no_such_part"):
        open_checkout(str(SMALL)).module("env.no_such_part")
