"""Goals in the Browser."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NoReturn

from distrl.devices.phone import content
from distrl.devices.phone.apps.web import NEW_TAB, articles_of, is_private, pictures_of
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ARTICLE, FACT, QUERY, SITE, closed
from distrl.tasks.template import Draw, Params, Scene, Template

_FACTS = {fact.key: fact for fact in content.FACTS}
_HEADLINES = {article.headline: str(n) for n, article in enumerate(content.ARTICLES)}
_PRIVATE = "new private tab"
_NEAR_TOP = 9
"""Articles of a front page that are at most one swipe away."""


def to_web(hand: Hand) -> None:
    """The browser is in front; from the home screen by the shortest way, its search field."""
    if hand.app == "browser" and not hand.state["ui"]["shade"]:
        return
    if hand.app != "launcher" or hand.page != "main" or hand.state["ui"]["shade"]:
        hand.home()
    hand.tap("Search the web")


def go_to(hand: Hand, text: str) -> NoReturn:
    """Type into the address bar of whatever web page is open."""
    if hand.field("address") is None:
        hand.back()
    hand.submit("address", text)


class SearchFact(Template):
    """A question that the search engine answers."""

    name = "search_fact"
    phrasings = (
        "Search the web for {fact}",
        "Look up {fact} online",
        "I want to know: {fact}. Look it up on the web",
        "Use the browser to find out {fact}",
    )
    params = {"fact": FACT}

    def check(self, scene: Scene, p: Params) -> bool:
        """The answer stands among the results."""
        fact = _FACTS[p["fact"]]
        shown = scene.shows(fact.snippet) or any(e.text == fact.answer for e in scene.view.elements)
        return scene.at("browser", "results") and shown

    def oracle(self, hand: Hand, p: Params) -> None:
        """Ask, then scroll past what is sponsored."""
        to_web(hand)
        if hand.at("results", query=p["fact"]):
            hand.scroll_to(_FACTS[p["fact"]].answer)
        go_to(hand, p["fact"])


class OpenSite(Template):
    """A site by its address."""

    name = "open_site"
    phrasings = (
        "Go to {site}",
        "Open {site} in the browser",
        "Visit the website {site}",
        "Load the page {site}",
    )
    params = {"site": SITE}

    def check(self, scene: Scene, p: Params) -> bool:
        """Its front page is open."""
        return scene.at("browser", "site", host=p["site"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Type the address."""
        to_web(hand)
        go_to(hand, p["site"])


