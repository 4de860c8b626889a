"""Where task parameters come from, and which split may use which value.

A value of an open parameter (a name, a product, a text, a number) belongs to exactly one split,
decided by the value alone: two templates that draw from the same words can never share one
across splits. A closed parameter (on or off, a colour) is too small for that; templates that have
no open one differ between splits in phrasing and start state instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from distrl.devices.phone import content, phone_time
from distrl.types import Value

SPLITS = ("train", "val", "test", "unseen")
# Cumulative shares of the hash range [0, 1): 58 % train, 12 % val, 18 % test, 12 % unseen. The last
# end is above 1 so that rounding can never leave a value without a split.
_SHARES = (("train", 0.58), ("val", 0.70), ("test", 0.88), ("unseen", 1.01))
# A number goes by its last digit, which spreads every split over the whole range of numbers: six
# digits of ten are for training.
_DIGIT_SPLITS = {1: "unseen", 4: "test", 7: "val", 9: "test"}


def normalise(text: object) -> str:
    """Words only, lower-case, single blanks: what makes two goals or values the same."""
    kept = "".join(ch if ch.isalnum() else " " for ch in str(text).lower())
    return " ".join(kept.split())


def split_of(value: Value) -> str:
    """The one split that may use an open value."""
    if isinstance(value, int):
        return _DIGIT_SPLITS.get(value % 10, "train")
    digest = hashlib.sha256(normalise(value).encode()).digest()
    # A hash, not Python's own: it is the same in every process and version, so a value never moves
    # to another split.
    place = int.from_bytes(digest[:4]) / 2**32
    return next(split for split, end in _SHARES if place < end)


@dataclass(frozen=True)
class Pool:
    """Values of one parameter."""

    name: str
    values: tuple[Value, ...]
    open: bool = True

    @cached_property
    def _by_split(self) -> dict[str, tuple[Value, ...]]:
        if not self.open:
            return dict.fromkeys(SPLITS, self.values)
        return {s: tuple(v for v in self.values if split_of(v) == s) for s in SPLITS}

    def share(self, split: str) -> tuple[Value, ...]:
        """The values that a split may use."""
        return self._by_split[split]


def _open(name: str, values: Iterable[Value]) -> Pool:
    return Pool(name, tuple(values))


def closed(name: str, *values: Value) -> Pool:
    """A pool of a few choices that all splits share."""
    return Pool(name, values, open=False)


PERSON = _open("person", content.PEOPLE)
CITY = _open("city", (city.name for city in content.CITIES))
FACT = _open("fact", (fact.key for fact in content.FACTS))
PLACE = _open("place", (place.name for place in content.PLACES))
NOTE = _open("note", (note.title for note in content.NOTES))
EVENT = _open("event", content.EVENTS)
TEXT = _open("text", content.TEXTS)
MAIL = _open("mail", (mail.subject for mail in content.MAILS))
FILE = _open("file", (file.name for file in content.FILES))
VIDEO = _open("video", (video.title for video in content.VIDEOS))
SONG = _open("song", (song.title for song in content.SONGS))
STORE_APP = _open("store_app", (app.name for app in content.STORE_APPS))
ALBUM = _open("album", content.ALBUMS)
WIFI_NETWORK = _open("wifi_network", content.WIFI_NETWORKS)
BLUETOOTH_DEVICE = _open("bluetooth_device", content.BLUETOOTH_DEVICES)
SITE = _open("site", (site.host for site in content.SITES))
ARTICLE = _open("article", (article.headline for article in content.ARTICLES))
QUERY = _open("query", content.QUERIES)
ALARM_LABEL = _open("alarm_label", content.ALARM_LABELS)
REMINDER = _open("reminder", content.REMINDERS)
PRODUCT = _open("product", (product.name for product in content.PRODUCTS))
PRODUCT_LINE = _open("product_line", dict.fromkeys(f"{p.brand} {p.kind}" for p in content.PRODUCTS))
BRAND = _open("brand", dict.fromkeys(product.brand for product in content.PRODUCTS))
PROMO_CODE = _open("promo_code", content.PROMO_CODES)
TIME = _open("time", (phone_time.clock_text(minutes) for minutes in range(0, 1440, 5)))
MINUTES = _open("minutes", range(2, 100))
NUMBER = _open("number", range(11, 1000))
PHONE_NUMBER = _open("phone_number", (f"72{n % 9}-{1000 + n * 7919 % 9000}" for n in range(150)))
KEYPAD_CODE = _open("keypad_code", (f"0{n:02d}" for n in range(100)))
TWO_DIGITS = _open("two_digits", range(11, 100))
DATE = _open("date", (phone_time.long_date(day) for day in range(90)))
WIFI_PASSWORD = _open(
    "wifi_password",
    (
        f"{word}{1000 + n * 7919 % 9000}"
        for n, word in enumerate(("otter", "maple", "cobalt", "ember", "pixel", "tulip") * 20)
    ),
)
SWITCH = closed("switch", "on", "off")


def minutes_of(time: str) -> int:
    """Minutes after midnight of a value of TIME."""
    clock, half = time.split(" ")
    hour, minute = clock.split(":")
    return int(hour) % 12 * 60 + int(minute) + (720 if half == "PM" else 0)


def day_of(date: str) -> int:
    """The phone's day of a value of DATE."""
    return DATE.values.index(date)
