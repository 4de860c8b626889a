"""Goals in the Phone app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.people import digits, number_of
from distrl.devices.phone.apps.phone import CONTROLS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.general.contacts import CALL, drop_contact, put_contact
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import KEYPAD_CODE, PERSON, PHONE_NUMBER
from distrl.tasks.template import Params, Scene, Template


def _search(hand: Hand, text: str) -> None:
    """The first page shows what the search finds for a text."""
    hand.open("phone")
    hand.on("main")
    hand.type("query", text)


def _tab(hand: Hand, label: str) -> None:
    """A tab of the first page is chosen, and no search hides it."""
    hand.open("phone")
    hand.on("main")
    if hand.var("query"):
        hand.tap_icon("close")
    hand.tab(label)


def _calls(scene: Scene, number: str) -> bool:
    """Whether a call to a number is going on."""
    call = scene.data("phone")["call"]
    return bool(call) and digits(call["number"]) == digits(number)


def _newest_first(recent: State) -> list[str]:
    return sorted(recent, key=lambda key: -recent[key]["order"])


class CallContact(Template):
    """A call to somebody in the phone book."""

    name = "call_contact"
    phrasings = (
        "Call {person}",
        "Give {person} a call",
        "Make a phone call to {person}",
        "Ring {person} for me",
    )
    params = {"person": PERSON}
    allows = CALL

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists."""
        put_contact(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """The call is going on, without video."""
        call = scene.data("phone")["call"]
        return bool(call) and call["name"] == p["person"] and not call["video"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for the name and tap it."""
        _search(hand, p["person"])
        hand.tap(p["person"], role="item")


class CallStranger(Template):
    """A call to somebody who is nowhere on the phone."""

    name = "call_stranger"
    phrasings = (
        "Call {person}",
        "Phone {person} now",
        "Start a call with my contact {person}",
    )
    params = {"person": PERSON}
    infeasible = True
    weight = 0.3

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Neither a contact, a recent call, a chat nor a mail has the name."""
        person = p["person"]
        drop_contact(control, person)
        for app, records, field in (
            ("phone", "recent", "name"),
            ("messages", "chats", "name"),
            ("mail", "mails", "sender"),
            ("mail", "mails", "to"),
        ):
            found = control.state["apps"][app][records]
            kept = {key: record for key, record in found.items() if record[field] != person}
            control.write_root("apps", app, records, to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        return False

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for the name, see nobody, give up."""
        _search(hand, p["person"])
        hand.give_up()


class CallNumber(Template):
    """A call to a number that nobody on the phone has."""

    name = "call_number"
    phrasings = (
        "Call the number {number}",
        "Dial {number}",
        "Make a call to {number}",
        "Please ring {number} for me",
    )
    params = {"number": PHONE_NUMBER}
    allows = CALL

    def check(self, scene: Scene, p: Params) -> bool:
        """The call is going on."""
        return _calls(scene, p["number"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Type the number into the search and tap what it offers."""
        _search(hand, p["number"])
        hand.tap(f"Call {p['number']}")


class DialCode(Template):
    """A short number, key by key."""

    name = "dial_code"
    unseen = True
    phrasings = (
        "Dial {code} on the keypad",
        "Use the dial pad to call {code}",
        "Call the service number {code} from the keypad",
    )
    params = {"code": KEYPAD_CODE}
    allows = CALL

    def check(self, scene: Scene, p: Params) -> bool:
        """The call is going on."""
        return _calls(scene, p["code"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press the keys that are missing, then the green button."""
        _tab(hand, "Keypad")
        typed, code = str(hand.var("typed", "")), p["code"]
        if typed == code:
            hand.tap_icon("phone")
        if not code.startswith(typed):
            hand.tap_icon("backspace")
        hand.tap(code[len(typed)], role="button")


class _CallControl(Template):
    """A button of a call that is going on. Its icon has no words and no fixed place."""

    params = {"person": PERSON}
    visual = True
    control: str
    """Which of `CONTROLS` is to be switched on."""

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The call is going on, in front or behind the home screen."""
        put_contact(control, p["person"])
        order = rng.sample(list(CONTROLS), len(CONTROLS))
        control.write_root("apps", "phone", "controls", to=order)
        who = {"name": p["person"], "number": number_of(p["person"]), "video": False}
        toggles = dict.fromkeys(("mute", "speaker", "keypad", "hold", "record"), False)
        call = {**who, **toggles, "since": control.time}
        control.write_root("apps", "phone", "call", to=call)
        if rng.random() < 0.5:
            control.start("phone", "call")

    def check(self, scene: Scene, p: Params) -> bool:
        """The call goes on and the button is on."""
        call = scene.data("phone")["call"]
        return bool(call) and call["name"] == p["person"] and bool(call[self.control])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Return to the call, or make it again if it was lost, and press the icon."""
        hand.open("phone")
        if hand.data("phone")["call"].get("name") != p["person"]:
            _search(hand, p["person"])
            hand.tap(p["person"], role="item")
        if hand.at("call"):
            hand.tap_icon(CONTROLS[self.control])
        hand.on("main")
        hand.tap("Return to call")


class MuteCall(_CallControl):
    """The microphone is off."""

    name = "mute_call"
    phrasings = (
        "Mute my call with {person}",
        "I am on the phone with {person}, mute the call",
        "Mute the ongoing call to {person}",
    )
    allows = ("apps.phone.call.mute",)
    control = "mute"


class HoldCall(_CallControl):
    """The other side waits."""

    name = "hold_call"
    unseen = True
    phrasings = (
        "Put the call with {person} on hold",
        "Let {person} wait: hold the call",
        "Pause my phone call with {person}",
    )
    allows = ("apps.phone.call.hold",)
    control = "hold"


class BlockCaller(Template):
    """A number that called can call no more."""

    name = "block_caller"
    unseen = True
    phrasings = (
        "Block the caller {number}",
        "Stop {number} from calling me",
        "Block calls from {number} that is in my recent calls",
    )
    params = {"number": PHONE_NUMBER}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The number alone."""
        return (f"apps.phone.blocked.{p['number']}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The number is among the recent calls."""
        order = -10 * rng.randrange(8) - 5
        call = {"name": "", "number": p["number"], "kind": "in", "order": order, "when": "Today"}
        control.write_root("apps", "phone", "recent", "target", to=call)

    def check(self, scene: Scene, p: Params) -> bool:
        """This number is blocked, and no other that was not."""
        before = scene.data_before("phone")["blocked"].keys()
        return bool(scene.data("phone")["blocked"].keys() - before == {p["number"]})

    def oracle(self, hand: Hand, p: Params) -> None:
        """Hold the call, choose to block, confirm; if the list lost it, type the number."""
        hand.open("phone")
        if hand.at("blocked"):
            hand.type("number", p["number"])
            hand.tap("Block")
        if hand.at("block", number=p["number"]):
            hand.tap("Block")
        if hand.at("actions", number=p["number"]):
            hand.tap("Block number")
        if all(call["number"] != p["number"] for call in hand.data("phone")["recent"].values()):
            if hand.at("menu"):
                hand.tap("Blocked numbers")
            hand.on("main")
            hand.tap_icon("more")
        _tab(hand, "Recents")
        hand.tap(p["number"], hold=True)


class ReturnMissedCall(Template):
    """A call to whoever was missed last."""

    name = "return_missed_call"
    unseen = True
    phrasings = (
        "Return my last missed call",
        "Call back the person whose call I missed last",
        "Somebody called and I missed it, call them back",
        "Phone whoever tried to reach me last",
        "Dial the newest missed call in Recents",
    )
    allows = CALL

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The newest missed call is one of the first four of the list; others are above it."""
        recent = control.state["apps"]["phone"]["recent"]
        keys = _newest_first(recent)[: rng.randrange(1, 5)]
        for key in keys:
            kind = "missed" if key == keys[-1] else "out"
            control.write_root("apps", "phone", "recent", key, "kind", to=kind)

    def _missed(self, recent: State) -> State | None:
        """The newest missed call, or None once the list has been cleared."""
        calls = (recent[key] for key in _newest_first(recent))
        return next((call for call in calls if call["kind"] == "missed"), None)

    def check(self, scene: Scene, p: Params) -> bool:
        """That number is being called."""
        missed = self._missed(scene.data_before("phone")["recent"])
        return missed is not None and _calls(scene, missed["number"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it in the list."""
        _tab(hand, "Recents")
        missed = self._missed(hand.data("phone")["recent"])
        if missed is None:
            hand.give_up()
        hand.tap(missed["name"] or missed["number"], role="item")


TEMPLATES: tuple[Template, ...] = (
    CallContact(),
    CallStranger(),
    CallNumber(),
    DialCode(),
    MuteCall(),
    HoldCall(),
    BlockCaller(),
    ReturnMissedCall(),
)
