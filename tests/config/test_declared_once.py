"""Every setting is declared once: in `config`, whose models the parts take as they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import distrl
from distrl.config.base import Config
from distrl.config.inventory import InventoryConfig
from distrl.config.run import RunConfig

PACKAGE = Path(distrl.__file__).parent
ENDINGS = ("Settings", "Size", "Weights", "Rules", "Limits", "Options", "Parameters", "Config")
SHARED = 3
"""Names of fields that two classes may not have in common: fewer can be a coincidence."""

ALLOWED = {
    # A client of any server, which `judge`, `policy.lm.served` and the command line fill in
    # differently: one key of theirs becomes several of its own.
    ("EndpointSettings", "JudgeConfig"),
}


def models(of: type[Config]) -> Iterator[type[Config]]:
    yield of
    for field in of.model_fields.values():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Config):
            yield from models(field.annotation)


MODELS = {*models(RunConfig), *models(InventoryConfig)}


def is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)


def fields_of(node: ast.ClassDef) -> set[str]:
    return {
        line.target.id
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    }


def settings_classes(source: str) -> Iterator[ast.ClassDef]:
    """Dataclasses that are called as settings are."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name.endswith(ENDINGS) and is_dataclass(node):
            yield node


def declared_twice(source: str) -> Iterator[tuple[str, str]]:
    """Classes of a module and the models that they repeat."""
    for node in settings_classes(source):
        for model in MODELS:
            if len(fields_of(node) & set(model.model_fields)) >= SHARED:
                yield node.name, model.__name__


def test_no_class_of_a_part_repeats_a_section_of_the_settings() -> None:
    parts = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE / "config"]
    found = {pair for path in parts for pair in declared_twice(path.read_text("utf-8"))}
    assert found == ALLOWED


def test_a_class_that_repeats_a_section_would_be_found() -> None:
    fields = "".join(f"    {name}: float = 0.0\n" for name in ("gamma", "lam", "entropy"))
    repeated = f"@dataclass(frozen=True)\nclass LossWeights:\n{fields}"
    assert list(declared_twice(repeated)) == [("LossWeights", "AlgorithmConfig")]
    assert not list(declared_twice(repeated.replace("LossWeights", "Losses")))
    assert not list(declared_twice(repeated.replace("lam", "other")))
