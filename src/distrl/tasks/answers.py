"""Whether an answer in words is the right one, whatever its form: pure functions.

    right       the same
    7:30 PM     7:30pm, 19:30, "at 7:30 p.m."
    $1,299.00   1299, 1299 dollars, "It costs $1299.00"
    3           three, "3 photos"
    Mon, Jan 6  January 6, 6 January
    yes         yeah, true, "Yes, it is"
    none        nothing, "There is no such note", not found
    Red House   the red house, "red house."

Case, punctuation, accents, articles and other small words do not count. Where the right answer is a
time, a date, a number or an amount, other words may stand around it, but no second one of its kind:
an answer that lists several is not right because one of them is. Where it is words, all of them
must be said, and no others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

NONE = "none"
"""The right answer to what has no answer."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_YES = frozenset(_words("yes yeah yep yup y true correct affirmative indeed sure certainly"))
_NO = frozenset(_words("no nope nah n false negative not isnt doesnt dont hasnt arent"))
_NOTHING = frozenset(_words("none nothing nobody nowhere unknown unavailable missing null na"))
_SMALL = frozenset(
    _words(
        "a an the it its is are was were be there at on in of to by i you he she they we have has "
        "had my your his her their our this that which so about exactly currently answer"
    )
)
_UNITS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = {
    word: 10 * place
    for place, word in enumerate(
        _words("twenty thirty forty fifty sixty seventy eighty ninety"), start=2
    )
}
_MONTHS = _words("jan feb mar apr may jun jul aug sep oct nov dec")
_LONG_MONTHS = frozenset(
    _words(
        "january february march april may june july august september sept october november december"
    )
)
_DAYS = {
    name[:short]: name
    for name in _words("monday tuesday wednesday thursday friday saturday sunday")
    for short in (3, 4, 5, len(name))
}
_CURRENCIES = {
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "bucks"), "$"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "€"),
    **dict.fromkeys(("£", "gbp", "pound", "pounds"), "£"),
}
_HALF_DAY = 12
_TOKEN = re.compile(
    r"(?P<hour>\d{1,2})(?:[:h.](?P<minute>\d{2}))?\s*(?P<half>[ap])\.?\s?m\b\.?"
    r"|(?P<hour24>\d{1,2})[:h](?P<minute24>\d{2})(?!\d)"
    r"|(?P<number>-?\d+(?:,\d{3})*(?:\.\d+)?)"
    r"|(?P<sign>[$€£])"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
)
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_TYPED = frozenset({"time", "date", "number"})
_DIALLED = re.compile(r"\d(?:[\s()./-]*\d)*")
_LEAST_DIGITS = 6
"""Of a number that people dial or copy."""
_SHORT = 2
"""Words of an answer that cannot be about anything else than what was asked."""


@dataclass(frozen=True, slots=True)
class _Said:
    """One thing that an answer says."""

    kind: str
    """word, number, time, date or weekday."""
    value: str


