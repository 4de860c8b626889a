from __future__ import annotations

import base64
import struct
from pathlib import Path

import pytest
from tests.devices.phone.adbd.pairs import Pair, pair_of

from distrl.devices.phone.adbd.keys import PublicKey, parse_key, read_keys
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


def packed_key(*, words: int = 64, modulus: int = 2**2047 + 1, exponent: int = 65537) -> str:
    body = struct.pack(
        "<II256s256sI", words, 0, modulus.to_bytes(256, "little"), bytes(256), exponent
    )
    return base64.b64encode(body).decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": 32},
        {"words": 0},
        {"modulus": 2**2046},
        {"modulus": 0},
        {"exponent": 1},
        {"exponent": 0},
        {"exponent": 2**32 - 1},
    ],
)
def test_key_that_would_be_weak_or_another_kind_is_refused(wrong: dict[str, int]) -> None:
    assert parse_key(packed_key()).exponent == 65537
    assert parse_key(packed_key(exponent=3)).exponent == 3
    with pytest.raises(ConfigError, match="it is not RSA of 2048 bits"):
        parse_key(packed_key(**wrong))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (packed_key(), ""),
        (f"{packed_key()} me@here", "me@here"),
        (f"  {packed_key()}  a name with blanks \n", "a name with blanks"),
    ],
)
def test_name_of_a_key_is_what_follows_it(line: str, name: str) -> None:
    assert parse_key(line).name == name


@pytest.mark.parametrize("cut", [1, 100, 300, -4, -1])
def test_key_that_was_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(ConfigError, match="no public key of adb"):
        parse_key(packed_key()[:cut])


def test_error_names_the_beginning_of_the_line_only() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_key("x" * 5000)
    assert len(str(caught.value)) < 200


def test_padding_is_checked_to_the_byte(pair: Pair) -> None:
    """A key of exponent 3 whose padding is not looked at could be signed for by anybody."""
    token = bytes(range(20))
    prefix = bytes.fromhex("3021300906052b0e03021a05000414")
    number = int.from_bytes(b"\x00\x01\xff\x00" + prefix + token + bytes(256 - 39), "big")
    root = 1 << (number.bit_length() // 3 + 1)
    while root**3 > number:
        root = (2 * root + number // root**2) // 3
    forged = (root + 1).to_bytes(256, "big")
    modulus = pair.public.modulus
    assert not PublicKey(modulus, 3).signed(token, forged)


@pytest.mark.parametrize("length", [0, 19, 21, 256])
def test_token_of_another_length_is_never_signed(pair: Pair, length: int) -> None:
    signature = pair.sign(bytes(20))
    assert not pair.public.signed(bytes(length), signature)


def test_wrong_line_among_right_ones_is_told(tmp_path: Path, pair: Pair) -> None:
    path = tmp_path / "keys"
    path.write_text(f"{pair.line()}\nnonsense\n")
    with pytest.raises(ConfigError, match="'nonsense'"):
        read_keys(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot read the keys"):
        read_keys(path)


def test_several_keys_are_read_in_their_order(tmp_path: Path, pair: Pair) -> None:
    path = tmp_path / "keys"
    path.write_text(f"{pair_of(2).line()}\n# the other\n{pair.line()}")
    assert read_keys(path) == (pair_of(2).public, pair.public)
