import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

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


def test_the_wheel_holds_whatever_lies_beside_the_modules(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    beside = {
        str(path.relative_to(source))
        for path in (source / "distrl").rglob("*")
        if path.suffix in (".css", ".json", ".safetensors", ".typed")
    }
    assert "distrl/run/report/page.css" in beside
    assert beside <= packed


def test_the_wheel_has_the_console_script(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert "distrl = distrl.__main__:run" in archive.read(entry_points).decode()


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


def installed_for(name: str, *extras: str) -> set[NormalizedName]:
    """All distributions that a distribution and its extras bring, by their canonical names."""
    found: set[NormalizedName] = set()
    waiting = [Requirement(f"{name}[{','.join(extras)}]")]
    while waiting:
        wanted = waiting.pop()
        for line in metadata.requires(wanted.name) or []:
            needed = Requirement(line)
            asked = [{"extra": extra} for extra in ("", *wanted.extras)]
            if needed.marker is None or any(needed.marker.evaluate(extra) for extra in asked):
                if canonicalize_name(needed.name) not in found:
                    waiting.append(needed)
                found.add(canonicalize_name(needed.name))
    return found


def test_every_package_that_is_installed_has_its_exact_version_written_down() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()[1:]
    pins = {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in lines}
    # Builds of torch for graphics cards bring their libraries in versions of their own.
    needed = installed_for("distrl", "dev") - (installed_for("torch") - pins.keys())
    assert needed - pins.keys() == set()
    assert len(needed) > 60
    # A build for one kind of machine, such as 2.13.0+cpu, is the same version.
    wrong = {
        name: metadata.version(name)
        for name in needed
        if metadata.version(name).split("+")[0] != pins[name]
    }
    assert not wrong
