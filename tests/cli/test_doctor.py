import errno
import fcntl
import json
import os
import tomllib
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
    # `all` is made of other extras alone, whose packages are shown there.
    assert set(groups) == set(doctor.group_names()) - {"all"}
    assert groups == sorted(groups, key=doctor.group_names().index)


def test_every_extra_of_the_package_is_listed_with_its_purpose_and_how_to_get_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    offered = metadata.metadata("distrl").get_all("Provides-Extra") or []
    main(["doctor"])
    printed = capsys.readouterr().out
    for extra in offered:
        assert f"{extra}: {doctor.PURPOSES[extra]}\n  get all of it: pip install " in printed


def test_every_extra_of_pyproject_has_a_purpose() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    assert set(extras) | set(Group) == set(doctor.PURPOSES)


def test_an_extra_made_of_others_repeats_none_of_their_packages() -> None:
    def needs(extra: str, *names: str) -> list[Requirement]:
        return [Requirement(name=name, minimum="0", extra=extra) for name in names]

    stated = [
        *needs("ocr", "onnxruntime", "rapidocr"),
        *needs("export", "onnx", "onnxruntime"),
        *needs("dev", "onnx", "onnxruntime", "rapidocr", "ruff", "distrl"),
    ]
    own = doctor.own_requirements(stated)
    assert own == [*stated[:4], Requirement(name="ruff", minimum="0", extra="dev")]


def test_extras_come_from_the_clone_where_that_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "editable_clone", lambda: "/home/me/distrl")
    assert doctor.install_command("lm") == "pip install -e '/home/me/distrl[lm]'"
    monkeypatch.setattr(doctor, "editable_clone", lambda: None)
    assert doctor.install_command("lm") == "pip install --upgrade 'distrl[lm]'"


def test_kvm_that_is_not_there_is_called_absent(tmp_path: Path) -> None:
    row = doctor.ask_kvm(tmp_path / "kvm")
    assert row.state is State.MISSING
    assert (row.found or "").startswith("absent: ")


def test_kvm_that_may_not_be_opened_is_a_matter_of_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    row = doctor.ask_kvm(tmp_path / "kvm")
    assert (row.found or "").startswith("no permission: ")
    assert "group" in (row.get or "")


def test_a_file_that_is_not_kvm_does_not_pass_for_it(tmp_path: Path) -> None:
    (tmp_path / "kvm").touch()
    row = doctor.ask_kvm(tmp_path / "kvm")
    assert row.state is State.MISSING
    assert "does not answer as KVM" in (row.found or "")


@pytest.mark.parametrize(("version", "state"), [(12, State.OK), (11, State.MISSING)])
def test_kvm_is_asked_for_the_version_of_its_interface(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int, state: State
) -> None:
    (tmp_path / "kvm").touch()
    machines: list[int] = []

    def ioctl(handle: int, request: int, _: int) -> int:
        if request == 0xAE00:
            return version
        machines.append(os.dup(handle))
        return machines[-1]

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    row = doctor.ask_kvm(tmp_path / "kvm")
    assert row.state is state
    assert f"version {version}" in (row.found or "")
    for machine in machines:  # what was made to try is ended
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(machine)


def test_kvm_that_makes_no_virtual_machine_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ioctl(_: int, request: int, __: int) -> int:
        if request == 0xAE01:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        return 12

    (tmp_path / "kvm").touch()
    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    row = doctor.ask_kvm(tmp_path / "kvm")
    assert row.state is State.MISSING
    assert "makes no virtual machine: Operation not supported" in (row.found or "")


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
    assert row["get"] == doctor.install_command(None)


def test_a_missing_extra_is_reported_but_the_core_stays_fine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend_versions(monkeypatch, ray=None)
    rows = doctor.examine()
    assert row_named("ray", rows).state is State.MISSING
    assert row_named("ray", rows).get == doctor.install_command("cluster")
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
    assert row_named("torch", rows).get == doctor.install_command(None)
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
    for group in doctor.group_names():
        assert f"{group}: " in printed
    assert printed.endswith("the core is fine\n")


def test_a_misspelt_option_is_answered_with_the_right_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--jsn"]) == 2
    assert "did you mean '--json'?" in capsys.readouterr().err
