"""The plain web inside the browser: the search engine's results, sites, articles and pictures."""

from __future__ import annotations

from typing import Any

from distrl.devices.phone.apps import engine
from distrl.devices.phone.apps.web import (
    SITES,
    article_of,
    articles_of,
    chrome,
    pictures_of,
    scatter,
    visitor,
)
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.ui.toolkit import LARGE, SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import Handler

BLUE = (40, 104, 200)
_TOPIC_COLORS = {
    "news": (176, 42, 48),
    "recipes": (206, 110, 30),
    "sports": (30, 120, 70),
    "travel": (20, 130, 160),
    "science": (60, 70, 170),
    "technology": (40, 50, 70),
    "health": (30, 140, 120),
    "finance": (24, 90, 60),
    "gardening": (80, 130, 40),
    "music": (130, 50, 150),
    "education": (40, 90, 190),
    "games": (100, 60, 180),
    "weather": (60, 130, 200),
}
_SENTENCES = (
    "People in the area had waited for this for a long time.",
    "A spokesperson said that more details would follow next week.",
    "Not everybody agrees, and the debate is likely to go on.",
    "Those who were there described the mood as calm and friendly.",
    "Experts had expected a different outcome.",
    "The plan was first discussed several years ago.",
    "Similar projects elsewhere have had mixed results.",
    "Volunteers helped from early in the morning.",
    "It is too soon to say what it will cost.",
    "Readers are invited to send in their own stories.",
)


def subject_of(*words: object) -> tuple[str, int]:
    """The picture that goes with some words."""
    number = scatter(*words)
    return SUBJECTS[number % len(SUBJECTS)], number // 64 % 5


def tint_of(host: str) -> tuple[int, int, int]:
    """The colour of a site; the browser's own for what is none."""
    site = SITES.get(host)
    return _TOPIC_COLORS.get(site.topic, BLUE) if site else BLUE


class SitePages:
    """Pages of plain sites for the browser to inherit."""

    def page_results(self, ui: Ui) -> None:
        """What the search engine found."""
        query = str(ui.args["query"])
        chrome(ui, query)
        ui.promo()
        found = engine.search(query)
        if found.answer:
            ui.space(4)
            ui.text(found.answer, LARGE, bold=True)
            ui.text(found.snippet)
            ui.divider()
        for link in found.links:
            handler = visitor(link.page, **dict(link.args))
            ui.row(link.title, link.sub, icon=link.icon, on_tap=handler)
        ui.header("People also search for")
        for other in found.related:
            ui.row(other, icon="search", on_tap=visitor("results", query=other))

    def page_site(self, ui: Ui) -> None:
        """The front page of a site: a masthead and its articles."""
        host = str(ui.args["host"])
        chrome(ui, host)
        site = SITES.get(host)
        if site is None:
            ui.empty("This site cannot be reached", "warning")
            return
        ui.color = tint_of(host)
        masthead = ("line", site.title, LARGE, "white", ui.color, "center", True)
        ui.place(masthead, 30, "text", site.title)
        self._pictures(ui, host)
        keys = articles_of(host)
        for key in keys if ui.version == 1 else reversed(keys):
            self._teaser(ui, host, key)

    def _pictures(self, ui: Ui, host: str) -> None:
        """The pictures of the day, without words; they change with the edition."""
        ui.header("Pictures of the day")
        edition = int(ui.data["edition"])
        cells: list[tuple[Any, str, str, Handler | None]] = [
            (
                ("photo", subject, edition % 5),
                "",
                "",
                visitor("picture", host=host, subject=subject),
            )
            for subject in pictures_of(host, edition)
        ]
        ui.grid(cells, columns=3, height=34 if ui.data["recent_desktop"] else 44)

    def page_picture(self, ui: Ui) -> None:
        """One picture of the day."""
        host = str(ui.args["host"])
        chrome(ui, host)
        ui.row(SITES[host].title, icon="left", on_tap=visitor("site", host=host))
        ui.picture(("photo", ui.args["subject"], int(ui.data["edition"]) % 5), 150)
        ui.text("Picture of the day", TITLE, bold=True)
        ui.text("Sent in by one of our readers.", ink="muted")

    def _teaser(self, ui: Ui, host: str, key: str) -> None:
        article = article_of(key)
        subject, variant = subject_of(host, key)
        paint = ("teaser", article.headline, article.topic.capitalize(), subject, variant)
        handler = visitor("article", host=host, id=key)
        ui.place(paint, 40, "item", article.headline, article.topic.capitalize(), handler)

    def page_article(self, ui: Ui) -> None:
        """One article."""
        host, key = str(ui.args["host"]), str(ui.args["id"])
        chrome(ui, f"{host}/{key}")
        site, article = SITES.get(host), article_of(key)
        if site is None:
            ui.empty("This page cannot be reached", "warning")
            return
        ui.color = tint_of(host)
        handler = visitor("site", host=host)
        ui.row(site.title, icon="left", on_tap=handler)
        ui.text(article.headline, TITLE if ui.data["recent_desktop"] else LARGE, bold=True)
        ui.text(f"{article.topic.capitalize()} - 3 minutes", SMALL, ink="muted")
        ui.picture(("photo", *subject_of(host, key)), 90)
        start = scatter(key) % len(_SENTENCES)
        lines = [_SENTENCES[(start + 3 * i) % len(_SENTENCES)] for i in range(7)]
        ui.text(" ".join(lines[:4]))
        ui.text(" ".join(lines[4:]))
        ui.header("More from this site")
        for other in articles_of(host)[:6]:
            if other != key:
                self._teaser(ui, host, other)
