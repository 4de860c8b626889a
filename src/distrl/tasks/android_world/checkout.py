"""AndroidWorld's own package, imported from the folder that a user has checked it out to."""

from __future__ import annotations

import importlib
import random
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from distrl.errors import ConfigError

PACKAGE = "android_world"
_FAMILY, _QUESTIONS = "android_world", "information_retrieval"
_REGISTRY = "registry.py"
_PROTOS = Path("task_evals", "information_retrieval", "proto")
_INSTALL = "pip install 'distrl[android-world]'"
_changing = threading.Lock()


@dataclass(frozen=True, slots=True)
class AndroidWorldCheckout:
    """The task classes of a checkout, and what they are played with."""

    folder: Path
    classes: Mapping[str, Any]
    """Task classes by name."""
    questions: frozenset[str]
    """Names of those that are judged by what was answered."""
    _kept: dict[tuple[str, int], Mapping[str, Any]] = field(default_factory=dict)

    def module(self, name: str) -> Any:
        """One module of the package; ConfigError where this checkout has none of its name."""
        try:
            return importlib.import_module(f"{PACKAGE}.{name}")
        except ImportError as error:
            raise _unusable(self.folder, error) from error

    def instance(self, name: str, seed: int) -> Any:
        """A task with the parameters of a seed: the same that its own suite makes of that seed."""
        chosen = self.classes[name]
        chosen.set_device_time(None)
        _own_random.seed(seed)
        made = {**chosen.generate_random_params(), "seed": seed}
        # One of its tasks names a folder after the time of day, and its goal must not change.
        if all(isinstance(value, str | int | float) for value in made.values()):
            made = dict(self._kept.setdefault((name, seed), made))
        return chosen(made)


def open_checkout(where: str) -> AndroidWorldCheckout:
    """The checkout in a folder; ConfigError when there is none that can be used."""
    folder = Path(where).expanduser().resolve()
    if not (folder / PACKAGE / _REGISTRY).is_file():
        raise ConfigError(
            f"{where!r} is no checkout of AndroidWorld, there is no {PACKAGE}/{_REGISTRY} in it: "
            "git clone https://github.com/google-research/android_world, and name its folder"
        )
    with _changing:
        return _opened(folder)


@cache
def _opened(folder: Path) -> AndroidWorldCheckout:
    try:
        _import_package(folder)
        registry = importlib.import_module(f"{PACKAGE}.registry").TaskRegistry()
        classes = dict(registry.get_registry(_FAMILY))
        questions = frozenset(registry.get_registry(_QUESTIONS))
    except ConfigError:
        raise
    # Whatever its modules raise while they are imported: it is the user's folder that is at fault.
    except Exception as error:
        _forget_package()
        raise _unusable(folder, error) from error
    _give_own_random()
    return AndroidWorldCheckout(folder, classes, questions)


def _import_package(folder: Path) -> None:
    """Make the folder's package the one that is imported by its name.

    The folder itself is not put on the path: it holds more than the package.
    """
    inside = folder / PACKAGE
    loaded = sys.modules.get(PACKAGE)
    if loaded is not None:
        if [Path(place).resolve() for place in loaded.__path__] == [inside]:
            return
        raise ConfigError(
            f"AndroidWorld was imported from {next(iter(loaded.__path__))} already, and a process "
            f"can have one checkout only: leave {folder} to another one"
        )
    spec = spec_from_file_location(
        PACKAGE, inside / "__init__.py", submodule_search_locations=[str(inside)]
    )
    assert spec is not None and spec.loader is not None
    made = module_from_spec(spec)
    sys.modules[PACKAGE] = made
    spec.loader.exec_module(made)


def _forget_package() -> None:
    """Leave nothing behind of an import that failed half way."""
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def _unusable(folder: Path, error: Exception) -> ConfigError:
    """What to do about a checkout that cannot be imported."""
    missing = (getattr(error, "name", None) or "").partition(".")[0]
    if missing in ("android_env", "dm_env"):
        return ConfigError(f"AndroidWorld needs android-env: {_INSTALL} ({missing} is missing)")
    if "_pb2" in str(error) and not list((folder / PACKAGE / _PROTOS).glob("*_pb2.py")):
        return ConfigError(
            f"the protos of {folder} are not generated yet: in that folder, python -m "
            f"grpc_tools.protoc -I. --python_out=. {PACKAGE}/{_PROTOS}/*.proto (it needs "
            "grpcio-tools)"
        )
    if isinstance(error, ModuleNotFoundError) and missing != PACKAGE:
        return ConfigError(
            f"AndroidWorld in {folder} needs {missing}: {_INSTALL} has what its tasks import"
        )
    return ConfigError(f"AndroidWorld in {folder} cannot be imported: {error!r}")


class _OwnRandom:
    """Stands for the module `random` in its modules, with a generator for each thread.

    They seed the module and draw from it. Several phones are set up at once, and their tasks must
    not draw from one another's numbers, nor seed ours.
    """

    def __init__(self) -> None:
        self._own = threading.local()

    def __getattr__(self, name: str) -> Any:
        if not hasattr(self._own, "generator"):
            self._own.generator = random.Random()
        return getattr(self._own.generator, name, None) or getattr(random, name)


_own_random = _OwnRandom()


def _give_own_random() -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == PACKAGE and getattr(module, "random", None) is random:
            module.random = _own_random  # type: ignore[attr-defined]
