"""Key pairs of adb, so that tests can sign without it."""

from __future__ import annotations

import base64
import struct
from functools import cache
from math import gcd, prod
from random import Random

from distrl.devices.phone.adbd.keys import PublicKey

_PREFIX = bytes.fromhex("3021300906052b0e03021a05000414")


_SMALL = prod(n for n in range(3, 4000, 2) if all(n % d for d in range(3, int(n**0.5) + 1, 2)))


def _prime(rng: Random) -> int:
    while True:
        number = rng.getrandbits(1024) | (3 << 1022) | 1
        coprime = gcd(number, _SMALL) == 1 and number % 65537 != 1
        if coprime and pow(2, number - 1, number) == 1:
            return number


class Pair:
    """A key that may sign, and its public half."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        p, q = _prime(rng), _prime(rng)
        self.public = PublicKey(p * q, 65537, "tester@here")
        self._private = pow(65537, -1, (p - 1) * (q - 1))

    def sign(self, token: bytes) -> bytes:
        padded = b"\x00\x01" + b"\xff" * (256 - 3 - 35) + b"\x00" + _PREFIX + token
        number = pow(int.from_bytes(padded, "big"), self._private, self.public.modulus)
        return number.to_bytes(256, "big")

    def line(self) -> str:
        n = self.public.modulus
        packed = struct.pack(
            "<II256s256sI",
            64,
            (-pow(n, -1, 2**32)) % 2**32,
            n.to_bytes(256, "little"),
            pow(2, 4096, n).to_bytes(256, "little"),
            65537,
        )
        return f"{base64.b64encode(packed).decode()} tester@here"


@cache
def pair_of(seed: int) -> Pair:
    """The pair of a seed, made once."""
    return Pair(seed)
