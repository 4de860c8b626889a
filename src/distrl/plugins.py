"""Registries of parts by entry point: another package adds a part without a line changed here.

    [project.entry-points."distrl.judges"]
    cautious = "my_package.judges:CautiousJudge"

    group                      what the entry names is called with    and makes
    distrl.devices             nothing                                a DeviceKind
    distrl.trainable_policies  RunConfig                              a PolicyBundle
    distrl.policies            policies.Surroundings                  a Policy that only acts
    distrl.algorithms          the model, and AlgorithmConfig         an Algorithm
    distrl.judges              tasks.judges.factory.JudgeContext      a Judge
    distrl.suites              nothing                                a Suite of the entry's name
    distrl.apps                nothing                                an App of the entry's name
    distrl.trackers            monitor.trackers.TrackerContext        a Monitor

Built-in parts are entries of the same registries. Plug-ins are looked for only when a name is
asked for that is not built in, or when all names are listed. The code of a plug-in is imported when
the plug-in is used, so a broken one breaks nothing else. A plug-in cannot replace a built-in part,
and a name that two packages offer is refused.

A part can be tried before it is packaged: `plug_in` offers it here and in every process that is
started from here, by way of the environment variable DISTRL_PLUGINS, which may also be set by hand:

    DISTRL_PLUGINS='distrl.suites:tea=tea_house:suite distrl.apps:tea=tea_house:TeaHouse' distrl ...
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol

from distrl.errors import ConfigError, unknown_name

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

_log = logging.getLogger(__name__)

VARIABLE = "DISTRL_PLUGINS"
"""The environment variable with parts that no package offers, separated by blanks."""
_OFFER = re.compile(r"(distrl\.\w+):([^\s=]+)=([\w.]+:[\w.]+)")


class Part(StrEnum):
    """What can be plugged in."""

    DEVICE = "device"
    TRAINABLE_POLICY = "trainable policy"
    POLICY = "policy"
    ALGORITHM = "algorithm"
    JUDGE = "judge"
    SUITE = "suite"
    APP = "app"
    TRACKER = "tracker"

    @property
    def group(self) -> str:
        """The entry-point group."""
        plural = f"{self[:-1]}ies" if self.endswith("y") else f"{self}s"
        return f"distrl.{plural.replace(' ', '_')}"


@dataclass(frozen=True, slots=True)
class Plugin:
    """One part that an installed package offers. Nothing of the package is imported yet."""

    part: Part
    name: str
    package: str
    """Name and version of the package."""
    entry: EntryPoint

    def make(self, *arguments: object) -> object:
        """Import what the entry names and call it; ConfigError whatever goes wrong in there."""
        with self.guarded():
            return self.entry.load()(*arguments)

    def load(self) -> Any:
        """Import what the entry names; ConfigError whatever goes wrong in there."""
        with self.guarded():
            return self.entry.load()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What the package's own code does wrong inside is reported as the package's."""
        try:
            yield
        except ConfigError as cause:  # such as an option of its own that it does not know
            raise self.broken(str(cause)) from cause
        except (Exception, SystemExit) as cause:  # a script that exits when it is imported
            where = traceback.extract_tb(cause.__traceback__)[-1]
            place = f"{Path(where.filename).name}, line {where.lineno}"
            raise self.broken(f"{type(cause).__name__}: {cause} ({place})") from cause

    def unfit(self, made: object, contract: type) -> ConfigError:
        """The error for something that does not keep a contract, with what it lacks."""
        lacks = [name for name in _members(contract) if not hasattr(made, name)]
        more = f": it has no {', '.join(lacks)}" if lacks else ""
        return self.broken(f"it made {made!r}, which is no {contract.__name__}{more}")

    def broken(self, why: str) -> ConfigError:
        """The error that names the package and the cause."""
        return ConfigError(
            f"the {self.part} {self.name!r} of the package {self.package} "
            f"({self.entry.value}) cannot be used: {why}"
        )


@dataclass(frozen=True, slots=True)
class Registry:
    """The parts of one kind by name: the built-in ones, and those of plug-ins.

    Both are named as entry points are, `module:attribute`, and imported when they are made.
    """

    part: Part
    built_in: Mapping[str, str]
    contract: type
    """What is made has this type; a runtime-checkable Protocol, as a rule."""

    def names(self) -> tuple[str, ...]:
        """All names, those of plug-ins last; nothing is imported."""
        return (*self.built_in, *names(self.part, self.built_in))

    def require(self, name: str, *, what: str = "") -> None:
        """ConfigError with the nearest name unless there is a part of this name."""
        if name not in self.built_in:
            find(self.part, name, self.built_in, what=what)

    def make(self, name: str, *arguments: object, what: str = "") -> Any:
        """Make the part of a name; ConfigError if there is none, or a plug-in makes no such part.

        `what` is how an error calls the part, if not by its own name.
        """
        if name in self.built_in:
            return load(self.built_in[name])(*arguments)
        plugin = find(self.part, name, self.built_in, what=what)
        return self.checked(plugin, plugin.make(*arguments))

    def checked(self, plugin: Plugin, made: object) -> Any:
        """What a plug-in has made; ConfigError if it does not keep the contract."""
        if not isinstance(made, self.contract):
            raise plugin.unfit(made, self.contract)
        return made


