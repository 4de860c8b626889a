"""Questions about shops that are answered in words. They are no part of the shopping suite."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, price_text, wish_key
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.answers import same_answer
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT
from distrl.tasks.question import Question, Unanswerable, yes_or_no
from distrl.tasks.shopping import asking, missing
from distrl.tasks.shopping.common import (
    BROWSER,
    SHOP,
    clear_product,
    draw_product,
    draw_two,
    fill_cart,
    make_line,
    others,
    price_of,
    write,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene, Template


class _OnPage(Question):
    """Something that stands on the page of a product."""

    def look(self, hand: Hand, p: Params) -> None:
        """The page is in front: lists of products have more than one number on a line."""
        Shopper(hand, p["shop"]).product(p["product"])


class Price(_OnPage):
    """What a product costs."""

    name = "q_price"
    phrasings = (
        "How much does the {product} cost on {shop}? Answer with the price",
        "Tell me the price of the {product} at {shop}",
        "What would I pay for one {product} on {shop}?",
    )
    place = asking.AskPrice()

    def right(self, state: State, p: Params) -> str:
        """Its price."""
        return price_text(price_of(p["product"]))


class Rating(_OnPage):
    """How customers rate a product."""

    name = "q_rating"
    phrasings = (
        "How many of 5 stars do customers of {shop} give the {product}? Tell me the number",
        "Tell me the star rating of the {product} on {shop}",
        "With how many stars is the {product} rated at {shop}?",
    )
    place = asking.AskRating()

    def right(self, state: State, p: Params) -> str:
        """Its stars, as they are written."""
        return f"{_stars(p)} of 5 stars"

    def check(self, scene: Scene, p: Params) -> bool:
        """The number alone is enough."""
        alone = scene.answer is not None and same_answer(scene.answer, _stars(p))
        return alone or super().check(scene, p)


def _stars(p: Params) -> str:
    return str(PRODUCTS[IDS[p["product"]]].rating_tenths / 10)


class Stock(Question):
    """How many pieces are left."""

    name = "q_stock"
    unseen = True
    phrasings = (
        "How many pieces of the {product} are left at {shop}? Tell me the number",
        "What number of {product} does {shop} still have?",
        "Tell me how many {product} are in stock on {shop}",
    )
    place = asking.AskStock()

    def right(self, state: State, p: Params) -> str:
        """The number that is left."""
        return str(PRODUCTS[IDS[p["product"]]].stock)

    def check(self, scene: Scene, p: Params) -> bool:
        """The number, or the line of the page that begins with it."""
        # The next sentence of that line says how many days a delivery takes.
        first = None if scene.answer is None else scene.answer.partition(". ")[0]
        return first is not None and same_answer(first, self.right(scene.before, p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Answer in the words that say it."""
        self.look(hand, p)
        left = f"{self.right(hand.state, p)} left"
        said = [e.text for e in hand.view.elements if e.text.startswith(left)]
        hand.answer(said[0] if said else left)


class Status(Question):
    """Where an order is."""

    name = "q_status"
    phrasings = (
        "In a word, what is the status of my {product} order on {shop}?",
        "Tell me the status of the {product} that I ordered at {shop}",
        "Is my order of the {product} on {shop} processing, shipped or delivered?",
    )
    place = asking.AskStatus()

    def right(self, state: State, p: Params) -> str:
        """The word on its page."""
        return str(state["apps"][BROWSER]["orders"]["target"]["status"])


class Total(Question):
    """What an order cost altogether."""

    name = "q_total"
    phrasings = (
        "What was the total of my order of the {product} on {shop}? Answer with the amount",
        "Tell me how much I paid at {shop} for the order with the {product}",
        "How much money did my {product} order at {shop} cost me?",
    )
    place = asking.AskTotal()

    def right(self, state: State, p: Params) -> str:
        """The sum on its page."""
        return price_text(state["apps"][BROWSER]["orders"]["target"]["total"])


class _Listed(Question):
    """Whether a product stands in a list of the shop."""

    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        """A product that the shop sells."""
        return draw_product(draw)


