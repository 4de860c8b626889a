from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.tasks.judges.episodes import play_task

from distrl.collect.evaluation.evaluate import Report, evaluate_tasks, select_tasks
from distrl.policies import make_policy
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.episode_sources import write_store
from distrl.run.usefulness import Collected, collected_in, why_useless
from distrl.types import Outcome


def measured() -> Report:
    return evaluate_tasks(
        lambda oracle: make_policy("scripted", oracle), select_tasks("general", "val", tasks=1)
    )


def test_a_run_with_episodes_to_learn_from_was_of_use() -> None:
    assert why_useless(measured(), Collected(5, 40, trainable=1), 60.0, {}) == ""


def test_a_run_of_whose_episodes_none_can_be_learned_from_says_why() -> None:
    collected = Collected(5, 40, trainable=0, faults=("vlm is void: no key", "cable"))
    told = why_useless(measured(), collected, 1.0, {})
    assert told == "none of the 5 episodes can be learned from: vlm is void: no key; cable"


def test_a_judge_that_rewards_and_is_always_void_makes_a_run_useless() -> None:
    timed_out = Collected(9, 90, trainable=4, undecided=5, faults=("vlm is void: no key",))
    assert why_useless(measured(), timed_out, 60.0, {}) == ""  # a task's own errors, among others
    told = why_useless(measured(), timed_out, 60.0, {}, rewarding="vlm")
    assert told == (
        "the judge vlm, which rewards, could decide on none of 5 episodes: vlm is void: no key"
    )
    once = replace(timed_out, decided=1)
    assert why_useless(measured(), once, 60.0, {}, rewarding="vlm") == ""


def test_a_run_that_played_nothing_in_its_time_names_the_devices() -> None:
    nothing = Collected(0, 0, trainable=0)
    assert why_useless(measured(), nothing, 1.0, {}) == ""  # it was not meant to
    told = why_useless(measured(), nothing, 90.0, {"phone-0": "unplugged"})
    assert told == "no episode was played in 1.5 minutes of training: phone-0: unplugged"


def test_an_evaluation_of_which_nothing_counts_comes_first() -> None:
    report = measured()
    unknown = replace(report, overall=replace(report.overall, success=None), faults=("gone",))
    told = why_useless(unknown, Collected(5, 40, trainable=0), 60.0, {})
    assert told.startswith("no episode of the evaluation counts")
    assert told.endswith(": gone")


def test_what_is_stored_is_counted_with_the_most_frequent_fault_first(tmp_path: Path) -> None:
    played = play_task("scripted")
    lost = [
        replace(played, id=str(n), outcome=Outcome.DEVICE_LOST, fault="b" if n else "a")
        for n in range(3)
    ]
    path = tmp_path / "episodes.sqlite"
    write_store([played, *lost], path)
    with StoreReader(path) as store:
        found = collected_in(store)
    assert (found.episodes, found.trainable, found.faults) == (4, 1, ("b", "a"))
    assert found.steps == 4 * len(played.steps)
