from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import distrl
from distrl.run.state import provenance
from distrl.run.state.provenance import this_code, this_machine


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git checkout with a package and a recipe in it."""
    package, recipes = tmp_path / "src" / "package", tmp_path / "recipes"
    for path in (package / "__init__.py", package / "deep" / "module.py", recipes / "r.yaml"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one\n")
    monkeypatch.setattr(provenance, "_PACKAGE", package)
    monkeypatch.setattr(provenance, "recipe_folder", lambda: recipes)
    return tmp_path


def commit(folder: Path) -> None:
    git = shutil.which("git")
    assert git is not None
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "m")):
        subprocess.run([git, "-C", str(folder), *words], check=True)


def test_code_outside_of_a_checkout_is_known_by_its_version(checkout: Path) -> None:
    code = this_code()
    assert (code.version, code.commit, code.changed) == (distrl.__version__, None, False)
    assert code.label == f"version {distrl.__version__}"


def test_code_in_a_checkout_is_known_by_its_commit(checkout: Path) -> None:
    commit(checkout)
    code = this_code()
    assert code.commit is not None
    assert len(code.commit) == 40
    assert not code.changed
    assert code.label == f"commit {code.commit[:10]}"
    assert replace(code, changed=True).label.endswith(" with changes")


@pytest.mark.parametrize(
    "name", ["src/package/deep/module.py", "recipes/r.yaml", "src/package/n.py"]
)
def test_changes_of_modules_and_recipes_are_seen(name: str, checkout: Path) -> None:
    commit(checkout)
    before = this_code()
    (checkout / name).write_text("two\n")
    assert this_code().changed
    assert this_code().digest != before.digest


def test_changes_of_other_files_do_not_matter(checkout: Path) -> None:
    commit(checkout)
    before = this_code()
    (checkout / "results.json").write_text("{}")
    (checkout / "src" / "package" / "weights.safetensors").write_bytes(b"w")
    assert this_code() == before


def test_a_package_in_somebody_else_s_checkout_is_not_of_it(checkout: Path) -> None:
    (checkout / ".gitignore").write_text("src/\n")
    commit(checkout)
    assert this_code().commit is None


def test_the_machine_is_described() -> None:
    machine = this_machine()
    assert 1 <= machine.cores <= (os.cpu_count() or 1)
    assert machine.memory_gb > 0.1
    assert machine.processor
    assert f"{machine.cores} cores of {machine.processor}" in machine.label
