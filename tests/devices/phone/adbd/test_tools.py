from __future__ import annotations

import pytest

from distrl.devices.phone.adbd.files import Storage
from distrl.devices.phone.adbd.shell import Session, UsageError
from distrl.devices.phone.adbd.tools import TOOLS, evaluate_test, split_options


@pytest.fixture
def storage() -> Storage:
    held = Storage()
    held.write("/sdcard/empty", b"", 0o644)
    held.write("/sdcard/words", b"one\ntwo\nthree\n", 0o755)
    return held


@pytest.mark.parametrize(
    ("words", "options", "names"),
    [
        (["-n", "3", "file"], {"n": "3"}, ["file"]),
        (["-n3"], {"n": "3"}, []),
        (["-3"], {"n": "3"}, []),
        (["file", "-iv"], {"i": "", "v": ""}, ["file"]),
        (["-in", "3"], {"i": "", "n": "3"}, []),
        (["-", "--", "-n"], {}, ["-", "-n"]),
    ],
)
def test_options_are_told_from_names(
    words: list[str], options: dict[str, str], names: list[str]
) -> None:
    assert split_options(words, valued="n") == (options, names)


def test_option_without_its_value_is_named() -> None:
    with pytest.raises(UsageError, match="-n needs a value"):
        split_options(["-n"], valued="n")


@pytest.mark.parametrize(
    ("line", "true"),
    [
        ("", False),
        ("word", True),
        ("! word", False),
        ("-n word", True),
        ("-z word", False),
        ("a = a", True),
        ("a == b", False),
        ("a != b", True),
        ("2 -lt 10", True),
        ("2 -ge 10", False),
        ("-e /sdcard/words", True),
        ("! -e /sdcard/none", True),
        ("-f /sdcard", False),
        ("-d /sdcard", True),
        ("-d /sdcard/words", False),
        ("-s /sdcard/words", True),
        ("-s /sdcard/empty", False),
        ("-x /sdcard/words", True),
        ("-x /sdcard/empty", False),
    ],
)
def test_conditions_hold_as_in_sh(storage: Storage, line: str, true: bool) -> None:
    assert evaluate_test(line.split(), storage.look) is true
    code = 0 if true else 1
    assert TOOLS["test"](storage, line.split(), Session()).code == code
    assert TOOLS["["](storage, [*line.split(), "]"], Session()).code == code


@pytest.mark.parametrize("line", ["a b", "a -eq 1", "a ? b", "a b c d"])
def test_condition_that_is_none_ends_with_2(storage: Storage, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        evaluate_test(line.split(), storage.look)
    assert caught.value.code == 2


def test_bracket_is_closed(storage: Storage) -> None:
    with pytest.raises(UsageError, match="missing ]"):
        TOOLS["["](storage, ["a"], Session())


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("head -n 1", b"one\n"),
        ("head -2", b"one\ntwo\n"),
        ("head -c 4", b"one\n"),
        ("head -c2", b"on"),
        ("head -c 0", b""),
        ("tail -n 1", b"three\n"),
        ("tail -n 0", b""),
        ("tail -c 3", b"ee\n"),
        ("tail -c 100", b"one\ntwo\nthree\n"),
        ("grep -v t", b"one\n"),
        ("grep -c e", b"2\n"),
        ("grep -q e", b""),
        ("grep -e t", b"two\nthree\n"),
        ("wc -l", b"3\n"),
        ("wc -c", b"14\n"),
    ],
)
def test_tools_read_what_is_piped_in_or_a_file(storage: Storage, line: str, printed: bytes) -> None:
    name, *words = line.split()
    content = storage.read("/sdcard/words") or b""
    assert TOOLS[name](storage, words, Session(lambda: content)).stdout == printed
    done = TOOLS[name](storage, [*words, "words"], Session(folder="/sdcard"))
    assert done.stdout == (printed if name != "wc" else printed.replace(b"\n", b" words\n"))


@pytest.mark.parametrize("tool", ["cat", "head", "tail", "wc", "grep"])
def test_file_that_is_not_there_is_named(storage: Storage, tool: str) -> None:
    words = ["x", "none"] if tool == "grep" else ["none"]
    done = TOOLS[tool](storage, words, Session(folder="/sdcard"))
    assert done.code != 0
    assert done.stderr == f"{tool}: none: No such file or directory\n".encode()
