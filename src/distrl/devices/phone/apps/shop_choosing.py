"""Pages of a web shop on which one looks for something: front page, results and filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    PRODUCTS,
    SORTS,
    STYLES,
    WISHES,
    Style,
    Wish,
    candidates,
    deals,
    options,
    select,
    usual_color,
)
from distrl.devices.phone.apps.shop_frame import (
    frame,
    in_grid,
    opener,
    results,
    shop_menu,
    swatches,
)
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.art.products import BACKGROUND
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import TITLE, Ui
from distrl.devices.phone.ui.view import HEIGHT, Handler, absorb

_PAGE = 16
"""Results that a listing shows at first, and adds at every `Show more`."""
_TITLES = {
    "sort": "Sort by",
    "brand": "Brand",
    "color": "Color",
    "price": "Price",
    "rating": "Rating",
}


def wish_of(values: State) -> Wish:
    """The wish that the values of a listing page spell out."""
    return Wish(**{name: str(values.get(name, "")) for name in WISHES})


class ChoosingPages:
    """Front page, listing and filters."""

    def page_shop(self, ui: Ui) -> None:
        """The front page: a banner, categories, a wall of pictures and some offers."""
        host = ui.args["host"]
        style = frame(ui, host)
        shop = SHOPS[host]
        first = deals(host)[0]
        goods = (PRODUCTS[first].kind, usual_color(first))
        title = f"{shop.name} sale"
        paint = ("sale", title, style.slogan, style.tint, BACKGROUND, goods)
        on_tap = opener("listing", host=host, category=shop.categories[0])
        ui.place(paint, 66, "item", title, style.slogan, on_tap)
        sections = [self._categories, self._wall, self._deals]
        if style.compact:
            sections = [self._wall, self._categories, self._deals]
        for section in sections if ui.version == 1 else (sections[1], sections[0], sections[2]):
            section(ui, host, style)
        ui.text(f"(c) {shop.name}. All prices include tax.", 7, ink="muted", align="center")

    def _categories(self, ui: Ui, host: str, style: Style) -> None:
        del style
        ui.header("Categories")
        ui.chips(
            [
                (category.capitalize(), False, opener("listing", host=host, category=category))
                for category in SHOPS[host].categories
            ]
        )

    def _wall(self, ui: Ui, host: str, style: Style) -> None:
        del style
        ui.header("Shop the look")
        cells: list[tuple[Any, str, str, Handler | None]] = []
        for look in ui.data["looks"][host].values():
            key, color = look["product"], look["color"]
            paint = ("product", PRODUCTS[key].kind, color)
            cells.append((paint, "", "", opener("product", host=host, id=key, color=color)))
        ui.grid(cells, columns=3, height=56, gap=3)

    def _deals(self, ui: Ui, host: str, style: Style) -> None:
        ui.header("Deals of the day")
        results(ui, host, deals(host)[:4], grid=in_grid(ui, style))

    def dialog_shop_menu(self, ui: Ui) -> None:
        """Where else to go in the shop."""
        shop_menu(ui)

    # Results

    def page_listing(self, ui: Ui) -> None:
        """Results of a search or a category, sorted and filtered by the page's values."""
        host = ui.args["host"]
        style = frame(ui, host)
        every = candidates(host, ui.args)
        wish = wish_of(ui.page["vars"])
        keys = select(every, wish)
        if style.filter_page:
            self._filter_buttons(ui, host, every)
        else:
            self._filter_chips(ui, host, every, wish)
        what = str(ui.args.get("query") or ui.args.get("category", ""))
        if not keys:
            ui.empty(f"No results for {what}", "search")
            return
        ui.header(f'{len(keys)} result{"s" * (len(keys) != 1)} for "{what}"')
        ui.promo()
        shown = int(ui.var("shown", _PAGE))
        results(ui, host, keys[:shown], grid=in_grid(ui, style), color=wish.color)
        if len(keys) > shown:
            ui.button("Show more", lambda c: c.set_var("shown", shown + _PAGE), style="outlined")

    def _filter_chips(self, ui: Ui, host: str, every: tuple[str, ...], wish: Wish) -> None:
        names = WISHES if ui.version == 1 else (*WISHES[1:], WISHES[0])
        ui.chips(
            [
                (
                    "Sort" if name == "sort" else _TITLES[name],
                    bool(getattr(wish, name)),
                    self._chooser(host, name, every, getattr(wish, name)),
                )
                for name in names
            ]
        )

    def _chooser(self, host: str, name: str, every: tuple[str, ...], chosen: str) -> Handler:
        if name == "color":
            return opener("colors", host=host, options=list(options(every, name)), chosen=chosen)
        values = list(options(every, name))
        return opener("choose", host=host, name=name, options=values, chosen=chosen)

    def _filter_buttons(self, ui: Ui, host: str, every: tuple[str, ...]) -> None:
        values = {name: str(ui.var(name, "")) for name in WISHES}

        def open_filters(control: Control) -> None:
            offered = {name: list(options(every, name)) for name in WISHES[1:]}
            control.open("filters", host=host, options=offered)
            for name in WISHES[1:]:
                control.set_var(name, values[name])

        sort = self._chooser(host, "sort", every, values["sort"])
        ui.bottom_buttons([("Sort", sort), ("Filter", open_filters)])

    def dialog_choose(self, ui: Ui) -> None:
        """One choice for a filter or an order of the results below."""
        name, chosen = ui.args["name"], ui.args["chosen"]
        ui.color = STYLES[ui.args["host"]].tint

        def pick(value: str) -> Handler:
            return lambda c: set_below(c, {name: "" if value in (chosen, SORTS[0]) else value})

        choices = [
            (option, option == (chosen or SORTS[0]), pick(option)) for option in ui.args["options"]
        ]
        ui.dialog(_TITLES[name], choices=choices, buttons=[("Close", lambda c: c.back())])

    def dialog_colors(self, ui: Ui) -> None:
        """A colour to filter the results below by, from samples without words."""
        ui.color = STYLES[ui.args["host"]].tint
        colors, chosen = tuple(ui.args["options"]), ui.args["chosen"]
        height = 62 + 26 * -(-len(colors) // 6)
        y = (HEIGHT - height) // 2
        ui.pin(("panel", 10), (14, y, 152, height), on_tap=absorb)
        title = ("line", "Color", TITLE, "text", "surface", "left", True)
        ui.pin(title, (20, y + 6, 140, 18), "text", "Color")

        def pick(color: str) -> Handler:
            return lambda c: set_below(c, {"color": "" if color == chosen else color})

        swatches(ui, colors, chosen, "filter", pick, y=y + 28)
        close = ("button", "Close", "text", ui.color, True, "", "surface")
        box = (110, y + height - 28, 48, 22)
        ui.pin(close, box, "button", "Close", "", lambda c: c.back())

    def page_filters(self, ui: Ui) -> None:
        """All filters on a page of their own; nothing happens before `Show results`."""
        frame(ui, ui.args["host"])
        ui.bottom_buttons([("Clear", self._clear_filters), ("Show results", self._apply_filters)])
        ui.text("Filter results", TITLE, bold=True)
        names = ("brand", "color", "price", "rating")
        for name in names if ui.version == 1 else reversed(names):
            offered = tuple(ui.args["options"][name])
            if not offered:
                continue
            chosen = str(ui.var(name, ""))
            ui.header(_TITLES[name])
            if name == "color":
                swatches(ui, offered, chosen, "filter", self._drafter(name, chosen))
            else:
                draft = self._drafter(name, chosen)
                ui.chips([(value, value == chosen, draft(value)) for value in offered])

    def _drafter(self, name: str, chosen: str) -> Callable[[str], Handler]:
        def pick(value: str) -> Handler:
            return lambda c: c.set_var(name, "" if value == chosen else value)

        return pick

    def _clear_filters(self, control: Control) -> None:
        for name in WISHES[1:]:
            control.set_var(name, "")

    def _apply_filters(self, control: Control) -> None:
        set_below(control, {name: str(control.var(name, "")) for name in WISHES[1:]})


def set_below(control: Control, values: State) -> None:
    """Close the page on top and leave values on the one below it."""
    control.back()
    for name, value in values.items():
        control.set_var(name, value)
