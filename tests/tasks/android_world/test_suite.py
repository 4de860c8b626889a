from __future__ import annotations

import hashlib
import shutil

import pytest

from distrl.config.devices import AndroidConfig, SafetyConfig
from distrl.errors import ConfigError
from distrl.tasks.android_world.suite import AndroidWorldSuite, refuse_unplayable, seed_of
from distrl.tasks.leak_check import check_leaks
from distrl.tasks.suites import find_task, is_file, is_over_adb, load_suite
from distrl.types import Kind

NAMES = {
    *("AlarmNote", "BrokenCheck", "FolderOfNow", "HowManyNotes"),
    *("RetroSavePlaylist", "SimpleSmsReply", "TurnSettingOn"),
}


def suite_of(name: str) -> AndroidWorldSuite:
    suite = load_suite(name)
    assert isinstance(suite, AndroidWorldSuite)
    return suite


def test_a_checkout_is_a_suite_for_phones_over_adb(small: str) -> None:
    suite = suite_of(small)
    assert suite.device == "android"
    assert set(suite.templates) == NAMES
    assert is_over_adb(small)
    assert not is_file(small)
    assert {split: len(suite.tasks(split)) for split in suite.splits} == {
        **{"train": 70, "val": 7, "test": 7, "unseen": 0}
    }


def test_an_address_that_ends_like_a_file_is_still_a_checkout(small: str) -> None:
    with pytest.raises(ConfigError, match="is no checkout of AndroidWorld"):
        load_suite("androidworld:/no/such/checkout.yaml")
    assert not is_file("androidworld:/no/such/goals.txt")


def test_steps_are_ten_times_the_complexity_and_never_none(small: str) -> None:
    limits = {task.template: task.step_limit for task in suite_of(small).tasks("test")}
    assert limits["TurnSettingOn"] == 12
    assert limits["AlarmNote"] == 10
    assert limits["HowManyNotes"] == 1


def test_the_seeds_of_test_are_those_of_its_own_runner(small: str) -> None:
    task = next(t for t in suite_of(small).tasks("test") if t.template == "TurnSettingOn")
    said = hashlib.sha256(b"30_TurnSettingOn_0").hexdigest()
    assert seed_of(task) == int(said, 16) % 2**32


def test_every_task_of_a_template_has_a_seed_of_its_own(small: str) -> None:
    suite = suite_of(small)
    tasks = [t for s in suite.splits for t in suite.tasks(s) if t.template == "TurnSettingOn"]
    assert (
        len(tasks) == len({seed_of(task) for task in tasks}) == len({t.goal for t in tasks}) == 12
    )


def test_a_task_is_found_by_its_id_and_worded_as_it_will_be_played(small: str) -> None:
    suite = suite_of(small)
    for task in suite.tasks("train"):
        assert find_task(task.id) is task
        assert suite.checkout.instance(task.template, seed_of(task)).goal == task.goal


def test_goals_that_two_splits_share_are_told(small: str) -> None:
    shared = {goal for report in check_leaks([suite_of(small)]) for goal in report.goals}
    assert "do nothing" in shared
    assert not any("switch" in goal for goal in shared)


def test_some_tasks_can_be_named(small: str) -> None:
    suite = suite_of(f"{small}#HowManyNotes,AlarmNote")
    assert list(suite.templates) == ["HowManyNotes", "AlarmNote"]
    assert Kind.ANSWER in suite.kinds
    assert Kind.ANSWER not in suite_of(f"{small}#AlarmNote").kinds


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("androidworld:", "AndroidWorld is named androidworld:CHECKOUT"),
        ("{}#", "AndroidWorld is named androidworld:CHECKOUT"),
        ("{}#TurnSetingOn", "unknown task of AndroidWorld 'TurnSetingOn'; did you mean 'TurnSett"),
        ("{}#AlarmNote,", "unknown task of AndroidWorld ''"),
        ("{}#ContactsNewContactDraft", "cannot be played over adb: its check reads the access"),
    ],
)
def test_what_names_no_task_is_refused(small: str, address: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_suite(address.format(small))


def phones(*serials: str, apps: tuple[str, ...] = ("*",)) -> AndroidConfig:
    safety = SafetyConfig(apps=list(apps), opt_in=list(serials))
    return AndroidConfig(serials=list(serials), safety=safety)


def test_apps_that_tasks_are_played_in_have_to_be_allowed(small: str) -> None:
    suite = suite_of(f"{small}#HowManyNotes,TurnSettingOn")
    assert suite.packages == {
        "com.android.settings": ("TurnSettingOn",),
        "org.notes": ("HowManyNotes",),
    }
    refuse_unplayable(suite, phones("emulator-5554", apps=("org.*", "com.android.settings")))
    with pytest.raises(ConfigError, match=r"safety\.apps does not allow.*: add org\.notes, or"):
        refuse_unplayable(suite, phones("emulator-5554", apps=("com.*",)))


def test_an_sms_that_arrives_needs_the_console_of_an_emulator(small: str) -> None:
    suite = suite_of(f"{small}#SimpleSmsReply,AlarmNote")
    refuse_unplayable(suite, phones("emulator-5554"))
    with pytest.raises(ConfigError, match=r"SimpleSmsReply need an SMS.*R58N has none.*\(1 of"):
        refuse_unplayable(suite, phones("emulator-5554", "R58N"))
    refuse_unplayable(suite_of(f"{small}#AlarmNote"), phones("R58N"))


@pytest.mark.parametrize("there", [True, False])
def test_songs_need_ffmpeg(small: str, monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    def which(program: str) -> str | None:
        return f"/bin/{program}" if there else None

    monkeypatch.setattr(shutil, "which", which)
    suite = suite_of(f"{small}#RetroSavePlaylist,AlarmNote")
    if there:
        refuse_unplayable(suite, phones("emulator-5554"))
    else:
        with pytest.raises(ConfigError, match="RetroSavePlaylist need songs that ffmpeg encodes"):
            refuse_unplayable(suite, phones("emulator-5554"))


def test_other_suites_are_none_of_its_business() -> None:
    refuse_unplayable(load_suite("general"), phones("R58N", apps=("org.launcher",)))
