"""Fills `api.md` from the docstrings, and makes the first page of the site from the README."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

SOURCE = Path(__file__).parents[1] / "src" / "distrl"
MODULES = (
    "__init__",
    "types",
    "interfaces",
    "actions",
    "errors",
    "collect/episode",
    "collect/evaluate",
    "envs/gym",
    "replay/store",
    "run/local",
    "run/folder",
    "learn/learner",
    "learn/returns",
    "plugins",
)
PLACE = "<!-- the modules -->"


def on_files(files: Any, config: Any) -> Any:
    """The README is the front page; its links into docs/ are already inside."""
    text = (SOURCE.parents[1] / "README.md").read_text("utf-8")
    text = text.replace("](docs/", "](").replace("](LICENSE)", "](#licence)")
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the reference where the page asks for it."""
    del config, files
    if page.file.src_path != "api.md":
        return markdown
    return markdown.replace(PLACE, "\n".join(_reference()))


def _reference() -> Iterator[str]:
    for module in MODULES:
        tree = ast.parse((SOURCE / f"{module}.py").read_text("utf-8"))
        name = "distrl" if module == "__init__" else f"distrl.{module.replace('/', '.')}"
        yield f"\n## {name}\n"
        yield from _quoted(tree)
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                yield from _entry(node, f"{name}.{node.name}")


def _entry(node: ast.ClassDef | ast.FunctionDef, name: str) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        yield f"\n### `{name}`\n\n    {node.name}({ast.unparse(node.args)}){returns}\n"
        yield from _quoted(node)
        return
    yield f"\n### `{name}`\n"
    yield from _quoted(node)
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
            said = (ast.get_docstring(inner) or "").split("\n\n")[0].replace("\n", " ")
            yield f"- `{inner.name}({ast.unparse(inner.args)})`: {said}"


def _quoted(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """A docstring as it was written: drawings keep their shape."""
    said = ast.get_docstring(node)
    if said:
        yield "<pre>" + said.replace("&", "&amp;").replace("<", "&lt;") + "</pre>"
