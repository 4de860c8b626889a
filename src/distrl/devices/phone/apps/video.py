"""Videos: a site with a feed, search, channels, likes, subscriptions and a library."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import TITLE, Ui
from distrl.devices.phone.ui.view import Handler

TABS = (
    ("home", "Home", "home"),
    ("subs", "Subscriptions", "people"),
    ("library", "Library", "history"),
)
BUTTONS = ("thumb_up", "thumb_down", "bookmark", "share", "download")
"""The icons below a video; each phone has them in an order of its own."""
SHELVES = {"later": "Watch later", "liked": "Liked videos", "history": "History"}
_FEED, _MOST_FOUND, _MOST_HISTORY = 8, 10, 12
_INDEX = {f"v{place}": video for place, video in enumerate(content.VIDEOS)}
_IDS = {video.title: key for key, video in _INDEX.items()}


def id_of(title: str) -> str:
    """The id of a video by its title."""
    return _IDS[title]


def channel_of(key: str) -> str:
    """Who made a video."""
    return _INDEX[key].channel


@lru_cache(maxsize=512)
def thumbnail_of(key: str) -> tuple[str, int]:
    """What a video's picture shows."""
    number = zlib.crc32(_INDEX[key].title.encode())
    return SUBJECTS[number % len(SUBJECTS)], number // 16 % 50


@lru_cache(maxsize=2048)
def search(query: str) -> tuple[str, ...]:
    """Videos whose title or channel holds the query, then those that share a long word."""
    wanted = query.lower()
    words = [word for word in wanted.split() if len(word) > 3]
    exact, near = [], []
    for key, video in _INDEX.items():
        text = f"{video.title} {video.channel}".lower()
        if wanted in text:
            exact.append(key)
        elif any(word in text for word in words):
            near.append(key)
    return tuple([*exact, *near][:_MOST_FOUND])


@lru_cache(maxsize=128)
def _of_channel(channel: str) -> tuple[str, ...]:
    return tuple(key for key, video in _INDEX.items() if video.channel == channel)


def shuffled_buttons(rng: Random) -> list[str]:
    """The icons below a video in any order."""
    return rng.sample(BUTTONS, len(BUTTONS))


def _to(page: str, key: str) -> Handler:
    return lambda c: c.open(page, id=key)


def _watch(key: str) -> Handler:
    def watch(control: Control) -> None:
        history = [key, *(k for k in control.data["recent_history"] if k != key)]
        control.write("recent_history", to=history[:_MOST_HISTORY])
        control.open("video", id=key)

    return watch


