import subprocess
import sys
from pathlib import Path

from PIL import Image
from tests.run.report.stories import story_of

from distrl.run.report import write_report


def test_a_run_s_folder_gets_a_picture_and_a_page(tmp_path: Path) -> None:
    path = write_report(tmp_path, story_of())
    assert path == tmp_path / "report.html"
    assert path.read_text("utf-8").startswith("<!doctype html>")
    with Image.open(tmp_path / "curve.png") as picture:
        assert picture.format == "PNG"


def test_the_plotting_library_is_imported_only_when_something_is_drawn() -> None:
    code = "import sys, distrl.run.report; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