def _members(contract: type) -> list[str]:
    """What a contract asks for by name."""
    kinds = [kind for kind in contract.__mro__ if kind not in (object, Generic, Protocol)]
    named = {
        name for kind in kinds for name in (*vars(kind), *vars(kind).get("__annotations__", ()))
    }
    return sorted(name for name in named if not name.startswith("_"))


def load(entry: str) -> Any:
    """The attribute that `module:attribute` names."""
    module, _, attribute = entry.partition(":")
    return getattr(import_module(module), attribute)


def names(part: Part, built_in: Collection[str]) -> tuple[str, ...]:
    """Names that packages add to the built-in ones, in order; nothing is imported."""
    for plugin in offered(part):
        if plugin.name in built_in:
            tell_once(
                f"the {part} {plugin.name!r} of the package {plugin.package} is left out: "
                "a built-in one has this name"
            )
    return tuple(sorted({plugin.name for plugin in offered(part)} - set(built_in)))


def find(part: Part, name: str, built_in: Collection[str], *, what: str = "") -> Plugin:
    """The plug-in of a name that is not built in; ConfigError unless exactly one offers it.

    `what` is how an error calls the part, if not by its own name.
    """
    found = [plugin for plugin in offered(part) if plugin.name == name]
    if not found:
        raise unknown_name(what or part, name, {*built_in, *names(part, built_in)})
    if len(found) > 1:
        packages = " and ".join(sorted(plugin.package for plugin in found))
        raise ConfigError(
            f"more than one package offers the {part} {name!r}: {packages}; uninstall one of them"
        )
    return found[0]


def offered(part: Part) -> tuple[Plugin, ...]:
    """All plug-ins of a part, also those that nobody can use."""
    found = (*_installed(tuple(sys.path)), *_unpackaged(os.environ.get(VARIABLE, "")))
    return tuple(plugin for plugin in found if plugin.part is part)


def plug_in(part: Part | str, name: str, entry: str) -> None:
    """Offer a part of your own without a package, here and in processes started from here.

        plug_in("app", "tea", "tea_house:TeaHouse")
        plug_in("suite", "tea", "tea_house:suite")

    `entry` is `module:attribute`, as an entry point has it; the module has to be on the path, such
    as in the folder of a notebook, and not the notebook itself, which other processes cannot
    import. The same name again replaces it. ConfigError for an unknown part, or an entry of
    another form.
    """
    if part not in tuple(Part):
        raise unknown_name("part", part, [str(known) for known in Part])
    own, offer = Part(part).group, f"{Part(part).group}:{name}={entry}"
    if not _OFFER.fullmatch(offer):
        raise ConfigError(f"a plug-in is a name and module:attribute, got {name!r} and {entry!r}")
    others = [
        other
        for other in os.environ.get(VARIABLE, "").split()
        if not other.startswith(f"{own}:{name}=")
    ]
    os.environ[VARIABLE] = " ".join([*others, offer])


@lru_cache(maxsize=8)
def _unpackaged(offers: str) -> tuple[Plugin, ...]:
    """The plug-ins that DISTRL_PLUGINS names; ConfigError for what is none."""
    from importlib.metadata import EntryPoint

    parts = {part.group: part for part in Part}
    plugins = []
    for offer in offers.split():
        found = _OFFER.fullmatch(offer)
        if found is None:
            raise ConfigError(
                f"{VARIABLE} has entries GROUP:NAME=MODULE:ATTRIBUTE, such as "
                f"distrl.apps:counter=app:Counter, got {offer!r}"
            )
        if found[1] not in parts:
            raise unknown_name(f"group in {VARIABLE}", found[1], parts)
        entry = EntryPoint(name=found[2], value=found[3], group=found[1])
        plugins.append(Plugin(parts[found[1]], found[2], f"({VARIABLE})", entry))
    return tuple(plugins)


@cache
def tell_once(message: str) -> None:
    """Warn of something that does not stop anybody."""
    _log.warning(message)


@lru_cache(maxsize=8)
def _installed(path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """The plug-ins of all packages on the path, of which the first of a name counts."""
    # Imported here: reading metadata costs more than the rest of a short command.
    from importlib.metadata import distributions

    packages: dict[str, tuple[Plugin, ...]] = {}
    for distribution in distributions(path=list(path)):
        try:
            if "[distrl." in (distribution.read_text("entry_points.txt") or ""):
                key = re.sub(r"[-_.]+", "-", distribution.name).lower()
                packages.setdefault(key, tuple(_read(distribution)))
        except Exception as cause:  # noqa: BLE001 - files that a packager got wrong, in any way
            place = distribution.locate_file("")
            tell_once(f"the plug-ins of a package in {place} cannot be read: {cause!r}")
    return tuple(plugin for name in sorted(packages) for plugin in packages[name])


def _read(distribution: Distribution) -> Iterator[Plugin]:
    parts = {part.group: part for part in Part}
    for entry in distribution.entry_points:
        if entry.group in parts:
            package = f"{distribution.name} {distribution.version}"
            yield Plugin(parts[entry.group], entry.name, package, entry)