def same_answer(said: str, right: str) -> bool:
    """Whether an answer says what is right; never raises, whatever is said."""
    wanted, given = _read(right), _read(said)
    if not given.parts and not given.first:
        return False
    if wanted.first == NONE and len(wanted.parts) == 1:
        return _says_nothing(given)
    if _truth(wanted) is not None and len(wanted.parts) == 1:
        return _truth(given) == _truth(wanted)
    if given.currency and wanted.currency and given.currency != wanted.currency:
        return False
    if _is_dialled(right):
        return _dialled(said) == _dialled(right)
    if given.parts == wanted.parts:
        return True
    return _same_value(given, wanted)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is left of a text when its form is taken away."""

    parts: tuple[_Said, ...]
    currency: str
    first: str
    """The first word that counts."""


@lru_cache(maxsize=4096)
def _read(text: str) -> _Reading:
    plain = unicodedata.normalize("NFKD", text).casefold().replace("\u2019", "'")
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    raw = list(_tokens(plain))
    currencies = {_CURRENCIES[word] for _, word in raw if word in _CURRENCIES}
    counting = (
        (kind, value)
        for kind, value in _numbers(raw)
        if value not in _SMALL and value not in _CURRENCIES
    )
    parts = [_Said(kind, value) for kind, value in _dates(counting)]
    first = parts[0].value if parts else ""
    return _Reading(tuple(parts), min(currencies, default=""), first)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(text):
        if found["hour"] is not None and int(found["hour"]) <= _HALF_DAY:
            hour = int(found["hour"]) % _HALF_DAY + (_HALF_DAY if found["half"] == "p" else 0)
            yield "time", f"{hour:02d}:{found['minute'] or '00'}"
        elif found["hour24"] is not None:
            yield "time", f"{int(found['hour24']):02d}:{found['minute24']}"
        elif found["number"] is not None:
            yield "number", _number(found["number"])
        elif found["sign"] is not None:
            yield "word", found["sign"]
        elif found["word"] in ("noon", "midnight"):
            yield "time", "12:00" if found["word"] == "noon" else "00:00"
        elif found["word"] is not None:
            yield "word", found["word"].replace("'", "")


def _number(digits: str) -> str:
    value = Decimal(digits.replace(",", ""))
    return f"{value.normalize():f}"


def _numbers(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Number words as numbers: twenty one, twenty-one."""
    place = 0
    while place < len(tokens):
        kind, value = tokens[place]
        place += 1
        if kind == "word" and value in _UNITS:
            yield "number", str(_UNITS.index(value))
        elif kind == "word" and value in _TENS:
            after = tokens[place][1] if place < len(tokens) else ""
            unit = _UNITS.index(after) if after in _UNITS[1:10] else 0
            place += bool(unit)
            yield "number", str(_TENS[value] + unit)
        elif value not in _ORDINAL:
            yield kind, value


def _dates(tokens: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """A month beside a number is a date; weekdays are written out."""
    held = list(tokens)
    place = 0
    while place < len(held):
        pair = held[place : place + 2]
        months = [_month(value) for _, value in pair]
        days = [int(value) for kind, value in pair if kind == "number" and value.isdecimal()]
        if len(pair) == 2 and sum(month > 0 for month in months) == 1 and len(days) == 1:
            yield "date", f"{max(months):02d}-{days[0]:02d}"
            place += 2
            continue
        kind, value = held[place]
        yield ("weekday", _DAYS[value]) if kind == "word" and value in _DAYS else (kind, value)
        place += 1


def _month(word: str) -> int:
    """1 to 12; 0 for what is no month."""
    short = word[:3]
    known = short in _MONTHS and (len(word) == 3 or word in _LONG_MONTHS)
    return _MONTHS.index(short) + 1 if known else 0


def _truth(reading: _Reading) -> bool | None:
    """What a yes or no says; None for anything else, and for what says both."""
    words = {part.value for part in reading.parts}
    # A longer sentence says yes or no with its first word; elsewhere a "not" may deny anything.
    if len(words) > _SHORT and reading.first not in _YES | _NO:
        return None
    if words & _YES and not words & _NO:
        return True
    if words & _NO and not words & _YES:
        return False
    return None


def _says_nothing(reading: _Reading) -> bool:
    if any(part.kind in _TYPED and part.value != "0" for part in reading.parts):
        return False
    words = {part.value for part in reading.parts}
    return reading.first in _NO or bool(words & _NOTHING)


def _same_value(given: _Reading, wanted: _Reading) -> bool:
    """Whether the one time, date or number of an answer is the right one."""
    values = [part for part in wanted.parts if part.kind in _TYPED]
    rest = [part for part in wanted.parts if part.kind == "word"]
    if len(values) != 1 or rest:
        return False
    kind = values[0].kind
    if [part for part in given.parts if part.kind == kind] != values:
        return False
    # A weekday may be left out; a wrong one is wrong.
    wanted_days = {part.value for part in wanted.parts if part.kind == "weekday"}
    given_days = {part.value for part in given.parts if part.kind == "weekday"}
    return given_days <= wanted_days or not wanted_days


def _dialled(text: str) -> list[str]:
    """The digits of all numbers that people dial or copy, however they are grouped."""
    found = ("".join(filter(str.isdigit, run)) for run in _DIALLED.findall(text))
    return [digits for digits in found if len(digits) >= _LEAST_DIGITS]


def _is_dialled(text: str) -> bool:
    """Whether a text is such a number and nothing else."""
    plain = not any(letter.isalpha() or letter in ":$€£." for letter in text)
    return plain and len(_dialled(text)) == 1
