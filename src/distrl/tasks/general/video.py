"""Goals in the Videos app. The icons below a video stand in an order that differs by phone."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.video import channel_of, id_of, shuffled_buttons
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import VIDEO
from distrl.tasks.template import Params, Scene, Template

_NEAR_THE_TOP = 4
"""Places of the feed that a swipe or two bring into sight, which the step limit leaves room for."""


def _feature(control: Control, title: str, rng: Random) -> None:
    """The feed shows the video near its top, untouched; the icons are in any order."""
    site, key = control.state["apps"]["video"], id_of(title)
    feed = [other for other in site["feed"] if other != key]
    feed.insert(rng.randrange(_NEAR_THE_TOP), key)
    control.write_root("apps", "video", "feed", to=feed)
    control.write_root("apps", "video", "buttons", to=shuffled_buttons(rng))
    control.erase_root("apps", "video", "likes", key)
    control.erase_root("apps", "video", "later", key)
    control.erase_root("apps", "video", "subs", channel_of(key))


def _show(hand: Hand, title: str) -> None:
    """The video's page, by way of the feed."""
    if hand.at("video", id=id_of(title)):
        return
    hand.on("main")
    hand.tab("Home")
    hand.tap(title, role="item")


class PlayVideo(Template):
    """A video plays; only a search leads to it."""

    name = "play_video"
    phrasings = (
        "Play the video {video}",
        "Search for the video {video} and watch it",
        "Find {video} in the Videos app and play it",
        "I want to watch {video}",
    )
    params = {"video": VIDEO}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The feed does not have it."""
        key = id_of(p["video"])
        feed = [other for other in control.state["apps"]["video"]["feed"] if other != key]
        control.write_root("apps", "video", "feed", to=feed)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("video", "video", id=id_of(p["video"]))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it and tap it."""
        hand.open("video")
        if hand.at("results", query=p["video"]):
            hand.tap(p["video"], role="item")
        if hand.at("search"):
            hand.submit("query", p["video"])
        hand.on("main")
        hand.tap_icon("search")


class WatchFromHome(Template):
    """A video of the feed plays."""

    name = "watch_from_home"
    phrasings = (
        "Watch {video}, it is on the home page of Videos",
        "Start the video {video} from the home feed",
        "Open Videos and tap on {video}",
    )
    params = {"video": VIDEO}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the feed."""
        _feature(control, p["video"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("video", "video", id=id_of(p["video"]))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("video")
        _show(hand, p["video"])


class LikeVideo(Template):
    """A video has a thumb up, one icon among five in any order."""

    name = "like_video"
    phrasings = (
        "Like the video {video}",
        "Give the video {video} a thumbs up",
        "Open {video} in Videos and like it",
    )
    params = {"video": VIDEO}
    visual = True

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The thumb of this video."""
        return (f"apps.video.likes.{id_of(p['video'])}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the feed and not liked."""
        _feature(control, p["video"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is liked."""
        way: str = scene.data("video")["likes"].get(id_of(p["video"]), "")
        return way == "up"

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the thumb."""
        hand.open("video")
        _show(hand, p["video"])
        hand.tap_icon("thumb_up")


class WatchLater(Template):
    """A video is saved, by one icon among five in any order."""

    name = "watch_later"
    unseen = True
    phrasings = (
        "Save the video {video} to watch later",
        "Bookmark {video} in the Videos app",
        "Put {video} on my watch later list",
    )
    params = {"video": VIDEO}
    visual = True

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The bookmark of this video."""
        return (f"apps.video.later.{id_of(p['video'])}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the feed and not saved."""
        _feature(control, p["video"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is saved."""
        return id_of(p["video"]) in scene.data("video")["later"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the bookmark."""
        hand.open("video")
        _show(hand, p["video"])
        hand.tap_icon("bookmark")


class SubscribeChannel(Template):
    """The channel of a video is followed."""

    name = "subscribe_channel"
    unseen = True
    phrasings = (
        "Subscribe to the channel that made {video}",
        "Follow whoever uploaded the video {video}",
        "Open {video} and subscribe to its channel",
    )
    params = {"video": VIDEO}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The subscription to this channel."""
        return (f"apps.video.subs.{channel_of(id_of(p['video']))}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The video is in the feed, its channel is not followed."""
        _feature(control, p["video"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The channel is followed."""
        return channel_of(id_of(p["video"])) in scene.data("video")["subs"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press Subscribe."""
        hand.open("video")
        _show(hand, p["video"])
        hand.tap("Subscribe")


class ClearHistory(Template):
    """The list of watched videos is empty."""

    name = "clear_watch_history"
    unseen = True
    phrasings = (
        "Clear my watch history",
        "Delete the history of the Videos app",
        "Erase the list of videos I have watched",
        "Wipe my video history",
        "Remove everything from the watch history in Videos",
        "Empty the history of watched videos",
    )
    weight = 0.6

    def check(self, scene: Scene, p: Params) -> bool:
        """It is empty."""
        return not scene.data("video")["recent_history"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Library, History, the bin, and confirm."""
        hand.open("video")
        if hand.at("clear"):
            hand.tap("Clear")
        if hand.at("shelf", id="history"):
            hand.tap_icon("delete")
        hand.on("main")
        hand.tab("Library")
        hand.tap("History", role="item")


TEMPLATES: tuple[Template, ...] = (
    PlayVideo(),
    WatchFromHome(),
    LikeVideo(),
    WatchLater(),
    SubscribeChannel(),
    ClearHistory(),
)
