"""Goals in the Store."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.store import APPS, CURRENT, installed_name
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import STORE_APP, closed
from distrl.tasks.template import Params, Scene, Template

_INSTALL_PHRASINGS = (
    "Install {app}",
    "Install the app {app} from the Store",
    "Download {app} to my phone",
    "Get the {app} app",
)


def _put_apps(control: Control, name: str, version: str, rng: Random) -> None:
    """The phone has this app and a few others from the store."""
    others = [other for other in APPS if other != name]
    for other in rng.sample(others, rng.randint(2, 4)):
        control.write_system("installed", installed_name(other), to=CURRENT)
    control.write_system("installed", installed_name(name), to=version)


def search_app(hand: Hand, name: str) -> None:
    """The store's page of an app is open, by searching for its name."""
    hand.open("store")
    if hand.at("app", name=name):
        return
    hand.on("main")
    hand.type("query", name)
    hand.tap(name, role="item")


def open_mine(hand: Hand, name: str) -> None:
    """The store's page of an app that is installed is open."""
    hand.open("store")
    if hand.at("app", name=name):
        return
    hand.on("main")
    if str(hand.var("query", "")).strip():
        search_app(hand, name)
    hand.tab("My apps")
    hand.tap(name, role="item")


class InstallApp(Template):
    """An app from the store."""

    name = "install_app"
    phrasings = _INSTALL_PHRASINGS
    params = {"app": STORE_APP}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The app alone."""
        return (f"system.installed.{installed_name(p['app'])}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is installed."""
        return installed_name(p["app"]) in scene.system["installed"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search, install, wait."""
        search_app(hand, p["app"])
        if p["app"] in hand.data("store")["recent_jobs"]:
            hand.wait()
        hand.tap("Install")


class InstallMissingApp(Template):
    """An app that the store does not have."""

    name = "install_missing_app"
    phrasings = _INSTALL_PHRASINGS
    params = {"app": STORE_APP}
    infeasible = True
    weight = 0.3

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The store lacks it."""
        control.write_root("apps", "store", "missing", p["app"], to=True)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is installed, which cannot happen."""
        return installed_name(p["app"]) in scene.system["installed"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search and see that there is none."""
        hand.open("store")
        hand.on("main")
        hand.type("query", p["app"])
        hand.give_up()


class UninstallApp(Template):
    """An app is gone."""

    name = "uninstall_app"
    phrasings = (
        "Uninstall {app}",
        "Remove the app {app} from my phone",
        "Delete {app} using the Store",
    )
    params = {"app": STORE_APP}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The app alone."""
        return (f"system.installed.{installed_name(p['app'])}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is installed."""
        _put_apps(control, p["app"], CURRENT, rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is not installed."""
        return installed_name(p["app"]) not in scene.system["installed"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Through the list of installed apps."""
        hand.open("store")
        if hand.at("remove", name=p["app"]):
            hand.tap("OK")
        open_mine(hand, p["app"])
        if p["app"] in hand.data("store")["recent_jobs"]:
            hand.wait()
        hand.tap("Uninstall")


class UpdateApp(Template):
    """An app in the newest version."""

    name = "update_app"
    unseen = True
    phrasings = (
        "Update {app}",
        "Get the latest version of {app}",
        "Install the update for {app} in the Store",
    )
    params = {"app": STORE_APP}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The app alone."""
        return (f"system.installed.{installed_name(p['app'])}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """An old version is installed."""
        _put_apps(control, p["app"], "1.0", rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The newest is installed."""
        return bool(scene.system["installed"].get(installed_name(p["app"])) == CURRENT)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Through the list of installed apps, then wait."""
        open_mine(hand, p["app"])
        if p["app"] in hand.data("store")["recent_jobs"]:
            hand.wait()
        hand.tap_if("Install")
        hand.tap("Update")


class OpenStorePage(Template):
    """What the store says about an app."""

    name = "open_store_page"
    unseen = True
    phrasings = (
        "Show the Store page of {app}",
        "Find {app} in the Store",
        "Look up the app {app} in the app store",
        "See what the Store says about {app}",
    )
    params = {"app": STORE_APP}

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is open."""
        return scene.at("store", "app", name=p["app"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it."""
        search_app(hand, p["app"])


class RateApp(Template):
    """Some stars for an app, by icons without words."""

    name = "rate_app"
    unseen = True
    phrasings = (
        "Rate {app} {stars} stars",
        "Give the app {app} a rating of {stars} stars in the Store",
        "In the Store, leave {stars} stars for {app}",
    )
    params = {"app": STORE_APP, "stars": closed("stars", 2, 3, 4, 5)}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The rating alone."""
        return (f"apps.store.ratings.{p['app']}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It has that many."""
        return bool(scene.data("store")["ratings"].get(p["app"]) == p["stars"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search and press the star."""
        search_app(hand, p["app"])
        given = int(hand.data("store")["ratings"].get(p["app"], 0))
        if p["stars"] <= given:
            hand.tap_icon("star_filled", p["stars"] - 1)
        hand.tap_icon("star", p["stars"] - 1 - given)


TEMPLATES: tuple[Template, ...] = (
    InstallApp(),
    InstallMissingApp(),
    UninstallApp(),
    UpdateApp(),
    OpenStorePage(),
    RateApp(),
)
