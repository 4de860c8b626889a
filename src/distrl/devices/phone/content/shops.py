"""The web shops and what their customers say."""

from dataclasses import dataclass

from distrl.devices.phone.content.products import CATEGORY_KINDS
from distrl.devices.phone.content.tables.reader import phrases


@dataclass(frozen=True, slots=True)
class Shop:
    """A web shop; it sells the products of its categories."""

    host: str
    name: str
    color_name: str
    """Color of its pages, different for each shop."""
    categories: tuple[str, ...]


SHOPS = (
    Shop("wattbarrow.com", "Wattbarrow", "blue", ("electronics", "computers", "mobile")),
    Shop("omnicrate.com", "Omnicrate", "orange", tuple(CATEGORY_KINDS)),
    Shop("threadmoor.com", "Threadmoor", "pink", ("fashion",)),
    Shop("hobnook.com", "Hobnook", "green", ("kitchen", "home", "books")),
    Shop("stridefell.com", "Stridefell", "red", ("sports", "outdoor")),
    Shop("rewander.com", "Rewander", "purple", ("electronics", "books", "toys", "tools")),
)

PROMO_CODES = tuple(
    f"{word}{percent}"
    for word in phrases("""
        MAPLE; COMET; PUFFIN; LANTERN; BREEZE; WILLOW; PEBBLE; ROCKET; SAFFRON; OTTER; THIMBLE
        GLACIER; MANGO; BEACON; PARSLEY
    """)
    for percent in (10, 15, 20, 25)
)
"""Every shop takes every code; its last two digits are what it takes off, in percent."""

REVIEWS = phrases("""
    Does exactly what it says.; Arrived a day early, well packed.; Smaller than I expected.
    Bought a second one for my sister.; The color is nicer in person.; Broke after a month of use.
    Great value for the price.; Instructions could be clearer.; My kids fight over it.
    Feels sturdy and well made.; Not worth the full price.; Works fine, nothing special.
    I use it every single day.; The box was dented but fine inside.; Customer service was helpful.
    Would buy again without thinking.; A bit heavy to carry around.; Quiet and reliable.
    The smell went away after a week.; Perfect gift for my father.; Stopped working in the rain.
    Easy to clean, looks like new.; Fits better than my old one.; Took ages to arrive.
    Better than brands twice the price.; Sadly the wrong size for me.; Simple and solid.
    The finish scratches easily.; Surprisingly light for its size.; Set up in two minutes.
    Returned it, no questions asked.; Exceeded all my expectations.; Good, but the lid is loose.
    I wish it came in more colors.; Still going strong after a year.; Looks cheap up close.
    My favorite purchase this year.; Handy for small apartments.; Too loud for the bedroom.
    The material feels soft and warm.; Exactly like the picture.; Missing a screw, otherwise fine.
    Makes mornings much easier.; Held up well on a long trip.; Decent starter model.
""")
