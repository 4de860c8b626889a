"""Goals in Postcards: pictures and icons, which have no words."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.postcards import new_card
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.new_apps.common import NewAppTemplate, install
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import closed
from distrl.tasks.template import Params, Scene


class _OnCard(NewAppTemplate):
    """The card exists, with the id `target`, somewhere among the others."""

    new_apps = ("postcards",)
    params = {"subject": closed("subject", *SUBJECTS)}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Exactly one card shows the subject."""
        install(control, "postcards", rng)
        cards = control.state["apps"]["postcards"]["cards"]
        kept = [(key, card) for key, card in cards.items() if card["subject"] != p["subject"]]
        kept.insert(rng.randrange(len(kept) + 1), ("target", new_card(p["subject"], rng)))
        control.write_root("apps", "postcards", "cards", to=dict(kept))

    def _card(self, scene: Scene) -> State:
        card: State = scene.data("postcards")["cards"].get("target", {})
        return card

    def _show(self, hand: Hand, p: Params) -> None:
        """The card is in front."""
        hand.open("postcards")
        if not hand.at("card", id="target"):
            hand.on("main")
            hand.tap_paint("photo", p["subject"])


class OpenPostcard(_OnCard):
    """A card is shown."""

    name = "open_postcard"
    requests = (
        "open the postcard with the {subject}",
        "show me the {subject} postcard",
        "find the postcard that shows the {subject}",
    )

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in front."""
        return scene.at("postcards", "card", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap its picture."""
        self._show(hand, p)


class LikePostcard(_OnCard):
    """A card has a heart."""

    name = "like_postcard"
    requests = (
        "like the postcard with the {subject}",
        "put a heart on the {subject} postcard",
        "give the postcard of the {subject} a heart",
    )
    allows = ("apps.postcards.cards.target.liked",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It has one."""
        return bool(self._card(scene).get("liked"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the heart."""
        self._show(hand, p)
        hand.tap_icon("heart")


class SendPostcard(_OnCard):
    """A card is sent."""

    name = "send_postcard"
    requests = (
        "send the postcard with the {subject}",
        "send off the {subject} postcard",
        "mail the postcard of the {subject}",
    )
    allows = ("apps.postcards.cards.target.sent",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It was sent."""
        return bool(self._card(scene).get("sent"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the arrow."""
        self._show(hand, p)
        hand.tap_icon("send")


class DeletePostcard(_OnCard):
    """A card is gone."""

    name = "delete_postcard"
    requests = (
        "delete the postcard with the {subject}",
        "throw the {subject} postcard away",
        "remove the postcard of the {subject}",
    )
    allows = ("apps.postcards.cards.target",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return not self._card(scene)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the bin."""
        self._show(hand, p)
        hand.tap_icon("delete")


TEMPLATES: tuple[NewAppTemplate, ...] = (
    OpenPostcard(),
    LikePostcard(),
    SendPostcard(),
    DeletePostcard(),
)
