"""From a recipe and some `key=value` to checked settings, and back to YAML.

A recipe is named (`quickstart`), or is the path of a YAML file or of a run's folder. Whatever is
wrong ends in one ConfigError that names the key, what was received and what is allowed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from distrl.config.base import Config
from distrl.config.run import RunConfig
from distrl.config.tasks import TasksConfig
from distrl.errors import ConfigError, unknown_name

try:  # parsing takes most of the time of listing many runs; libyaml is there in most builds
    from yaml import CSafeLoader as _SafeLoader
except ImportError:
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]

CONFIG_FILE = "config.yaml"
"""Name of the settings in a run's folder."""
ConfigT = TypeVar("ConfigT", bound=Config)
_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One setting of a run, for people."""

    setting: str
    """Its dotted name."""
    value: Any
    source: str
    """Where the value comes from: default, the recipe's name or path, or command line."""
    explanation: str


def recipe_folder() -> Path:
    """Where the recipes are: inside the installed package, else beside its source folder."""
    inside = _PACKAGE / "recipes"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "recipes"


def recipe_names() -> tuple[str, ...]:
    """Names that `load_run_config` knows."""
    return tuple(sorted(path.stem for path in recipe_folder().glob("*.yaml")))


def load_run_config(recipe: str | Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Read a recipe and change some of its keys, given as `section.key=value`."""
    path = _find(recipe)
    tree = read_tree(path)
    # A file that was cut to nothing must not pass for the defaults: its run would go on with them.
    if not tree:
        raise ConfigError(f"{path} is empty or damaged: it holds no setting")
    for override in overrides:
        _apply(tree, override)
    return check(tree)


def setting_rows(
    config: RunConfig, recipe: str | Path, overrides: Sequence[str] = ()
) -> list[SettingRow]:
    """Every setting of `config`, which `recipe` and `overrides` were read into, in order."""
    in_recipe = _paths(read_tree(_find(recipe)))
    on_line = {path for override in overrides for path in _overridden(override)}
    values = config.model_dump(mode="json")

    def source(key: str) -> str:
        if _holds(on_line, key):
            return "command line"
        return str(recipe) if _holds(in_recipe, key) else "default"

    return [
        SettingRow(
            setting=key,
            value=reduce(lambda tree, name: tree[name], key.split("."), values),
            source=source(key),
            explanation=" ".join(about.split()),
        )
        for key, about in keys()
    ]


def _paths(tree: Mapping[str, Any], prefix: str = "") -> set[str]:
    """Dotted keys of a tree's values."""
    found: set[str] = set()
    for name, value in tree.items():
        path = f"{prefix}{name}"
        found |= _paths(value, f"{path}.") if isinstance(value, dict) and value else {path}
    return found


def _overridden(override: str) -> set[str]:
    """Dotted keys that one `key=value` sets."""
    dotted, _, text = override.partition("=")
    value = parse_yaml(text, dotted)
    if dotted.strip() == "tasks" and isinstance(value, list):
        return {"tasks.suite"}
    return _paths({dotted.strip(): value})


def _holds(paths: set[str], key: str) -> bool:
    """Whether one of the paths is the key, or is inside of it."""
    return key in paths or any(path.startswith(f"{key}.") for path in paths)


def check(tree: Mapping[str, Any]) -> RunConfig:
    """A run's settings from a tree of plain values; ConfigError tells all that is wrong."""
    return checked(RunConfig, tree)


def checked(model: type[ConfigT], tree: Mapping[str, Any], *, where: str = "") -> ConfigT:
    """Settings of any section from plain values; ConfigError tells all that is wrong with them.

    `where` is the file that they come from, if it is not a recipe.
    """
    try:
        return model.model_validate(dict(tree))
    except ValidationError as error:
        problems = [_explain(detail, model) for detail in error.errors(include_url=False)]
        # All problems at once, each once: a union reports the same key once per member.
        prefix = f"{where}: " if where else ""
        raise ConfigError("\n".join(dict.fromkeys(f"{prefix}{p}" for p in problems))) from None


def dump(config: Config) -> str:
    """YAML that loads back to equal settings."""
    text: str = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False)
    return text


