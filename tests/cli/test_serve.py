from __future__ import annotations

from contextlib import nullcontext

import pytest

from distrl.cli.main import main

pytest.importorskip("websockets")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["openenv", "generl"], "did you mean 'general'"),
        (["openenv", "--split", "tset"], "did you mean 'test'"),
        (["openenv", "--sessions", "0"], "sessions must be a whole number, from 1 to 4096, got 0"),
        (["openenv", "--idle", "0"], "must be above 0 seconds, got 0"),
        (["openenv", "--port", "70000"], "--port must be a whole number"),
        (["openenv", "--sesions", "1"], "--sessions"),
        (["openenvv"], "did you mean 'openenv'"),
    ],
)
def test_what_there_is_not_is_refused_in_one_line(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *options]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("own", ["", "a-token-of-my-own"])
def test_the_address_is_printed_with_the_token_unless_it_was_set(
    own: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("distrl.cli.serve.signals_noted", lambda: nullcontext(lambda: None))
    monkeypatch.setenv("DISTRL_SERVE_TOKEN", own)
    assert main(["serve", "openenv", "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "http://127.0.0.1:" in said
    assert "Authorization: Bearer " in said
    assert "a-token-of-my-own" not in said
    assert ("$DISTRL_SERVE_TOKEN" in said) == bool(own)