class InCart(_Listed):
    """Whether a product is in the cart."""

    name = "q_in_cart"
    phrasings = (
        "Is the {product} in my cart on {shop}?",
        "Have I put the {product} into my {shop} cart, yes or no?",
        "Does my cart at {shop} hold the {product}?",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be, beside something else."""
        lines = others(p["shop"], p["product"], rng, 1)
        if rng.random() < 0.5:
            lines.insert(rng.randrange(2), make_line(p["product"], rng))
        fill_cart(control, p["shop"], lines)

    def look(self, hand: Hand, p: Params) -> None:
        """The cart is in front."""
        Shopper(hand, p["shop"]).cart()

    def right(self, state: State, p: Params) -> str:
        """What the cart holds."""
        lines = state["apps"][BROWSER]["carts"][p["shop"]].values()
        return yes_or_no(any(line["product"] == IDS[p["product"]] for line in lines))


class OnWishlist(_Listed):
    """Whether a product is on the wishlist."""

    name = "q_on_wishlist"
    phrasings = (
        "Is the {product} on my wishlist at {shop}?",
        "Have I saved the {product} to my {shop} wishlist, yes or no?",
        "Does my wishlist on {shop} have the {product}?",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be."""
        clear_product(control, p["shop"], p["product"])
        if rng.random() < 0.5:
            product = PRODUCTS[IDS[p["product"]]]
            color = rng.choice(product.colors) if product.colors else ""
            key = wish_key(IDS[p["product"]], color)
            entry = {"product": IDS[p["product"]], "color": color}
            write(control, "wishlists", p["shop"], key, to=entry)

    def look(self, hand: Hand, p: Params) -> None:
        """The wishlist is in front."""
        Shopper(hand, p["shop"]).wishlist()

    def right(self, state: State, p: Params) -> str:
        """What the list holds."""
        wishes = state["apps"][BROWSER]["wishlists"][p["shop"]].values()
        return yes_or_no(any(wish["product"] == IDS[p["product"]] for wish in wishes))


class CartCount(Question):
    """How many different things are in the cart."""

    name = "q_cart_count"
    weight = 0.5
    phrasings = (
        "How many different products are in my cart on {shop}?",
        "Count the different things in my {shop} cart",
        "How many products does my cart at {shop} list?",
        "What number of different products have I put into the {shop} cart?",
        "Tell me how many different things my {shop} cart holds",
    )
    params = {"shop": SHOP}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """One to three."""
        fill_cart(control, p["shop"], others(p["shop"], "", rng, rng.randint(1, 3)))

    def look(self, hand: Hand, p: Params) -> None:
        """The cart is in front."""
        Shopper(hand, p["shop"]).cart()

    def right(self, state: State, p: Params) -> str:
        """Its lines."""
        return str(len(state["apps"][BROWSER]["carts"][p["shop"]]))


class Cheaper(Question):
    """Two pages: which of two products costs less."""

    name = "q_cheaper"
    phrasings = (
        "Which is cheaper on {shop}, the {first} or the {second}?",
        "{first} or {second}: which one costs less at {shop}?",
        "Compare the {first} with the {second} on {shop} and tell me the cheaper one",
    )
    params = {"first": PRODUCT, "second": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Two products of the shop at different prices."""
        return draw_two(draw)

    def look(self, hand: Hand, p: Params) -> None:
        """The page of the second is in front, and that of the first is behind it."""
        pages = hand.state["ui"]["stacks"].get(BROWSER, [])
        shown = [page["args"].get("id") for page in pages if page["name"] == "product"]
        shopper = Shopper(hand, p["shop"])
        if IDS[p["first"]] not in shown:
            shopper.product(p["first"])
        shopper.product(p["second"])

    def right(self, state: State, p: Params) -> str:
        """Its name."""
        return str(min((p["first"], p["second"]), key=price_of))


class NoPrice(Unanswerable):
    """What a shop does not sell has no price there."""

    name = "q_no_price"
    phrasings = Price.phrasings
    place = missing.MissingProduct()

    def look(self, hand: Hand, p: Params) -> None:
        """The results of a search for it are in front."""
        Shopper(hand, p["shop"]).search(p["product"])


TEMPLATES: tuple[Template, ...] = (
    Price(),
    Rating(),
    Stock(),
    Status(),
    Total(),
    InCart(),
    OnWishlist(),
    CartCount(),
    Cheaper(),
    NoPrice(),
)