def keys(model: type[BaseModel] = RunConfig, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every dotted key with its documentation, in order."""
    for name, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is None:
            yield f"{prefix}{name}", field.description or ""
        else:
            yield from keys(section, f"{prefix}{name}.")


def _find(recipe: str | Path) -> Path:
    path = Path(recipe)
    if isinstance(recipe, str) and path.suffix == "" and len(path.parts) == 1:
        named = recipe_folder() / f"{recipe}.yaml"
        if named.is_file():
            return named
        if not path.is_dir():
            raise unknown_name("recipe", recipe, recipe_names())
    if path.is_dir():
        path = path / CONFIG_FILE
    if not path.is_file():
        raise ConfigError(f"there is no recipe at {path}")
    return path


class _Loader(_SafeLoader):
    """YAML as people write it: `1e-3` is a number, and a key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                problem = f"the key {key.value!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep=deep)


# YAML 1.1 takes 1e-3 for text, since it has no dot; people write learning rates like this.
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)


def parse_yaml(text: str, where: str) -> Any:
    """YAML as settings have it; ConfigError also for a key that stands twice."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError) as error:
        shown = " ".join(str(error).split())
        raise ConfigError(f"{where} is not YAML: {shown}") from None


def read_tree(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML file; ConfigError when it is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    tree = parse_yaml(text, str(path))
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise ConfigError(f"{path} must hold keys and values, got {_show(tree)}")
    return tree


def _apply(tree: dict[str, Any], override: str) -> None:
    """Set one key in the tree."""
    dotted, sign, text = override.partition("=")
    if not sign or not dotted.strip():
        raise ConfigError(f"a setting is changed by key=value, got {override!r}")
    *sections, last = dotted.strip().split(".")
    _known(dotted.strip())
    for name in sections:
        below = tree.get(name)
        if not isinstance(below, dict):
            below = tree[name] = {}
        tree = below
    value = parse_yaml(text, dotted)
    if dotted.strip() == "tasks" and isinstance(value, list):
        value = {"suite": _with_templates(tree.get("tasks"), value)}
    if isinstance(value, dict) and isinstance(tree.get(last), dict):
        tree[last].update(value)
    else:
        tree[last] = value


def _with_templates(tasks: Any, names: list[Any]) -> str:
    """The suite of a recipe with these templates alone: what `tasks=[a,b]` stands for."""
    if not names or not all(isinstance(name, str) and name for name in names):
        raise ConfigError(f"tasks=[...] takes names of templates, got {names!r}")
    default: str = TasksConfig.model_fields["suite"].default
    suite = tasks.get("suite", default) if isinstance(tasks, dict) else default
    return f"{str(suite).partition(':')[0]}:{','.join(names)}"


def _known(dotted: str) -> None:
    """Refuse a key that no section has, with the nearest of all keys."""
    model: type[BaseModel] | None = RunConfig
    done: list[str] = []
    for name in dotted.split("."):
        if model is None:
            path = ".".join(done)
            raise ConfigError(f"{path} is a single value, so there is no key {dotted!r}")
        if name not in model.model_fields:
            raise _unknown_key([*done, name], model, RunConfig, whole=dotted)
        annotation = model.model_fields[name].annotation
        if get_origin(annotation) is dict:  # whoever reads it says which keys there are
            return
        model = _section(annotation)
        done.append(name)


def _unknown_key(
    path: Sequence[str], model: type[BaseModel], root: type[BaseModel], whole: str = ""
) -> ConfigError:
    """Look for a key of the same name in other sections, else for the nearest in its own."""
    received = whole or ".".join(path)
    last = received.rsplit(".", 1)[-1]
    # A key that exists in another section was most likely meant: the right word, forgotten section.
    elsewhere = [key for key, _ in keys(root) if key.rsplit(".", 1)[-1] == last]
    if elsewhere:
        nearest = difflib.get_close_matches(received, elsewhere, n=1, cutoff=0.0)[0]
        return ConfigError(
            f"unknown key {received!r}; did you mean {nearest!r}? "
            f"(keys of that name: {', '.join(elsewhere)})"
        )
    prefix = "".join(f"{name}." for name in path[:-1])
    return unknown_name("key", received, [f"{prefix}{name}" for name in model.model_fields])


def _section(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None


def _explain(detail: ErrorDetails, root: type[BaseModel]) -> str:
    """One problem as a person would want to read it."""
    path = [str(part) for part in detail["loc"]]
    model, annotation, names = _locate(path, root)
    dotted = ".".join(names)
    received = detail["input"]
    # Unknown keys are refused rather than ignored: a typing error would silently train something
    # else.
    if detail["type"] in ("extra_forbidden", "invalid_key"):
        return str(_unknown_key(names, model, root))
    if detail["type"] == "missing":
        return f"{dotted} is missing"
    if detail["type"] == "dict_type" and _section(annotation) is None:
        return f"{dotted} must be a section; got {_show(received)}"
    if detail["type"] in ("model_type", "model_attributes_type", "dict_type"):
        section = _section(annotation) or model
        choices = ", ".join(f"{dotted}.{name}" for name in section.model_fields)
        return f"{dotted} is a section, got {_show(received)}; set one of {choices}"
    if detail["type"] in ("literal_error", "enum"):
        allowed = [str(value) for value in _choices(annotation) if isinstance(value, str)]
        if isinstance(received, str):
            return str(unknown_name(dotted, received, allowed))
        return f"{dotted} must be one of {', '.join(allowed)}; got {_show(received)}"
    if detail["type"] == "too_short":
        return f"{dotted} must not be empty"
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "value_error":
        return f"{dotted}: {message}" if dotted else message
    said = message.removeprefix("Input should be ").removeprefix("a valid ")
    optional = " or null" if type(None) in _members(annotation) else ""
    return f"{dotted} must be {_WORDS.get(said, said)}{optional}; got {_show(received)}"


_WORDS = {
    "number": "a number",
    "integer": "a whole number",
    "string": "text",
    "boolean": "true or false",
    "list": "a list",
    "finite number": "a finite number",
}


def _locate(path: Sequence[str], root: type[BaseModel]) -> tuple[type[BaseModel], Any, list[str]]:
    """The model that holds a key, the key's type, and the part of the path that names keys."""
    model = root
    annotation: Any = root
    names: list[str] = []
    for name in path:
        if (item := _item(annotation)) is not None:
            annotation = item
            names.append(name)
            continue
        section = _section(annotation)
        if section is None:
            break
        model = section
        names.append(name)
        field = model.model_fields.get(name)
        annotation = field.annotation if field else None
    return model, annotation, names


def _item(annotation: Any) -> type[BaseModel] | None:
    """The section that each item of a list, or each value of a mapping, is; None for others."""
    if get_origin(annotation) in (list, tuple, dict):
        wanted = 1 if get_origin(annotation) is dict else 0
        return _section(get_args(annotation)[wanted])
    return None


def _members(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) in (Union, UnionType):
        return get_args(annotation)
    return (annotation,)


def _choices(annotation: Any) -> list[Any]:
    """The values that a key, or each item of a list, may have if they are enumerated."""
    found: list[Any] = []
    for member in _members(annotation):
        if get_origin(member) in (list, Annotated):
            found += _choices(get_args(member)[0])
        elif get_origin(member) is Literal:
            found += get_args(member)
        elif isinstance(member, type) and issubclass(member, Enum):
            found += list(member)
    return found


def _show(value: Any) -> str:
    """A value and what kind of thing it is."""
    kinds = {str: "text", bool: "a truth value", int: "a whole number", float: "a number"}
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a section"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"{value!r} ({kinds.get(type(value), type(value).__name__)})"
