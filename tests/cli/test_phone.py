import errno
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.devices.browser.browsers import needs_chromium
from tests.envs.coins import install_coins
from tests.envs.fakes import make_observation

from distrl.cli.main import main
from distrl.cli.phone_pictures import contact_sheet, quiet_phone
from distrl.cli.text_game import Game
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps
from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.suites import load_suite
from distrl.types import Observation


def size_of(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


def play(monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], *options: str) -> int:
    """Play a task with these lines as the whole input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["phone", "play", "--index", "0", "--nuisance-rate", "0", *options])


def test_the_sheet_shows_the_system_and_every_app(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.png"
    assert main(["phone", "show", "--out", str(out), "--scale", "1"]) == 0
    assert str(out) in capsys.readouterr().out
    width, height = size_of(out)
    screens = 5 + len(apps.names())
    assert width * height >= screens * 180 * 400


def test_no_two_screens_of_the_sheet_are_the_same() -> None:
    sheet = np.asarray(contact_sheet(quiet_phone(3), 1))
    cells = [
        sheet[8 + row * 426 :, 8 + column * 188 :][:400, :180].tobytes()
        for row in range(-(-(5 + len(apps.names())) // 7))
        for column in range(7)
    ]
    assert len(set(cells[: 5 + len(apps.names())])) == 5 + len(apps.names())


def test_one_app_is_one_screen_at_the_asked_scale(tmp_path: Path) -> None:
    out = tmp_path / "clock.png"
    assert main(["phone", "show", "--app", "clock", "--out", str(out), "--scale", "2"]) == 0
    assert size_of(out) == (360, 800)


def test_page_layout_theme_and_task_change_the_picture(tmp_path: Path) -> None:
    ways = (
        ["--app", "clock"],
        ["--app", "clock", "--page", "cities"],
        ["--app", "clock", "--layout", "2"],
        ["--app", "clock", "--dark"],
        ["--task", "general/val/0"],
    )
    pictures = set()
    for index, way in enumerate(ways):
        out = tmp_path / f"{index}.png"
        assert main(["phone", "show", *way, "--out", str(out), "--scale", "1"]) == 0
        with Image.open(out) as image:
            pictures.add(image.tobytes())
    assert len(pictures) == len(ways)


def test_apps_are_listed_with_their_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phone", "apps", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in listed["rows"]] == sorted(apps.names())
    (clock,) = [row for row in listed["rows"] if row["name"] == "clock"]
    assert clock["title"] == "Clock"
    assert "cities" in clock["pages"]
    assert main(["phone", "apps"]) == 0
    assert "Clock" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["shwo"], "did you mean 'show'?"),
        (["show", "--app", "clok"], "did you mean 'clock'?"),
        (["show", "--app", "clock", "--page", "citis"], "did you mean 'cities'?"),
        (["show", "--app", "notes", "--page", "note"], "must be chosen first"),
        (["show", "--page", "cities"], "--app"),
        (["show", "--app", "clock", "--task", "general/val/0"], "not both"),
        (["show", "--task", "general/vall/0"], "did you mean 'val'?"),
        (["show", "--scale", "0"], "between 1 and 8"),
        (["show", "--app", "clock", "--out", "/nowhere/at/all.png"], "/nowhere/at/all.png"),
        (["show", "--app", "clock", "--out", "clock.gif"], ".png"),
        (["play", "--task", "genral/val/0"], "did you mean 'general'?"),
        (["play", "--task", "17"], "SUITE/SPLIT/NUMBER"),
        (["play", "--index", "100000"], "0 to"),
    ],
)
def test_bad_input_ends_with_2_and_says_what_is_right(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["phone", *argv]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err


def number_of(words: str, shown: str) -> str:
    """The number of the element with these words on the last screen that was shown."""
    screen = shown.rsplit("-- ", 1)[1].splitlines()[1:]
    return next(line.split()[0] for line in screen if words in line)


def test_a_task_can_be_played_by_hand_to_its_success(capsys: pytest.CaptureFixture[str]) -> None:
    task = next(t for t in load_suite("general").tasks("train") if t.template == "start_timer")
    device = PhoneDevice("played", PhoneConfig(nuisance_rate=0.0))
    saved: list[str] = []

    def person() -> Iterator[str]:
        """Reads the screen before every command."""
        assert task.goal in (shown := capsys.readouterr().out)
        yield "home"
        yield "swipe up"
        for words in ("Clock", "Timer", "Minutes"):
            shown = capsys.readouterr().out
            yield f"tap {number_of(words, shown)}"
        yield f"type {task.parameters['minutes']}"
        yield f"tap {number_of('Start', capsys.readouterr().out)}"
        yield "done"

    game = Game(device, task, save=lambda seen: saved.append(seen.app))
    assert game.play(person()) == 0
    assert "succeeded after 8 steps" in capsys.readouterr().out
    assert {"launcher", "clock"} <= set(saved)


def test_a_false_claim_ends_with_1_and_the_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, ["wait", "done"]) == 1
    assert "false_complete after 2 steps" in capsys.readouterr().out


def test_hints_are_given_and_side_effects_told(capsys: pytest.CaptureFixture[str]) -> None:
    task = load_suite("general").tasks("val")[0]
    device = PhoneDevice("played", PhoneConfig(nuisance_rate=0.0))

    def meddle(_: Observation) -> None:
        state = device.snapshot()
        device.restore({**state, "system": {**state["system"], "hotspot": True}})

    game = Game(device, task, save=meddle)
    assert game.play(["hint", "infeasible"]) == 1
    shown = capsys.readouterr().out
    assert "the oracle would " in shown
    assert "side effect: system.hotspot" in shown


@pytest.mark.parametrize("lines", [[], ["wait"], ["wait", "quit", "done"]])
def test_the_end_of_the_input_and_quit_stop_cleanly(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, lines) == 0
    assert capsys.readouterr().out.endswith("stopped before the end\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tpa 3", "did you mean 'tap'?"),
        ("tap", "there are elements 1 to"),
        ("tap 0", "there are elements 1 to"),
        ("tap 999", "got '999'"),
        ("long x", "got 'x'"),
        ("swipe upp", "did you mean 'up'?"),
        ("swipe up 999", "got '999'"),
        ("done now", "stands alone"),
        ("type " + "x" * 3000, "over the limit"),
        ("help", "infeasible"),
        ("", "> >"),
    ],
)
def test_what_is_not_understood_costs_no_step(
    line: str, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, [line, "show"]) == 0
    shown = capsys.readouterr().out
    assert answer in shown
    assert shown.count("15 steps left") == 2


def test_every_command_is_an_action(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    later = ["double 1", "drag 1 2", "open Clock", "recents"]
    lines = [*later, "tap 1", "long 1", "type x", "swipe left", "back", "home", "enter", "wait"]
    assert play(monkeypatch, lines) == 0
    assert "3 steps left" in capsys.readouterr().out


def test_the_screen_is_written_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "now.png"
    assert play(monkeypatch, ["wait"], "--screen", str(out)) == 0
    assert size_of(out) == (540, 1200)


def test_a_suite_of_a_plug_in_is_played_by_hand_on_its_own_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_coins(tmp_path, monkeypatch)
    out = tmp_path / "screen.png"
    assert play(monkeypatch, ["hint", "tap 1"], "--suite", "coins", "--screen", str(out)) == 1
    shown = capsys.readouterr().out
    assert "coins/val/0: whatever" in shown
    assert "nobody knows the way in coins" in shown
    assert "failed after 1 steps" in shown
    assert size_of(out) == make_observation().screen.shape[1::-1]


WEBAPP = Path(__file__).resolve().parents[2] / "examples" / "webapp" / "suite.yaml"


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_a_web_suite_is_played_by_hand_on_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "screen.png"
    options = ("--suite", str(WEBAPP), "--split", "val", "--screen", str(out))

    def person() -> Iterator[str]:
        shown = capsys.readouterr().out
        assert "webapp/val/0: We have it all, clear the list" in shown
        yield f"tap {number_of('Clear all', shown)}"

    monkeypatch.setattr("sys.stdin", person())
    assert main(["phone", "play", *options]) == 0
    assert "succeeded after 1 steps" in capsys.readouterr().out
    assert size_of(out) == (360, 480)


def test_a_full_disk_leaves_no_half_of_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    out = tmp_path / "clock.png"
    assert main(["phone", "show", "--app", "clock", "--scale", "1", "--out", str(out)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_goals_without_a_split_for_play_are_played_in_the_one_that_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    goals = tmp_path / "goals.txt"
    goals.write_text("Open the clock\n")
    assert main(["phone", "play", "--suite", str(goals)]) == 2
    assert "are for phones over adb: name one with --device" in capsys.readouterr().err


def test_a_task_of_another_device_is_not_drawn_on_the_phone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = Path(__file__).resolve().parents[2] / "examples" / "webapp" / "suite.yaml"
    out = tmp_path / "task.png"
    assert main(["phone", "show", "--task", f"{suite}/train/0", "--out", str(out)]) == 2
    assert f"distrl play --suite {suite}" in capsys.readouterr().err
    assert not out.exists()


def test_an_option_that_would_do_nothing_beside_a_task_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["phone", "play", "--task", "general/val/0", "--index", "3"]) == 2
    assert "says which task: leave --index out" in capsys.readouterr().err