class NewTab(Template):
    """An empty tab, private or not."""

    name = "new_tab"
    phrasings = (
        "Open a {kind}",
        "Open a {kind} in the browser",
        "Start a {kind}",
        "I need a {kind} in Browser",
        "Add a {kind} to the browser",
        "Launch Browser and open a {kind}",
        "I want to browse in a {kind}",
        "Get me a {kind} to look something up",
        "Switch to a {kind} in the browser app",
        "Give me a {kind}",
    )
    params = {"kind": closed("tab_kind", "new tab", _PRIVATE)}

    def check(self, scene: Scene, p: Params) -> bool:
        """The tab in front was not there before, is empty and of this kind."""
        data = scene.data("browser")
        fresh = data["recent_current"] not in scene.data_before("browser")["recent_tabs"]
        private = is_private(data) == (p["kind"] == _PRIVATE)
        return (
            fresh
            and private
            and data["recent_current"] in data["recent_tabs"]
            and scene.at("browser", "main")
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose it from the menu."""
        hand.open("browser")
        open_tab(hand, private=p["kind"] == _PRIVATE)


def open_tab(hand: Hand, *, private: bool) -> NoReturn:
    """Choose a new tab from the menu of the browser."""
    if hand.at("menu", "tabs_menu"):
        hand.tap("New private tab" if private else NEW_TAB)
    hand.tap_icon("more")


class CloseAllTabs(Template):
    """No tab is open."""

    name = "close_all_tabs"
    unseen = True
    phrasings = (
        "Close all tabs",
        "Close every open tab in the browser",
        "Get rid of all my browser tabs",
        "Shut all the tabs that are open in Browser",
        "Clean up the browser by closing all of its tabs",
    )
    weight = 0.7

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """One to four tabs besides the one in front."""
        tabs = control.state["apps"]["browser"]["recent_tabs"]
        sites = rng.sample(content.SITES, rng.randint(1, 4))
        for index, site in enumerate(sites):
            tabs = {
                **tabs,
                f"more{index}": {
                    "title": site.title,
                    "address": site.host,
                    "private": False,
                    "page": "site",
                    "args": {"host": site.host},
                },
            }
        control.write_root("apps", "browser", "recent_tabs", to=tabs)

    def check(self, scene: Scene, p: Params) -> bool:
        """There is none."""
        return not scene.data("browser")["recent_tabs"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Through the list of tabs."""
        hand.open("browser")
        if hand.at("tabs_menu"):
            hand.tap("Close all tabs")
        if hand.at("tabs"):
            hand.tap_icon("more")
        hand.tap_icon("tabs")


class BookmarkSite(Template):
    """A site among the bookmarks."""

    name = "bookmark_site"
    phrasings = (
        "Bookmark {site}",
        "Add {site} to my bookmarks",
        "Save the website {site} as a bookmark",
    )
    params = {"site": SITE}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The new bookmark."""
        return (f"apps.browser.bookmarks.{p['site']}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is not one yet."""
        control.erase_root("apps", "browser", "bookmarks", p["site"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is one."""
        return p["site"] in scene.data("browser")["bookmarks"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the site and press the star, or use the menu where there is none."""
        to_web(hand)
        if hand.at("menu"):
            below = hand.state["ui"]["stacks"]["browser"][-2]
            if below["name"] == "site" and below["args"]["host"] == p["site"]:
                hand.tap("Add bookmark")
            hand.back()
        if hand.at("site", host=p["site"]):
            hand.tap_icon("star" if hand.find_icon("star") else "more")
        go_to(hand, p["site"])


class PrivateSearch(Template):
    """A search that leaves no traces."""

    name = "private_search"
    unseen = True
    phrasings = (
        "Search for {query} in a private tab",
        "Look up {query} without leaving any history",
        "Use a private tab to search the web for {query}",
    )
    params = {"query": QUERY}

    def check(self, scene: Scene, p: Params) -> bool:
        """Its results are shown in a private tab."""
        private = is_private(scene.data("browser"))
        return private and scene.at("browser", "results", query=p["query"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """A private tab first."""
        hand.open("browser")
        if not is_private(hand.data("browser")):
            open_tab(hand, private=True)
        go_to(hand, p["query"])


class ClearHistory(Template):
    """The browser remembers no page."""

    name = "clear_history"
    unseen = True
    phrasings = (
        "Clear my browsing history",
        "Delete the browser history",
        "Wipe all visited pages from the browser",
        "Make the browser forget where I have been",
        "Erase the history in Browser",
    )
    weight = 0.7

    def check(self, scene: Scene, p: Params) -> bool:
        """The history is empty."""
        return not scene.data("browser")["recent_history"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Menu, history, bin, confirm."""
        hand.open("browser")
        if hand.at("clear"):
            hand.tap("Clear")
        if hand.at("history"):
            hand.tap_icon("delete")
        if hand.at("menu"):
            hand.tap("History")
        if hand.at("tabs", "tabs_menu"):
            hand.back()
        hand.tap_icon("more")


@cache
def _articles(split: str) -> tuple[tuple[str, str], ...]:
    """Sites and headlines near the top of them, both of which a split may use."""
    headlines = set(ARTICLE.share(split))
    return tuple(
        (str(host), content.ARTICLES[int(key)].headline)
        for host in SITE.share(split)
        for key in articles_of(str(host))[:_NEAR_TOP]
        if content.ARTICLES[int(key)].headline in headlines
    )


class OpenArticle(Template):
    """An article by its headline."""

    name = "open_article"
    unseen = True
    phrasings = (
        "Open the article {article} on {site}",
        "Read {article} at {site}",
        "Go to {site} and open the story called {article}",
    )
    params = {"site": SITE, "article": ARTICLE}

    def sample(self, draw: Draw) -> dict[str, Any]:
        """An article that the site has."""
        site, article = draw.rng.choice(_articles(draw.split))
        return {"site": site, "article": article}

    def check(self, scene: Scene, p: Params) -> bool:
        """It is open."""
        return scene.at("browser", "article", host=p["site"], id=_HEADLINES[p["article"]])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the site and tap the headline."""
        to_web(hand)
        if hand.at("site", host=p["site"]):
            hand.tap(p["article"])
        go_to(hand, p["site"])


class OpenPicture(Template):
    """A picture on a site, which has no words."""

    name = "open_picture"
    unseen = True
    phrasings = (
        "Go to {site} and open the {subject} picture of the day",
        "On {site}, tap the picture of the day that shows {subject}",
        "Among the pictures of the day on {site}, open the {subject} one",
    )
    params = {"site": SITE, "subject": closed("subject", *SUBJECTS)}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """An edition that has such a picture."""
        edition = rng.randrange(100_000)
        while p["subject"] not in pictures_of(p["site"], edition):
            edition += 1
        control.write_root("apps", "browser", "edition", to=edition)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is open."""
        return scene.at("browser", "picture", host=p["site"], subject=p["subject"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the site and tap what shows it."""
        to_web(hand)
        if hand.at("site", host=p["site"]):
            hand.tap_paint("photo", p["subject"])
        go_to(hand, p["site"])


TEMPLATES: tuple[Template, ...] = (
    SearchFact(),
    OpenSite(),
    NewTab(),
    CloseAllTabs(),
    BookmarkSite(),
    PrivateSearch(),
    ClearHistory(),
    OpenArticle(),
    OpenPicture(),
)
