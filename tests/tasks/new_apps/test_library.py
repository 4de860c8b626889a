from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

from distrl.devices.phone.apps.library import BOOKS
from distrl.devices.phone.apps.web import LIBRARY_HOST

BOOK = sorted(BOOKS)[0]
SHELF = ("apps", "browser", "library")


def _posed(template: str, seed: int = 5) -> Posed:
    return Posed(template, seed, book=BOOK, site=LIBRARY_HOST)


@pytest.mark.parametrize(
    ("template", "wanted"), [("reserve_book", True), ("cancel_reservation", False)]
)
def test_a_book_starts_the_other_way_and_no_other_counts(template: str, wanted: bool) -> None:
    posed = _posed(template)
    books = posed.data("browser")["library"]
    assert books["target"]["reserved"] is not wanted
    other, book = neighbour(books)
    posed.change(*SHELF, other, "reserved", to=not book["reserved"])
    assert not posed.reached
    assert posed.side_effects == (f"apps.browser.library.{other}.reserved",)
    posed.change(*SHELF, other, "reserved", to=book["reserved"])
    posed.change(*SHELF, "target", "reserved", to=wanted)
    assert posed.reached
    assert not posed.side_effects


@pytest.mark.parametrize("template", ["open_book", "reserve_book", "cancel_reservation"])
def test_the_catalogue_has_the_book_once_and_the_oracle_finds_it(template: str) -> None:
    for seed in (5, 6):
        posed = _posed(template, seed)
        titles = [book["title"] for book in posed.data("browser")["library"].values()]
        assert titles.count(BOOK) == 1
        assert not posed.reached
        posed.solve()
        assert posed.reached
        assert not posed.side_effects


def test_reserving_a_book_is_more_than_opening_it() -> None:
    posed = _posed("open_book")
    posed.change(*SHELF, "target", "reserved", to=True)
    assert not posed.reached
    assert posed.side_effects == ("apps.browser.library.target.reserved",)
