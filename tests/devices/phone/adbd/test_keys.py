from __future__ import annotations

import base64
from pathlib import Path

import pytest
from tests.devices.phone.adbd.pairs import Pair, pair_of

from distrl.devices.phone.adbd.keys import parse_key, read_keys
from distrl.errors import ConfigError


@pytest.fixture(scope="module")
def pair() -> Pair:
    return pair_of(1)


def test_signature_of_the_owner_is_accepted(pair: Pair) -> None:
    token = bytes(range(20))
    assert pair.public.signed(token, pair.sign(token))


def test_signature_of_anything_else_is_refused(pair: Pair) -> None:
    token, other = bytes(range(20)), bytes(20)
    signature = pair.sign(token)
    assert not pair.public.signed(other, signature)
    assert not pair.public.signed(token, pair_of(2).sign(token))
    assert not pair.public.signed(token, signature[:-1] + bytes([signature[-1] ^ 1]))
    assert not pair.public.signed(token, signature[:-1])
    assert not pair.public.signed(token, b"\xff" * 256)
    assert not pair.public.signed(b"", pair.sign(b""))


def test_public_key_is_read_as_adb_writes_it(pair: Pair) -> None:
    assert parse_key(pair.line()) == pair.public


@pytest.mark.parametrize(
    "line", ["", "AAAA me", "not base64!", base64.b64encode(bytes(524)).decode()]
)
def test_what_is_no_key_is_refused(line: str) -> None:
    with pytest.raises(ConfigError, match="no public key of adb"):
        parse_key(line)


def test_keys_are_read_one_a_line(tmp_path: Path, pair: Pair) -> None:
    path = tmp_path / "keys"
    path.write_text(f"# mine\n{pair.line()}\n\n")
    assert read_keys(path) == (pair.public,)


def test_file_without_keys_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("# none\n")
    with pytest.raises(ConfigError, match="no key"):
        read_keys(path)
    with pytest.raises(ConfigError, match="cannot read"):
        read_keys(tmp_path / "missing")