class VideoSite(App):
    """Data: feed, likes (up or down), later, downloads, subs, buttons, recent_history."""

    name = "video"
    title = "Videos"
    icon = "video"
    color = (204, 40, 40)
    slow = True

    def create(self, rng: Random) -> State:
        """A feed of eight, two subscriptions, a few videos in the library."""
        keys = rng.sample(list(_INDEX), _FEED + 7)
        channels = rng.sample(sorted({video.channel for video in content.VIDEOS}), 2)
        return {
            "feed": keys[:_FEED],
            "likes": {keys[-1]: "up"},
            "later": {keys[-2]: True, keys[-3]: True},
            "downloads": {},
            "subs": dict.fromkeys(channels, True),
            "buttons": shuffled_buttons(rng),
            "recent_history": keys[-6:],
        }

    def page_main(self, ui: Ui) -> None:
        """The chosen tab."""
        tab = str(ui.var("tab", "home"))
        ui.bar("Videos", [("search", "", self._search)])
        ui.tabs(TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        if tab == "library":
            for shelf, label in SHELVES.items():
                icon = {"later": "bookmark", "liked": "thumb_up", "history": "history"}[shelf]
                ui.row(label, icon=icon, trailing=">", on_tap=_to("shelf", shelf))
        elif tab == "subs":
            self._subscriptions(ui)
        elif ui.version % 2:
            self._cards(ui, ui.data["feed"])
        else:
            self._rows(ui, ui.data["feed"])

    def _cards(self, ui: Ui, keys: Iterable[str]) -> None:
        for key in keys:
            video = _INDEX[key]
            paint = (
                "video_card",
                *thumbnail_of(key),
                video.title,
                video.channel,
                f"{video.minutes}:00",
            )
            ui.place(paint, 108, "item", video.title, video.channel, _watch(key))

    def _rows(self, ui: Ui, keys: Iterable[str]) -> None:
        for key in keys:
            video = _INDEX[key]
            said = f"{video.channel}, {video.minutes} min"
            paint = ("media", *thumbnail_of(key), video.title, said, 1.6, "")
            ui.place(paint, 46, "item", video.title, said, _watch(key))

    def _subscriptions(self, ui: Ui) -> None:
        subs = ui.data["subs"]
        for channel in subs:
            tint = (60 + zlib.crc32(channel.encode()) % 130, 90, 140)
            ui.entry(channel, letter=channel[0], tint=tint, on_tap=_to("channel", channel))
        if not subs:
            ui.empty("You follow no channels yet", "people")

    def _search(self, control: Control) -> None:
        control.open("search")
        control.focus("query")

    def page_search(self, ui: Ui) -> None:
        """Type what to look for."""
        ui.search_bar("query", "Search videos", self._submit)
        ui.empty("Find videos and channels", "search")

    def _submit(self, control: Control) -> None:
        query = control.text("query")
        if query:
            control.open("results", query=query)

    def page_results(self, ui: Ui) -> None:
        """What a search has found, below what somebody paid for."""
        query = ui.args["query"]
        ui.bar(query, [("search", "", self._search)])
        ui.promo()
        found = search(query)
        self._rows(ui, found)
        if not found:
            ui.empty(f"Nothing found for {query}", "search")

    def page_video(self, ui: Ui) -> None:
        """A video that plays, its channel, and icons in the phone's own order."""
        key = ui.args["id"]
        video = _INDEX.get(key)
        if video is None:
            ui.bar("Video")
            ui.empty("This video is not available", "video")
            return
        ui.bar("Videos")
        ui.picture(("photo", *thumbnail_of(key)), 102)
        ui.place(("progress", 4, ui.color), 8)
        ui.text(video.title, TITLE, bold=True)
        ui.text(f"{video.minutes} minutes", ink="muted")
        if ui.version % 2:
            self._buttons(ui, key)
            self._channel_row(ui, video.channel)
        else:
            self._channel_row(ui, video.channel)
            self._buttons(ui, key)
        ui.header("More from this channel")
        self._rows(ui, (other for other in _of_channel(video.channel) if other != key))

    def _buttons(self, ui: Ui, key: str) -> None:
        liked = ui.data["likes"].get(key)
        later = key in ui.data["later"]
        handlers: dict[str, tuple[bool, Handler]] = {
            "thumb_up": (liked == "up", self._rate(key, "up")),
            "thumb_down": (liked == "down", self._rate(key, "down")),
            "bookmark": (later, self._keep("later", key)),
            "share": (False, lambda c: c.toast("Link copied")),
            "download": (key in ui.data["downloads"], self._keep("downloads", key)),
        }
        order = ui.data["buttons"]
        ui.icon_buttons(
            [
                ("bookmark_filled" if name == "bookmark" and later else name, "", handlers[name][1])
                for name in order
            ],
            lit=[place for place, name in enumerate(order) if handlers[name][0]],
        )

    def _channel_row(self, ui: Ui, channel: str) -> None:
        tint = (60 + zlib.crc32(channel.encode()) % 130, 90, 140)
        ui.entry(channel, letter=channel[0], tint=tint, on_tap=_to("channel", channel))
        self._subscribe_button(ui, channel)

    def _subscribe_button(self, ui: Ui, channel: str) -> None:
        on = channel in ui.data["subs"]
        style = "outlined" if on else "filled"
        ui.button("Subscribed" if on else "Subscribe", self._keep("subs", channel), style=style)

    def _rate(self, key: str, way: str) -> Handler:
        def rate(control: Control) -> None:
            if control.data["likes"].get(key) == way:
                control.erase("likes", key)
            else:
                control.write("likes", key, to=way)

        return rate

    def _keep(self, shelf: str, key: str) -> Handler:
        """Put something on a shelf, or take it off again."""

        def keep(control: Control) -> None:
            if key in control.data[shelf]:
                control.erase(shelf, key)
            else:
                control.write(shelf, key, to=True)

        return keep

    def page_channel(self, ui: Ui) -> None:
        """All videos of one channel."""
        channel = ui.args["id"]
        ui.bar(channel)
        self._subscribe_button(ui, channel)
        self._cards(ui, _of_channel(channel))

    def page_shelf(self, ui: Ui) -> None:
        """Watch later, liked videos or the history."""
        shelf = ui.args["id"]
        if shelf == "history":
            ui.bar(SHELVES[shelf], [("delete", "", lambda c: c.open("clear"))])
            keys = ui.data["recent_history"]
        elif shelf == "later":
            ui.bar(SHELVES[shelf])
            keys = list(ui.data["later"])
        else:
            ui.bar(SHELVES[shelf])
            keys = [key for key, way in ui.data["likes"].items() if way == "up"]
        self._rows(ui, keys)
        if not keys:
            ui.empty("Nothing here", "video")

    def dialog_clear(self, ui: Ui) -> None:
        """Ask before the history goes."""

        def clear(control: Control) -> None:
            control.write("recent_history", to=[])
            control.back()
            control.toast("History cleared")

        buttons: list[tuple[str, Handler | None]] = [
            ("Cancel", lambda c: c.back()),
            ("Clear", clear),
        ]
        ui.dialog("Clear watch history?", "This cannot be undone.", buttons)
