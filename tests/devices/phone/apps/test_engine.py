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


@pytest.mark.parametrize("shop", content.SHOPS, ids=lambda shop: shop.host)
def test_every_shop_is_found_by_name_and_by_address(shop: content.Shop) -> None:
    for query in (shop.name, shop.host, f"visit {shop.name.upper()} today"):
        first = search(query).links[0]
        assert (first.page, dict(first.args)["host"]) == ("shop", shop.host)


@pytest.mark.parametrize("site", content.SITES[:12], ids=lambda site: site.host)
def test_a_site_is_found_by_its_title(site: content.Site) -> None:
    links = [dict(link.args).get("host") for link in search(site.title).links]
    assert links[0] == site.host


def test_an_article_is_found_by_its_headline_on_at_most_four_sites() -> None:
    headline = content.ARTICLES[0].headline
    links = [link for link in search(headline).links if link.page == "article"]
    assert 1 <= len(links) <= 4
    assert {link.title for link in links} == {headline}


def test_the_longest_fact_counts() -> None:
    fact = max(content.FACTS, key=lambda fact: len(fact.key))
    assert search(f"please tell me the {fact.key} now").answer == fact.answer


def test_the_same_query_has_the_same_results() -> None:
    assert search("rain tomorrow") == search("rain tomorrow")
    assert search("rain tomorrow").links != search("rain yesterday").links


@pytest.mark.parametrize("query", ["rain tomorrow", "capital of Peru", ""])
def test_related_queries_are_three_of_the_known_ones(query: str) -> None:
    related = search(query).related
    assert len(set(related)) == len(related) == 3
    assert set(related) <= set(content.QUERIES)


def test_a_product_that_is_named_counts_more_than_its_kind() -> None:
    product = next(p for p in content.PRODUCTS if p.kind == "headphones")
    assert search(product.name).links[0].page == "product"
    assert search(product.kind).links[0].page == "listing"


def test_links_have_an_icon_of_their_kind() -> None:
    icons = {link.page: link.icon for q in ("Omnicrate", "zzz") for link in search(q).links}
    assert icons == {"shop": "cart", "site": "globe"}
