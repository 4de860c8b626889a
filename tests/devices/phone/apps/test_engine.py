"""The search engine of the browser."""

from __future__ import annotations

import pytest

from distrl.devices.phone import content
from distrl.devices.phone.apps.engine import search
from distrl.devices.phone.apps.shop_catalogue import IDS


def test_every_fact_is_answered_by_its_own_key() -> None:
    found = {fact.key: search(fact.key) for fact in content.FACTS}
    told = {key: (page.answer, page.snippet) for key, page in found.items()}
    assert told == {fact.key: (fact.answer, fact.snippet) for fact in content.FACTS}


def test_a_fact_is_found_inside_a_question_in_any_case() -> None:
    assert search("what is the CAPITAL OF PERU?").answer == "Lima"


def test_half_a_word_is_no_match() -> None:
    assert search("capital of Perugia").answer == ""


def test_a_shop_is_the_first_result_for_its_name() -> None:
    first = search("Omnicrate").links[0]
    assert (first.page, dict(first.args)) == ("shop", {"host": "omnicrate.com"})


def test_a_product_leads_to_its_page_in_every_shop_that_sells_it() -> None:
    product = content.PRODUCTS[0]
    shops = [shop.host for shop in content.SHOPS if product.category in shop.categories]
    links = [link for link in search(f"buy {product.name}").links if link.page == "product"]
    assert [dict(link.args) for link in links] == [
        {"host": host, "id": IDS[product.name]} for host in shops
    ]


def test_a_kind_of_product_leads_to_the_lists_of_shops() -> None:
    first = search("cheap headphones").links[0]
    assert first.page == "listing"
    assert dict(first.args)["query"] == "headphones"


@pytest.mark.parametrize("query", ["", "!!!", "{x}", "%s", "a" * 500])
def test_any_query_has_results(query: str) -> None:
    found = search(query)
    assert len(found.links) == 8
    assert all(link.title for link in found.links)
