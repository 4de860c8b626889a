"""The list of what the phone can say, against what it does say."""

from __future__ import annotations

import re
from functools import cache

import pytest

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps, content, labels
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.registry import find
from distrl.devices.phone.system import Phone


def plain(label: str) -> str:
    return re.sub(r"\d+", "0", label.lower())


@cache
def known() -> frozenset[str]:
    return frozenset(map(plain, labels.list_labels()))


def test_it_is_the_same_list_every_time() -> None:
    assert labels.list_labels.__wrapped__() == labels.list_labels()


def test_labels_that_differ_in_numbers_only_are_listed_once() -> None:
    assert len(known()) == len(labels.list_labels())


def test_apps_people_and_products_are_listed() -> None:
    titles = {find(app).title for app in apps.names()}
    products = {product.name for product in content.PRODUCTS}
    assert {plain(name) for name in (*titles, *content.PEOPLE, *products)} <= known()


@pytest.mark.parametrize(
    "label",
    [
        "Update available",
        "Don't allow",
        "Reject all",
        "Install now",
        "Loading...",
        "No notifications",
        "All apps",
        "Filter results",
        "Next month",
        "Task added",
        "The phone of the year",
    ],
)
def test_words_of_pages_dialogs_and_nuisances_are_listed(label: str) -> None:
    assert plain(label) in known()


def test_no_sentence_of_a_task_is_listed() -> None:
    questions = {plain(fact.question) for fact in content.FACTS}
    assert not questions & known()


@pytest.mark.parametrize("layout", [1, 2])
def test_first_screens_of_a_phone_that_was_not_looked_at_are_known(layout: int) -> None:
    phone = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0, layout=layout))
    phone.reset(123_456)
    home = phone.snapshot()
    said: set[str] = set()
    for element in phone.phone.view.elements:
        phone.restore(home)
        phone.perform(actions.tap(*element.center))
        said |= {plain(e.text or e.description) for e in phone.phone.view.elements}
    assert len(said) > 100
    assert len(said - known()) <= 0.05 * len(said), said - known()


def test_every_overlay_that_a_phone_knows_is_looked_at() -> None:
    covered = {Phone(state).view.covered for state in labels._covered_screens()}
    assert covered == {"", *labels._OVERLAYS}


def test_the_edition_changes_with_the_code(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("phone")
    source = folder / "labels.py"
    source.write_text("one")
    monkeypatch.setattr(labels, "__file__", str(source))
    editions = [labels.labels_edition(), labels.labels_edition()]
    (folder / "apps").mkdir()
    (folder / "apps" / "notes.py").write_text("two")
    editions.append(labels.labels_edition())
    source.write_text("three")
    editions.append(labels.labels_edition())
    assert editions[0] == editions[1]
    assert len(set(editions)) == 3


@pytest.mark.parametrize(
    "pool",
    [
        content.ALARM_LABELS,
        content.ALBUMS,
        content.BLUETOOTH_DEVICES,
        content.EVENTS,
        content.QUERIES,
        content.REMINDERS,
        content.TEXTS,
        content.WIFI_NETWORKS,
        tuple(shop.host for shop in content.SHOPS),
        tuple(site.title for site in content.SITES),
        tuple(song.artist for song in content.SONGS),
        tuple(mail.subject for mail in content.MAILS),
        tuple(place.name for place in content.PLACES),
        tuple(app.name for app in content.STORE_APPS),
        tuple(video.title for video in content.VIDEOS),
    ],
)
def test_everything_of_a_pool_is_listed(pool: tuple[str, ...]) -> None:
    assert set(map(plain, pool)) <= known()


def test_labels_are_as_they_are_shown() -> None:
    listed = labels.list_labels()
    assert "Navigate up" in listed
    assert "Dark theme" in listed
    assert any(label != label.lower() for label in listed)


def test_hearing_a_label_again_is_nothing_new() -> None:
    walk = labels._Walk()
    assert walk.hear(["Note 1"])
    assert not walk.hear(["note 22"])
    assert list(walk.labels.values()) == ["Note 1"]
