"""Browser: tabs, bookmarks, history and downloads around the pages of `sites.py` and `shops.py`."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.library import LibraryPages
from distrl.devices.phone.apps.shops import ShopPages
from distrl.devices.phone.apps.sites import BLUE, SitePages, tint_of
from distrl.devices.phone.apps.web import (
    NEW_TAB,
    PRIVATE_INK,
    address_of,
    chrome,
    is_private,
    new_tab,
    show_tab,
    tab_of,
    title_of,
    toggle_bookmark,
    visitor,
)
from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.paint import fonts
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler


class Browser(ShopPages, SitePages, LibraryPages, App):
    """Data: bookmarks by address, downloads by id, today's edition, traces of use, shops' data."""

    name = "browser"
    title = "Browser"
    icon = "globe"
    color = BLUE
    slow = True

    def create(self, rng: Random) -> State:
        """Four bookmarks, two tabs and an empty one, some history and downloads."""
        sites = rng.sample(content.SITES, 8)
        files = rng.sample(content.FILES, 3)
        pages = [new_page("site", {"host": site.host}) for site in sites]
        records = [
            {"title": title_of(p), "address": address_of(p), "page": p["name"], "args": p["args"]}
            for p in pages
        ]
        return {
            "bookmarks": {
                r["address"]: {"title": r["title"], "page": r["page"], "args": r["args"]}
                for r in records[:4]
            },
            "edition": rng.randrange(1000),
            "downloads": {f"download{i}": {"name": f.name} for i, f in enumerate(files)},
            "recent_tabs": {
                **{f"tab{i}": {**r, "private": False} for i, r in enumerate(records[3:5])},
                "tab2": tab_of(new_page("main", {}), private=False),
            },
            "recent_current": "tab2",
            "recent_history": {f"visit{i}": record for i, record in enumerate(records[2:])},
            "recent_queries": rng.sample(content.QUERIES, 4),
            "recent_desktop": False,
            **ShopPages.create_shop_data(rng),
        }

    # The browser's own pages

    def page_main(self, ui: Ui) -> None:
        """A new tab: bookmarks and recent sites below the address field."""
        chrome(ui, "")
        if is_private(ui.data):
            ui.space(30)
            ui.place(("glyph", "incognito", "muted", "bg"), 34)
            ui.text("You are browsing privately", TITLE, align="center", bold=True)
            ui.text("Pages of this tab leave no history.", ink="muted", align="center")
            return
        sections = [self._bookmark_grid, self._recent_sites]
        for section in sections if ui.version == 1 else reversed(sections):
            section(ui)

    def _bookmark_grid(self, ui: Ui) -> None:
        ui.header("Bookmarks")
        cells: list[tuple[Any, str, str, Handler | None]] = []
        for record in list(ui.data["bookmarks"].values())[:8]:
            tint = tint_of(record["args"].get("host", ""))
            label = fonts.shorten(record["title"], SMALL, 37)
            paint = ("app_icon", "globe", tint, label, "text")
            cells.append((paint, record["title"], "", visitor(record["page"], **record["args"])))
        if cells:
            ui.grid(cells, columns=4, height=54, role="item")
        else:
            ui.text("No bookmarks yet", SMALL, ink="muted")

    def _recent_sites(self, ui: Ui) -> None:
        ui.header("Recent sites")
        seen: set[str] = set()
        for record in reversed(ui.data["recent_history"].values()):
            if record["page"] == "results" or record["address"] in seen or len(seen) >= 5:
                continue
            seen.add(record["address"])
            handler = visitor(record["page"], **record["args"])
            ui.row(record["title"], record["address"], icon="history", on_tap=handler)

    def page_search(self, ui: Ui) -> None:
        """An empty address field with what was asked lately."""
        chrome(ui, "")
        if is_private(ui.data):
            return
        for query in ui.data["recent_queries"]:
            handler = visitor("results", query=query)
            ui.row(query, icon="history", trailing="icon:up", on_tap=handler)

    def page_bookmarks(self, ui: Ui) -> None:
        """All bookmarks; a long press removes one."""
        ui.bar("Bookmarks")
        for address, record in ui.data["bookmarks"].items():
            ui.row(
                record["title"],
                address,
                icon="bookmark_filled",
                on_tap=visitor(record["page"], **record["args"]),
                on_long=self._ask_remove(address),
            )
        if not ui.data["bookmarks"]:
            ui.empty("No bookmarks", "bookmark")

    def _ask_remove(self, address: str) -> Handler:
        return lambda c: c.open("bookmark", address=address)

    def dialog_bookmark(self, ui: Ui) -> None:
        """Whether to remove a bookmark."""
        address = ui.args["address"]

        def remove(control: Control) -> None:
            control.erase("bookmarks", address)
            control.back()

        ui.dialog("Remove bookmark?", address, [("Cancel", lambda c: c.back()), ("Remove", remove)])

    def page_history(self, ui: Ui) -> None:
        """Where the user has been, newest first."""
        ui.bar("History", [("delete", "", lambda c: c.open("clear"))])
        for record in reversed(ui.data["recent_history"].values()):
            handler = visitor(record["page"], **record["args"])
            ui.row(record["title"], record["address"], icon="history", on_tap=handler)
        if not ui.data["recent_history"]:
            ui.empty("No history", "history")

    def dialog_clear(self, ui: Ui) -> None:
        """Whether to forget the history."""

        def clear(control: Control) -> None:
            control.write("recent_history", to={})
            control.write("recent_queries", to=[])
            control.back()
            control.toast("History cleared")

        ui.dialog(
            "Clear history?",
            "All visited pages are forgotten.",
            [("Cancel", lambda c: c.back()), ("Clear", clear)],
        )

    def page_downloads(self, ui: Ui) -> None:
        """Files from the web; a long press removes one."""
        ui.bar("Downloads")
        for key, record in ui.data["downloads"].items():
            ui.row(
                record["name"],
                "Downloaded",
                icon="file",
                on_tap=lambda c: c.toast("Opened"),
                on_long=self._drop_download(key),
            )
        if not ui.data["downloads"]:
            ui.empty("No downloads", "download")

    def _drop_download(self, key: str) -> Handler:
        return lambda c: c.erase("downloads", key)

    # Tabs

    def page_tabs(self, ui: Ui) -> None:
        """All open tabs: cards in layout 1, rows in layout 2."""
        actions: list[tuple[str, str, Handler]] = [
            ("add", "", lambda c: new_tab(c, private=False)),
            ("more", "More options", lambda c: c.open("tabs_menu")),
        ]
        tabs = ui.data["recent_tabs"]
        ui.bar(f"{len(tabs)} open tab{'s' * (len(tabs) != 1)}", actions)
        if not tabs:
            ui.empty("No open tabs", "tabs")
        elif ui.version == 1:
            self._tab_cards(ui)
        else:
            self._tab_rows(ui)

    def _tab_cards(self, ui: Ui) -> None:
        top = ui.y + 4
        tabs = ui.data["recent_tabs"]
        for index, (key, tab) in enumerate(tabs.items()):
            row, column = divmod(index, 2)
            x, y = 6 + 86 * column, top + 90 * row
            tint = PRIVATE_INK if tab["private"] else tint_of(tab["args"].get("host", ""))
            chosen = key == ui.data["recent_current"]
            paint = ("tab_card", tab["title"], tab["address"], tint, chosen)
            said = "Private tab" if tab["private"] else tab["address"]
            ui.place_at(paint, (x, y, 82, 86), "item", tab["title"], said, self._to_tab(key))
            close = ("glyph", "close", "white", tint)
            ui.place_at(close, (x + 64, y + 3, 16, 14), "button", "", "", self._close_tab(key))
        ui.space(8 + 90 * -(-len(tabs) // 2))

    def _tab_rows(self, ui: Ui) -> None:
        for key, tab in ui.data["recent_tabs"].items():
            y = ui.y
            icon = "incognito" if tab["private"] else "globe"
            sub = "Private tab" if tab["private"] else tab["address"] or "Empty"
            ui.row(tab["title"], sub, icon=icon, on_tap=self._to_tab(key))
            box = (WIDTH - 28, y + 2, 26, 28)
            close = ("glyph", "close", "muted", "bg")
            ui.place_at(close, box, "button", "", "Close tab", self._close_tab(key))

    def _to_tab(self, key: str) -> Handler:
        return lambda c: show_tab(c, key)

    def _close_tab(self, key: str) -> Handler:
        def close(control: Control) -> None:
            control.erase("recent_tabs", key)
            if control.data["recent_current"] == key:
                control.write("recent_current", to=next(iter(control.data["recent_tabs"]), ""))
                self._settle(control)

        return close

    def _settle(self, control: Control) -> None:
        """Put the page of the current tab below the list of tabs."""
        current = control.data["recent_current"]
        if current in control.data["recent_tabs"]:
            show_tab(control, current)
        else:
            control.back_to("main")
        control.open("tabs")

    def dialog_tabs_menu(self, ui: Ui) -> None:
        """What can be done to all tabs."""

        def close_all(control: Control) -> None:
            control.write("recent_tabs", to={})
            control.write("recent_current", to="")
            self._settle(control)

        ui.menu(
            [
                (NEW_TAB, lambda c: new_tab(c, private=False)),
                ("New private tab", lambda c: new_tab(c, private=True)),
                ("Close all tabs", close_all),
            ]
        )

    # The menu

    def dialog_menu(self, ui: Ui) -> None:
        """The menu of the page below."""
        stack = ui.state["ui"]["stacks"][self.name]
        below = stack[-2] if len(stack) > 1 else stack[-1]
        kept = address_of(below) in ui.data["bookmarks"]
        desktop = ui.data["recent_desktop"]
        bookmark = "Remove bookmark" if kept else "Add bookmark"
        items: list[tuple[str, Handler]] = [
            (NEW_TAB, lambda c: new_tab(c, private=False)),
            ("New private tab", lambda c: new_tab(c, private=True)),
            ("Bookmarks", lambda c: c.replace("bookmarks")),
            ("History", lambda c: c.replace("history")),
            ("Downloads", lambda c: c.replace("downloads")),
            (bookmark, self._bookmark_below),
            ("Download page", self._download_below),
            ("Find in page", lambda c: c.replace("find")),
            ("Mobile site" if desktop else "Desktop site", self._flip_desktop),
        ]
        ui.menu(items if ui.version == 1 else [*items[2:], *items[:2]])

    def _bookmark_below(self, control: Control) -> None:
        control.back()
        toggle_bookmark(control, control.page)

    def _download_below(self, control: Control) -> None:
        control.back()
        if not address_of(control.page):
            control.toast("Nothing to download here")
            return
        record = {"name": f"{title_of(control.page)}.html"}
        control.write("downloads", control.new_id("download"), to=record)
        control.toast("Page downloaded")

    def _flip_desktop(self, control: Control) -> None:
        control.back()
        control.write("recent_desktop", to=not control.data["recent_desktop"])

    def dialog_find(self, ui: Ui) -> None:
        """Find words in the page below."""
        wanted = ui.text_of("find").lower()
        below = ui.view.widgets[: ui.view.live]
        found = sum(wanted in widget.text.lower() for widget in below) if wanted else 0
        body = f"{found} found" if wanted else "Type what to look for"
        ui.dialog("Find in page", body, [("Close", lambda c: c.back())], fields=[("find", "Find")])
