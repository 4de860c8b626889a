import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import distrl

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that users would install, built from this source."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_public_names_are_exactly_all() -> None:
    resolved = {name: getattr(distrl, name) for name in distrl.__all__}
    assert list(resolved) == sorted(resolved)
    # Modules are reached by import, and these two are how Python spells lazy typed imports.
    spelling = {"TYPE_CHECKING", "annotations"}
    public = {
        name
        for name, value in vars(distrl).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    } - spelling
    assert public <= set(resolved)


def test_the_wheel_holds_every_module_and_the_typing_marker(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    modules = {str(path.relative_to(source)) for path in source.rglob("*.py")}
    assert modules <= packed
    assert "distrl/py.typed" in packed


def test_the_wheel_has_the_console_script(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert "distrl = distrl.cli.main:main" in archive.read(entry_points).decode()


def test_the_unpacked_wheel_imports_and_answers(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import distrl, distrl.types, distrl.interfaces\n"
        f"assert distrl.__file__.startswith({str(tmp_path)!r}), distrl.__file__\n"
        "from distrl.cli.main import main\n"
        "raise SystemExit(main(['--help']))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "usage: distrl" in done.stdout
