"""Packages with plug-ins as an installer would leave them behind, and the examples as such."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "plugins"
ENTRY = re.compile(r'\[project\.entry-points\."([\w.]+)"\]: (\w+) = "([\w:]+)"')
"""How the docstring of an example says where it is plugged in."""


def write_package(
    folder: Path,
    name: str,
    entries: Mapping[str, Mapping[str, str]],
    modules: Mapping[str, str] | None = None,
) -> None:
    """What an installer would leave behind of a package: metadata, entry points and modules."""
    info = folder / f"{name.replace('-', '_')}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    lines = []
    for group, named in entries.items():
        lines += [f"[{group}]", *(f"{entry} = {value}" for entry, value in named.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    for module, text in (modules or {}).items():
        (folder / f"{module}.py").write_text(text)


def write_example(folder: Path, name: str) -> str:
    """Package one of the examples as its docstring says; returns the first name it adds."""
    text = (EXAMPLES / f"{name}.py").read_text()
    found = ENTRY.findall(text)
    entries = {group: {entry: value} for group, entry, value in found}
    write_package(folder, f"example-{name}", entries, {name: text})
    first: str = found[0][1]
    return first
