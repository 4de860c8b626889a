"""The keys of adb: public keys as adb writes them, and whether a signature is theirs.

A line of `adbkey.pub` is base64 of a fixed structure, a blank and a name:

    words of the modulus   uint32, 64
    -1 / n[0] mod 2^32     uint32
    the modulus            256 bytes, lowest first
    2^4096 mod modulus     256 bytes, lowest first
    the exponent           uint32

The answer to a token of 20 bytes is its RSA signature as if the token were a SHA-1 digest.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import struct
from dataclasses import dataclass
from pathlib import Path

from distrl.errors import ConfigError

_WORDS = 64
_BYTES = 4 * _WORDS
_STRUCTURE = struct.Struct(f"<II{_BYTES}s{_BYTES}sI")
_SHA1_PREFIX = bytes.fromhex("3021300906052b0e03021a05000414")
TOKEN_BYTES = 20


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Who may connect."""

    modulus: int
    exponent: int
    name: str = ""

    def signed(self, token: bytes, signature: bytes) -> bool:
        """Whether the owner of this key signed the token."""
        if len(token) != TOKEN_BYTES or len(signature) != _BYTES:
            return False
        number = int.from_bytes(signature, "big")
        if number >= self.modulus:
            return False
        opened = pow(number, self.exponent, self.modulus).to_bytes(_BYTES, "big")
        padding = b"\xff" * (_BYTES - 3 - len(_SHA1_PREFIX) - TOKEN_BYTES)
        wanted = b"\x00\x01" + padding + b"\x00" + _SHA1_PREFIX + token
        # The whole block is compared: parsing the padding is how signatures were once forged.
        return hmac.compare_digest(opened, wanted)


def parse_key(line: str) -> PublicKey:
    """Read a line of `adbkey.pub`; ConfigError when it is none."""
    encoded, _, name = line.strip().partition(" ")
    try:
        packed = base64.b64decode(encoded, validate=True)
        words, _, modulus, _, exponent = _STRUCTURE.unpack(packed)
    except (binascii.Error, ValueError, struct.error) as error:
        raise ConfigError(f"no public key of adb: {line[:40]!r} ({error})") from error
    number = int.from_bytes(modulus, "little")
    if words != _WORDS or number.bit_length() != 8 * _BYTES or exponent not in (3, 65537):
        raise ConfigError(f"no public key of adb: {line[:40]!r} (it is not RSA of 2048 bits)")
    return PublicKey(number, exponent, name.strip())


def read_keys(path: Path) -> tuple[PublicKey, ...]:
    """The keys in a file, one a line; lines that are empty or begin with # do not count."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the keys in {str(path)!r}: {error}") from error
    keys = tuple(parse_key(line) for line in lines if line.strip() and not line.startswith("#"))
    if not keys:
        raise ConfigError(f"there is no key in {str(path)!r}")
    return keys
