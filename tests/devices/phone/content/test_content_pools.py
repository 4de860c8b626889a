"""Every word the phone can show is there, well formed, and cannot be taken for another."""

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from distrl.devices.phone import content

APP_TITLES = (
    *("Settings", "Clock", "Calculator", "Calendar", "Contacts", "Phone", "Messages", "Mail"),
    *("Notes", "Files", "Gallery", "Maps", "Video", "Music", "Store", "Browser", "Weather"),
    *("Camera", "Recorder", "Wallet"),
)

POOLS: dict[str, tuple[int, Sequence[str]]] = {
    "people": (110, content.PEOPLE),
    "cities": (90, [city.name for city in content.CITIES]),
    "fact keys": (160, [fact.key for fact in content.FACTS]),
    "fact questions": (160, [fact.question for fact in content.FACTS]),
    "places": (120, [place.name for place in content.PLACES]),
    "streets": (120, [place.street for place in content.PLACES]),
    "notes": (130, [note.title for note in content.NOTES]),
    "note bodies": (130, [note.body for note in content.NOTES]),
    "events": (110, content.EVENTS),
    "texts": (120, content.TEXTS),
    "mails": (120, [mail.subject for mail in content.MAILS]),
    "mail bodies": (120, [mail.body for mail in content.MAILS]),
    "files": (110, [file.name for file in content.FILES]),
    "videos": (120, [video.title for video in content.VIDEOS]),
    "channels": (40, sorted({video.channel for video in content.VIDEOS})),
    "songs": (90, [song.title for song in content.SONGS]),
    "artists": (30, sorted({song.artist for song in content.SONGS})),
    "store apps": (110, [app.name for app in content.STORE_APPS]),
    "developers": (40, sorted({app.developer for app in content.STORE_APPS})),
    "albums": (70, content.ALBUMS),
    "wifi": (70, content.WIFI_NETWORKS),
    "bluetooth": (70, content.BLUETOOTH_DEVICES),
    "hosts": (90, [site.host for site in content.SITES]),
    "sites": (90, [site.title for site in content.SITES]),
    "articles": (90, [article.headline for article in content.ARTICLES]),
    "queries": (100, content.QUERIES),
    "alarm labels": (70, content.ALARM_LABELS),
    "contact groups": (30, content.CONTACT_GROUPS),
    "reminders": (100, content.REMINDERS),
    "shops": (6, [shop.name for shop in content.SHOPS]),
    "shop hosts": (6, [shop.host for shop in content.SHOPS]),
    "products": (420, [product.name for product in content.PRODUCTS]),
    "brands": (40, sorted({product.brand for product in content.PRODUCTS})),
    "reviews": (40, content.REVIEWS),
    "promo codes": (60, content.PROMO_CODES),
    "app titles": (20, APP_TITLES),
}

WORDS = {
    "people": (2, 2),
    "places": (1, 3),
    "notes": (1, 3),
    "events": (1, 3),
    "texts": (3, 7),
    "mails": (2, 5),
    "videos": (2, 5),
    "store apps": (1, 2),
    "articles": (3, 6),
    "queries": (2, 5),
    "reminders": (2, 4),
    "products": (2, 4),
}


def plain(text: str) -> str:
    """Letters and digits only: stricter than any comparison a task makes."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@pytest.mark.parametrize("pool", POOLS)
def test_a_pool_is_large_enough_and_holds_no_value_twice(pool: str) -> None:
    least, values = POOLS[pool]
    counts = Counter(map(plain, values))
    assert len(values) >= least
    assert "" not in counts
    assert [value for value, times in counts.items() if times > 1] == []


def test_no_value_of_one_pool_equals_a_value_of_another() -> None:
    owners: dict[str, str] = {}
    clashes = []
    for pool, (_, values) in POOLS.items():
        for value in values:
            other = owners.setdefault(plain(value), pool)
            if other != pool:
                clashes.append((value, pool, other))
    assert clashes == []


@pytest.mark.parametrize("pool", WORDS)
def test_values_are_as_short_as_a_goal_needs(pool: str) -> None:
    fewest, most = WORDS[pool]
    assert [v for v in POOLS[pool][1] if not fewest <= len(v.split()) <= most] == []


@pytest.mark.parametrize("pool", POOLS)
def test_values_are_tidy_ascii(pool: str) -> None:
    values = POOLS[pool][1]
    assert [v for v in values if not v.isascii() or v != " ".join(v.split())] == []


def test_the_package_exports_exactly_its_pools_and_their_types() -> None:
    public = {name for name, value in vars(content).items() if isinstance(value, tuple | type)}
    assert set(content.__all__) == {name for name in public if not name.startswith("_")}


def test_first_names_and_surnames_are_each_unique() -> None:
    parts = [part for person in content.PEOPLE for part in person.split()]
    assert len(set(parts)) == len(parts) == 2 * len(content.PEOPLE)
    assert all(part.isalpha() for part in parts)


def test_texts_can_be_typed_without_shift() -> None:
    assert [text for text in content.TEXTS if not re.fullmatch(r"[a-z0-9 ]+", text)] == []


def test_cities_have_real_time_zones() -> None:
    offsets = {city.utc_offset_minutes for city in content.CITIES}
    assert all(offset % 15 == 0 and -720 <= offset <= 840 for offset in offsets)


def test_places_cover_every_category_with_distinct_ratings() -> None:
    ratings: dict[str, list[float]] = {}
    for place in content.PLACES:
        ratings.setdefault(place.category, []).append(place.rating)
        assert 1.0 <= place.rating <= 5.0
        assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", place.open_until)
    assert set(ratings) == {
        *("restaurant", "coffee", "fuel", "hotel", "hospital", "bank"),
        *("pharmacy", "gym", "museum", "park", "supermarket", "cinema"),
    }
    for values in ratings.values():
        assert len(values) >= 8
        assert len(set(values)) == len(values)


def test_files_lie_in_the_four_folders_and_have_an_ending() -> None:
    assert {file.folder for file in content.FILES} == {
        *("Documents", "Downloads", "Music", "Pictures")
    }
    assert all(re.fullmatch(r"[a-z0-9_]+\.[a-z0-9]+", file.name) for file in content.FILES)


def test_hosts_are_web_addresses() -> None:
    hosts = [site.host for site in content.SITES] + [shop.host for shop in content.SHOPS]
    assert all(re.fullmatch(r"[a-z]+\.(com|org)", host) for host in hosts)


def test_media_and_apps_have_sensible_numbers() -> None:
    assert all(1 <= video.minutes <= 60 for video in content.VIDEOS)
    assert all(1.0 <= app.rating <= 5.0 and app.size_mb > 0 for app in content.STORE_APPS)
