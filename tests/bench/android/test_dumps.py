from __future__ import annotations

from pathlib import Path

import pytest
from tests.devices.android.views.dump import node

from distrl.bench.android.dumps import DumpFigures, measure_dumps
from distrl.devices.android import hierarchy
from distrl.errors import ConfigError
from distrl.types import Element


def _write(folder: Path, name: str, *nodes: str) -> None:
    window = node("frame", (0, 0, 1080, 2400), *nodes)
    (folder / name).write_text(f"<hierarchy>{window}</hierarchy>")


def test_dumps_of_a_folder_are_counted(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    _write(
        tmp_path,
        "one.xml",
        node("button", (0, 0, 300, 100), text="Pay", click=True),
        node("view", (0, 200, 300, 300), click=True),
        node("view", (0, 2500, 300, 2600), click=True),
    )
    _write(tmp_path / "deep", "two.uix", node("text", (0, 0, 300, 100), text="Icon", click=True))
    (tmp_path / "half.xml").write_text("<hierarchy><node")
    (tmp_path / "blank.xml").write_text("<hierarchy/>")
    (tmp_path / "no size.xml").write_text(f"<hierarchy>{node('frame', (0, 0, 0, 0))}</hierarchy>")
    assert measure_dumps(tmp_path) == DumpFigures(
        screens=5,
        failed=1,
        empty=0,
        clickable=3,
        missed_share=0.0,
        nameless_share=1 / 3,
        as_text_share=0.0,
    )


def test_what_a_reader_would_lose_or_miscall_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(
        tmp_path,
        "one.xml",
        node("button", (0, 0, 540, 1200), text="Pay", click=True),
        node("text", (540, 0, 1080, 1200), text="Icon", click=True),
    )
    miscalled = Element("text", "Icon", bounds=(0.5, 0.0, 1.0, 0.5))
    monkeypatch.setattr(hierarchy, "read", lambda xml, size: (miscalled,))
    figures = measure_dumps(tmp_path)
    assert (figures.missed_share, figures.as_text_share) == (0.5, 0.5)


def test_keys_belong_to_the_keyboard_that_they_lie_in(tmp_path: Path) -> None:
    ime = "com.google.android.inputmethod.latin"
    keys = [node("view", (x, 1600, x + 99, 1700), click=True, package=ime) for x in (0, 100)]
    keyboard = node("frame", (0, 1500, 1080, 2400), *keys, package=ime)
    app = node("frame", (0, 0, 1080, 2400), node("text", (0, 0, 99, 99), text="Hi"))
    (tmp_path / "one.xml").write_text(f"<hierarchy>{app}{keyboard}</hierarchy>")
    figures = measure_dumps(tmp_path)
    assert (figures.clickable, figures.missed_share) == (2, 0.0)


def test_folder_without_dumps_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(ConfigError, match="no dumps"):
        measure_dumps(tmp_path)
