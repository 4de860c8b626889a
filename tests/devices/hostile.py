"""Strings that mean something to a shell, from a seed."""

from __future__ import annotations

from random import Random

CANARY = "hostile-string-was-run"

_PIECES = (
    f"$(touch {CANARY})", f"`touch {CANARY}`", f"; touch {CANARY};", f"&& touch {CANARY}",
    f"| touch {CANARY}", f"\ntouch {CANARY}\n", f"> {CANARY}", f"$(>{CANARY})", "'", '"', "\\",
    "\\'", '\\"', "''", '""', "'\"'\"'", "$", "$$", "$?", "$0", "$@", "${HOME}",
    "$HOME", "~",
    "~root",     "*", "?", "[a-z]", "{a,b}", "!", "!!", "#", "%s", "%%s", "%d", "%",
    "-n", "--help", "-", "--",
    " ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\x01", "\x1b[2J", "\x7f", "(", ")", "<", "<<EOF",
    "&", "|", ";", ";;", "=", "a=b", "^", "，", "。", "；", "＄（ｒｅｂｏｏｔ）", "｀", "＇", "＂",
    "“quoted”", "你好", "é", "e\u0301", "😀", "\u202e", "\u00a0", "\u2028", "\ufeff", "plain",
    "Anna Berg", "12.5", "../../etc/passwd", "<b>&amp;</b>", "'; DROP TABLE notes; --",
)  # fmt: skip


def hostile_strings(count: int, seed: int) -> list[str]:
    """So many strings: pieces of the above one after the other, and characters from anywhere."""
    rng = Random(seed)
    found = list(_PIECES[:count])
    while len(found) < count:
        made = []
        for _ in range(rng.randint(1, 6)):
            if rng.random() < 0.8:
                made.append(rng.choice(_PIECES))
            else:
                code = rng.choice((rng.randrange(1, 128), rng.randrange(1, 0x110000)))
                made.append(chr(code) if not 0xD800 <= code <= 0xDFFF else "\ufffd")
        found.append("".join(made))
    return found
