"""Products can be found, compared and bought."""

from collections import Counter, defaultdict

from distrl.devices.phone.content import PRODUCTS, SHOPS, Product

KINDS = {
    *("headphones", "laptop", "mouse", "keyboard", "phone", "tablet", "watch", "camera"),
    *("speaker", "monitor", "charger", "battery", "shoe", "shirt", "jacket", "hat", "backpack"),
    *("mug", "bottle", "lamp", "chair", "book", "toy", "ball", "pan", "knife", "blender"),
    *("vacuum", "tent", "drill"),
}
COLORS = {
    *("red", "orange", "yellow", "green", "blue", "purple"),
    *("pink", "brown", "black", "white", "gray", "teal"),
}


def line_of(product: Product) -> str:
    """Return the part of the name between brand and kind."""
    return product.name.removeprefix(product.brand).removesuffix(product.kind).strip()


def by_kind() -> dict[str, list[Product]]:
    """Sort the products by kind."""
    kinds: dict[str, list[Product]] = defaultdict(list)
    for product in PRODUCTS:
        kinds[product.kind].append(product)
    return kinds


def test_every_kind_has_a_choice_of_products_in_one_category() -> None:
    kinds = by_kind()
    assert set(kinds) == KINDS
    for products in kinds.values():
        assert len(products) >= 14
        assert len({product.category for product in products}) == 1


def test_prices_and_ratings_tell_the_products_of_a_kind_apart() -> None:
    for products in by_kind().values():
        assert len({product.price_cents for product in products}) == len(products)
        assert len({product.rating_tenths for product in products}) == len(products)


def test_the_line_alone_finds_exactly_one_product() -> None:
    for product in PRODUCTS:
        line = line_of(product).lower()
        assert line
        assert [p.name for p in PRODUCTS if line in p.name.lower()] == [product.name]


def test_the_brand_finds_its_own_products_and_no_others() -> None:
    brands = Counter(product.brand for product in PRODUCTS)
    for brand, size in brands.items():
        found = [product for product in PRODUCTS if brand.lower() in product.name.lower()]
        assert len(found) == size >= 3


def test_options_are_known_and_not_repeated() -> None:
    for product in PRODUCTS:
        assert COLORS.issuperset(product.colors)
        assert len(set(product.colors)) == len(product.colors)
        assert len(set(product.sizes)) == len(product.sizes)
        assert bool(product.sizes) == (product.kind in {"shoe", "shirt", "jacket", "hat"})


def test_numbers_are_in_range() -> None:
    for product in PRODUCTS:
        assert 500 <= product.price_cents <= 250_000
        assert 30 <= product.rating_tenths <= 50
        assert product.stock >= 1


def test_shops_differ_and_sell_something_of_each_category_they_list() -> None:
    stocked = {product.category for product in PRODUCTS}
    assert len({shop.color_name for shop in SHOPS}) == len(SHOPS) == 6
    assert len({shop.categories for shop in SHOPS}) == 6
    for shop in SHOPS:
        assert shop.color_name in COLORS
        assert stocked.issuperset(shop.categories)
        assert sum(product.category in shop.categories for product in PRODUCTS) >= 50
    assert stocked == {category for shop in SHOPS for category in shop.categories}
