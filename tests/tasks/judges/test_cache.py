from __future__ import annotations

import threading
from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.tasks.judges.cache import VerdictCache
from distrl.types import Verdict

YES = Verdict(judge="vlm", success=True, reason="it is there")
NO = Verdict(judge="vlm", success=False, side_effects=("mail sent",))
VOID = Verdict(judge="vlm", success=None, reason="no answer")


def test_a_verdict_is_found_under_its_key_and_no_other() -> None:
    cache = VerdictCache()
    cache.keep("a", YES)
    assert cache.get("a") == YES
    assert cache.get("b") is None


def test_a_void_verdict_is_not_kept() -> None:
    cache = VerdictCache()
    cache.keep("a", VOID)
    assert cache.get("a") is None
    cache.keep("a", NO)
    assert cache.get("a") == NO


def test_the_first_verdict_stays() -> None:
    cache = VerdictCache()
    cache.keep("a", YES)
    cache.keep("a", NO)
    assert cache.get("a") == YES


def test_the_next_process_finds_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    first = VerdictCache(path)
    first.keep("a", YES)
    first.keep("b", NO)
    first.keep("a", NO)
    assert len(path.read_text().splitlines()) == 2
    second = VerdictCache(path)
    assert (second.get("a"), second.get("b")) == (YES, NO)


def test_a_file_is_made_with_the_first_verdict(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    cache = VerdictCache(path)
    assert cache.get("a") is None
    assert not path.exists()
    cache.keep("a", VOID)
    assert not path.exists()


def test_empty_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    VerdictCache(path).keep("a", YES)
    path.write_text(f"\n{path.read_text()}\n\n")
    assert VerdictCache(path).get("a") == YES


@pytest.mark.parametrize("text", ["{", '{"key": "a"}', '{"key": 3, "verdict": {}}', "[]"])
def test_a_damaged_file_is_refused_and_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"verdicts\.jsonl holds no verdicts"):
        VerdictCache(path)


def test_a_folder_that_is_not_there_is_told_before_anything_is_paid_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        VerdictCache(tmp_path / "none" / "verdicts.jsonl")


def test_a_folder_is_no_file_of_verdicts(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no verdicts"):
        VerdictCache(tmp_path)


def test_many_threads_keep_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    cache = VerdictCache(path)

    def work(name: str) -> None:
        for number in range(50):
            cache.keep(f"{name}{number % 25}", YES)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(path.read_text().splitlines()) == 100
    assert VerdictCache(path).get("d24") == YES
