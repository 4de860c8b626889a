from __future__ import annotations

import shutil
import subprocess
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# As the real tools do it


REAL = ["cat", "head", "tail", "wc", "grep", "test"]
CONTENTS = [
    b"",
    b"\n",
    b"one",
    b"one\ntwo\nthree\n",
    b"a\n\nb\n\n",
    b"last line is open\nso",
    b"A\na\nAa\n",
]


@pytest.mark.skipif(not all(map(shutil.which, REAL)), reason="the real tools are not here")
@pytest.mark.parametrize(
    "words",
    [["cat"], ["cat", "-"], ["head"], ["head", "-n", "2"], ["head", "-1"], ["head", "-c", "3"],
     ["head", "-n", "0"], ["tail"], ["tail", "-n", "1"], ["tail", "-c", "4"], ["wc", "-l"],
     ["wc", "-c"], ["grep", "a"], ["grep", "-i", "A"], ["grep", "-v", "o"], ["grep", "-c", "e"],
     ["grep", "-E", "o|A"], ["grep", "o|A"], ["grep", "-F", "o."], ["grep", "o."],
     ["grep", "-q", "a"], ["grep", "o\\|A"], ["grep", "t\\+"], ["grep", "t+"], ["grep", "\\(A\\)a"],
     ["grep", "^$"], ["grep", "-e", "t"], ["grep", "-E", "t+"], ["grep", "-iv", "a"]],
    ids=" ".join,
)  # fmt: skip
def test_tools_print_and_end_as_the_real_ones(words: list[str], tmp_path: Path) -> None:
    for content in CONTENTS:
        real = subprocess.run(words, input=content, capture_output=True, timeout=20)
        here = TOOLS[words[0]](Storage(), words[1:], Session(partial(bytes, content)))
        # A line that is open at the end is closed by every tool that prints lines.
        assert here.stdout.rstrip(b"\n").split() == real.stdout.rstrip(b"\n").split()
        assert here.code == real.returncode, content


@pytest.mark.skipif(shutil.which("test") is None, reason="there is no test")
def test_conditions_hold_as_the_real_test_says(tmp_path: Path) -> None:
    rng = Random(3)
    (tmp_path / "full").write_bytes(b"x")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    storage = Storage()
    storage.write("/w/full", b"x", 0o644)
    storage.write("/w/empty", b"", 0o644)
    storage.make_folder("/w/folder")
    names = ["full", "empty", "folder", "none"]
    lines = [[flag, name] for flag in ("-e", "-f", "-d") for name in names]
    lines += [["-s", name] for name in ("full", "empty", "none")]
    lines += [["a", sign, other] for sign in ("=", "!=") for other in ("a", "b", "")]
    numbers = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]
    lines += [[str(rng.randint(-2, 2)), sign, str(rng.randint(-2, 2))] for sign in numbers * 2]
    lines += [["-n", ""], ["-z", ""], ["-n", "x"], [""], ["x"], []]
    lines += [["!", *line] for line in lines]
    script = "".join(f"test {' '.join(map(quoted, line))}; echo $?\n" for line in lines)
    shell = shutil.which("sh")
    assert shell is not None
    real = subprocess.run([shell, "-c", script], cwd=tmp_path, capture_output=True, timeout=20)
    codes = [int(code) for code in real.stdout.split()]
    for line, code in zip(lines, codes, strict=True):
        done = TOOLS["test"](storage, line, Session(folder="/w"))
        assert done.code == code, line


def quoted(word: str) -> str:
    return f"'{word}'"


@pytest.mark.parametrize(
    ("words", "printed", "code"),
    [
        (["/sdcard"], "empty\nwords\n", 0),
        (["/sdcard/words"], "/sdcard/words\n", 0),
        (["-d", "/sdcard"], "/sdcard\n", 0),
        (["-l", "/sdcard"], "empty\nwords\n", 0),
        (["/none"], "", 1),
        (["/none", "/sdcard/words"], "/sdcard/words\n", 1),
        ([], "empty\nwords\n", 0),
    ],
)
def test_the_table_of_lists(storage: Storage, words: list[str], printed: str, code: int) -> None:
    done = TOOLS["ls"](storage, words, Session(folder="/sdcard"))
    assert (done.stdout.decode(), done.code) == (printed, code)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["words"], ["empty"]),
        (["words", "empty"], []),
        (["-f", "none", "words"], ["empty"]),
        (["-r", "/sdcard/words"], ["empty"]),
    ],
)
def test_what_is_removed_is_gone(storage: Storage, words: list[str], left: list[str]) -> None:
    assert TOOLS["rm"](storage, words, Session(folder="/sdcard")).code == 0
    assert [entry.name for entry in storage.inside("/sdcard") or ()] == left


def test_folder_is_removed_only_with_all_that_it_holds(storage: Storage) -> None:
    TOOLS["mkdir"](storage, ["-p", "-m", "700", "/sdcard/a/b"], Session())
    storage.write("/sdcard/a/b/c", b"")
    with pytest.raises(UsageError, match="/sdcard/a"):
        TOOLS["rm"](storage, ["/sdcard/a"], Session())
    TOOLS["rm"](storage, ["-rf", "/sdcard/a"], Session())
    assert storage.look("/sdcard/a/b/c") is None
    assert storage.look("/sdcard/a") is None


@pytest.mark.parametrize(
    ("words", "printed"),
    [([], "\n"), (["a", "b"], "a b\n"), (["-n", "a"], "a"), (["a", "-n"], "a -n\n"), (["-n"], "")],
)
def test_the_table_of_echoes(storage: Storage, words: list[str], printed: str) -> None:
    assert TOOLS["echo"](storage, words, Session()).stdout.decode() == printed


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], b"3 3 14\n"),
        (["-w"], b"3\n"),
        (["-lc"], b"3 14\n"),
    ],
)
def test_counts_are_lines_words_and_bytes(
    storage: Storage, words: list[str], printed: bytes
) -> None:
    content = storage.read("/sdcard/words") or b""
    assert TOOLS["wc"](storage, words, Session(lambda: content)).stdout == printed


def test_pattern_is_looked_for_in_so_much_and_no_more(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.phone.adbd.tools._MAX_GREP_CHARACTERS", 5)
    assert TOOLS["grep"](storage, ["three", "/sdcard/words"], Session()).code == 1
    assert TOOLS["grep"](storage, ["one", "/sdcard/words"], Session()).code == 0


@given(st.lists(st.sampled_from(["a", "-", "--", "-x", "-n", "-n5", "-7", "-xy", "5"]), max_size=6))
@settings(max_examples=100)
def test_no_word_is_lost_when_options_are_split(words: list[str]) -> None:
    try:
        options, names = split_options(words, valued="n")
    except UsageError:
        assert words[-1].endswith("n")
        return
    assert all(name in words for name in names)
    if not any(word.startswith("-") and word != "-" for word in words):
        assert (options, names) == ({}, words)
