import json
from importlib import metadata
from pathlib import Path

import pytest

from distrl.cli import doctor
from distrl.cli.doctor import Group, Requirement, Row, State
from distrl.cli.main import main


def row_named(name: str, rows: list[Row]) -> Row:
    return next(row for row in rows if row.name == name)


def pretend_versions(monkeypatch: pytest.MonkeyPatch, **versions: str | None) -> None:
    """Let some distributions have these versions (None: not installed), the rest their own."""
    real = doctor.installed_version
    monkeypatch.setattr(
        doctor,
        "installed_version",
        lambda name: versions[name] if name in versions else real(name),
    )


def test_json_is_one_flat_object_with_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    rows = printed["rows"]
    assert list(printed) == ["ok", "present", "missing", "old", "rows"]
    assert printed["ok"] is True
    assert printed["present"] + printed["missing"] + printed["old"] == len(rows)
    for row in rows:
        assert list(row) == ["group", "name", "state", "found", "get"]
        assert (row["state"] == "ok") == (row["get"] is None)


def test_every_group_has_a_row_and_groups_are_not_mixed() -> None:
    groups = [row.group for row in doctor.examine()]
    assert set(groups) == set(Group)
    assert groups == sorted(groups, key=list(Group).index)


def test_every_core_dependency_of_the_package_is_examined() -> None:
    rows = doctor.examine()
    core = {row.name for row in rows if row.group is Group.CORE}
    training = {row.name for row in rows if row.group is Group.TRAINING}
    stated = metadata.requires("distrl") or []
    needed = {text.split(">")[0].split("<")[0] for text in stated if "extra" not in text}
    assert needed <= core | training
    assert {"python", "distrl", "numpy", "pillow"} <= core


def test_a_missing_core_package_is_reported_and_the_exit_code_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend_versions(monkeypatch, numpy=None)
    assert main(["doctor", "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    row = next(row for row in printed["rows"] if row["name"] == "numpy")
    assert printed["ok"] is False
    assert row["state"] == "missing"
    assert row["found"] is None
    assert row["get"] == "pip install --upgrade 'distrl'"


def test_a_missing_extra_is_reported_but_the_core_stays_fine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend_versions(monkeypatch, ray=None)
    rows = doctor.examine()
    assert row_named("ray", rows).state is State.MISSING
    assert row_named("ray", rows).get == "pip install --upgrade 'distrl[cluster]'"
    assert doctor.core_is_fine(rows)


@pytest.mark.parametrize(
    ("found", "state"),
    [("1.26.4", State.OLD), ("2", State.OK), ("2.0.0rc1", State.OK), ("2.10.1+cpu", State.OK)],
)
def test_an_old_version_is_called_old(
    monkeypatch: pytest.MonkeyPatch, found: str, state: State
) -> None:
    monkeypatch.setattr(
        doctor, "requirements", lambda: [Requirement(name="numpy", minimum="2.0", extra=None)]
    )
    pretend_versions(monkeypatch, numpy=found)
    assert row_named("numpy", doctor.examine()).state is state


def test_what_training_needs_is_shown_under_training_and_comes_with_the_package() -> None:
    training = {row.name for row in doctor.examine() if row.group is Group.TRAINING}
    assert training == set(doctor.TRAINING)
    core = {needed.name for needed in doctor.requirements() if needed.extra is None}
    assert training <= core


def test_a_phone_can_still_be_played_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_versions(monkeypatch, torch=None)
    rows = doctor.examine()
    assert row_named("torch", rows).group is Group.TRAINING
    assert row_named("torch", rows).state is State.MISSING
    assert row_named("torch", rows).get == "pip install --upgrade 'distrl'"
    assert doctor.core_is_fine(rows)


def test_programs_are_found_on_path_and_missed_when_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("PATH", "HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    names = ("chromium", "emulator")
    assert all(row_named(name, doctor.examine()).state is State.MISSING for name in names)
    for name in names:
        (tmp_path / name).touch(mode=0o755)
    assert all(row_named(name, doctor.examine()).found == str(tmp_path / name) for name in names)


def test_the_text_report_has_a_block_per_group_and_a_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor"]) == 0
    printed = capsys.readouterr().out
    for group in Group:
        assert f"{group}: " in printed
    assert printed.endswith("the core is fine\n")


def test_a_misspelt_option_is_answered_with_the_right_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--jsn"]) == 2
    assert "did you mean '--json'?" in capsys.readouterr().err
