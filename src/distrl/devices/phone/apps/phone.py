"""Phone: the dialler, recent calls, people to call and the call that is going on."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.people import (
    book,
    by_name,
    clear_search,
    digits,
    letter_of,
    name_of,
    number_of,
    open_chat,
    place_call,
    tint_of,
)
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler

TABS = (
    ("keypad", "Keypad", "dialpad"),
    ("recents", "Recents", "history"),
    ("people", "Contacts", "contacts"),
)
CONTROLS = {
    "mute": "mute",
    "speaker": "volume",
    "keypad": "dialpad",
    "hold": "pause",
    "record": "record",
    "add": "add",
}
"""Icons of the buttons of a call. They carry no words, and each phone has an order of its own."""
KINDS = {"in": ("Incoming", "down"), "out": ("Outgoing", "up"), "missed": ("Missed", "warning")}
KEYS = "123456789*0#"
_TIMES = ("9:41 AM", "8:15 AM", "Yesterday", "Yesterday", "Monday", "Sunday", "Saturday", "Friday")
_GREEN, _RED = (40, 150, 80), (206, 56, 56)
_LONGEST_NUMBER = 16


def _call(number: str, name: str = "") -> Handler:
    def call(control: Control) -> None:
        if number:
            place_call(control, number, name)
        else:
            control.toast("There is no number to call")

    return call


def _line(ui: Ui, text: str, size: int, ink: str, height: int) -> None:
    """A centred line that keeps its place while it is empty."""
    paint = ("line", text, size, ink, "bg", "center", False)
    ui.place(paint, height, "text" if text else "", text)


def _is_number(text: str) -> bool:
    return len(digits(text)) >= 2 and all(ch in "0123456789*#+- ()" for ch in text)


class PhoneApp(App):
    """Data: recent calls by id, blocked numbers, the call that is going on or {}."""

    name = "phone"
    title = "Phone"
    icon = "phone"
    color = (30, 140, 100)
    permission = "make and manage phone calls"

    def create(self, rng: Random) -> State:
        """A dozen recent calls, some of them from strangers."""
        recent = {}
        for place, name in enumerate(rng.sample(content.PEOPLE, 11)):
            stranger = rng.random() < 0.2
            recent[f"past{place}"] = {
                "name": "" if stranger else name,
                "number": f"310-{rng.randrange(1000, 10000)}" if stranger else number_of(name),
                "kind": "missed" if place == 2 else rng.choice(("in", "out", "missed")),
                "order": -10 * place - 10,
                "when": _TIMES[place * len(_TIMES) // 11],
            }
        controls = rng.sample(list(CONTROLS), len(CONTROLS))
        return {"recent": recent, "blocked": {}, "call": {}, "controls": controls}

    def page_main(self, ui: Ui) -> None:
        """The chosen tab, or whom the search finds."""
        actions: list[tuple[str, str, Handler]] = [
            ("more", "More options", lambda c: c.open("menu"))
        ]
        if ui.var("query"):
            actions.insert(0, ("close", "Clear", clear_search))
        ui.search_bar("query", "Search people or numbers", lambda c: None, actions, up=False)
        query = ui.text_of("query")
        if query:
            self._results(ui, query)
            return
        tabs = TABS if ui.version % 2 == 1 else (*TABS[1:], TABS[0])
        tab = str(ui.var("tab", tabs[0][0]))
        ui.tabs(tabs, tab, lambda key: lambda c: c.set_var("tab", key))
        self._return_to_call(ui)
        {"keypad": self._keypad, "recents": self._recents, "people": self._people}[tab](ui)

    def _return_to_call(self, ui: Ui) -> None:
        if ui.data["call"]:
            who = ui.data["call"]["name"] or ui.data["call"]["number"]
            ui.row("Return to call", who, icon="phone", on_tap=lambda c: c.open("call"))

    def _results(self, ui: Ui, query: str) -> None:
        self._return_to_call(ui)
        if _is_number(query):
            ui.row(f"Call {query}", "Number", icon="phone", on_tap=_call(query))
        wanted = query.lower()
        people = {c["name"]: c["phone"] for _, c in by_name(book(ui.state))}
        for call in ui.data["recent"].values():
            people.setdefault(call["name"], call["number"])
        found = [(n, p) for n, p in people.items() if n and (wanted in n.lower() or query in p)]
        for name, number in found:
            self._person(ui, name, number)
        if not found and not _is_number(query):
            ui.empty("No contacts found", "person")

    def _person(self, ui: Ui, name: str, number: str) -> None:
        ui.entry(
            name,
            number,
            letter=letter_of(name),
            tint=tint_of(name),
            on_tap=_call(number, name),
            on_long=lambda c: c.open("actions", name=name, number=number),
        )

    def _keypad(self, ui: Ui) -> None:
        typed = str(ui.var("typed", ""))
        ui.space(2)
        _line(ui, typed, 18, "text", 26)
        name = name_of(ui.state, typed) if typed else ""
        _line(ui, name, 8, "muted", 12)
        self._keys(ui, "typed", 36)
        y = ui.y + 4
        ui.space(44)
        call = ("round_button", "phone", "white", _GREEN)
        ui.place_at(call, (WIDTH // 2 - 20, y, 40, 40), "button", "", "", _call(typed, name))
        erase = ("glyph", "backspace", "text", "bg")
        ui.place_at(
            erase,
            (WIDTH // 2 + 34, y + 4, 36, 32),
            "button",
            "",
            "",
            lambda c: c.set_var("typed", str(c.var("typed", ""))[:-1]),
        )

    def _keys(self, ui: Ui, var: str, height: int) -> None:
        def press(key: str) -> Handler:
            return lambda c: c.set_var(var, (str(c.var(var, "")) + key)[-_LONGEST_NUMBER:])

        cells = [(("key", key, "surface", "text"), key, "", press(key)) for key in KEYS]
        ui.grid(cells, columns=3, height=height, role="button")

    def _recents(self, ui: Ui) -> None:
        calls = sorted(ui.data["recent"].items(), key=lambda item: -item[1]["order"])
        for _, call in calls:
            name, number = call["name"], call["number"]
            kind, icon = KINDS[call["kind"]]
            blocked = number in ui.data["blocked"]
            who = name or number
            ui.entry(
                who,
                f"{'Blocked' if blocked else kind}, {call['when']}",
                letter=letter_of(who),
                tint=tint_of(who),
                trailing=f"icon:{'lock' if blocked else icon}",
                on_tap=_call(number, name),
                on_long=self._actions(name, number),
            )
        if not calls:
            ui.empty("No recent calls", "history")

    def _actions(self, name: str, number: str) -> Handler:
        return lambda c: c.open("actions", name=name, number=number)

    def _people(self, ui: Ui) -> None:
        contacts = by_name(book(ui.state))
        favorites = [c for _, c in contacts if c["favorite"]][:8]
        if favorites:
            ui.header("Favorites")
            cells = [
                (
                    ("avatar", letter_of(c["name"]), tint_of(c["name"]), c["name"].split()[0]),
                    c["name"],
                    "",
                    _call(c["phone"], c["name"]),
                )
                for c in favorites
            ]
            ui.grid(cells, columns=4, height=50, role="item")
        ui.header("All contacts")
        for _, contact in contacts:
            self._person(ui, contact["name"], contact["phone"])
        if not contacts:
            ui.empty("No contacts", "person")

    # The call

    def page_call(self, ui: Ui) -> None:
        """The call that is going on."""
        call = ui.data["call"]
        if not call:
            ui.bar("Phone")
            ui.empty("The call has ended", "hang_up")
            return
        who = call["name"] or call["number"]
        keypad = bool(call["keypad"])
        if call["video"]:
            ui.picture(("photo", "city", sum(map(ord, who)) % 7), 60 if keypad else 120)
        else:
            ui.space(4 if keypad else 30)
            ui.place(("avatar", letter_of(who), tint_of(who), ""), 40 if keypad else 72)
        ui.text(who, LARGE, align="center", bold=True)
        ui.text(self._status(ui), align="center", ink="muted")
        if keypad:
            _line(ui, str(ui.var("tones", "")), 11, "text", 16)
            self._keys(ui, "tones", 28)
        else:
            ui.space(20)
        self._controls(ui, call)
        ui.space(4)
        y = ui.y
        ui.space(46)
        end = ("round_button", "hang_up", "white", _RED)
        x = WIDTH // 2 - 22 if ui.version % 2 == 1 else WIDTH - 58
        ui.place_at(end, (x, y, 44, 44), "button", "", "", self._hang_up)

    def _status(self, ui: Ui) -> str:
        call = ui.data["call"]
        if call["hold"]:
            return "On hold"
        seconds = ui.time - call["since"]
        return f"{seconds // 60:02d}:{seconds % 60:02d}"

    def _controls(self, ui: Ui, call: State) -> None:
        cells = []
        for key in ui.data["controls"]:
            on = bool(call.get(key))
            paint = (
                "round_button",
                CONTROLS[key],
                "white" if on else "text",
                self.color if on else "faint",
            )
            cells.append((paint, "", "", self._flip(key)))
        ui.grid(cells, columns=3, height=42, role="button")

    def _flip(self, key: str) -> Handler:
        if key == "add":
            return lambda c: c.back_to("main")
        return lambda c: c.write("call", key, to=not c.data["call"][key])

    def _hang_up(self, control: Control) -> None:
        control.write("call", to={})
        control.back_to("main")
        control.toast("Call ended")

    # Menus and blocked numbers

    def dialog_menu(self, ui: Ui) -> None:
        """The menu of the first page."""

        def clear(control: Control) -> None:
            control.write("recent", to={})
            control.back()

        ui.menu(
            [
                ("Blocked numbers", lambda c: c.replace("blocked")),
                ("Clear call history", clear),
            ]
        )

    def dialog_actions(self, ui: Ui) -> None:
        """What can be done with a caller."""
        name, number = ui.args["name"], ui.args["number"]
        blocked = number in ui.data["blocked"]
        block: Handler = (
            self._unblock(number) if blocked else lambda c: c.replace("block", number=number)
        )
        ui.menu(
            [
                ("Call", _call(number, name)),
                ("Message", lambda c: open_chat(c, name or number)),
                ("Unblock number" if blocked else "Block number", block),
                ("Remove from list", self._forget(number)),
            ]
        )

    def _forget(self, number: str) -> Handler:
        def forget(control: Control) -> None:
            recent = control.data["recent"]
            kept = {key: call for key, call in recent.items() if call["number"] != number}
            control.write("recent", to=kept)
            control.back()

        return forget

    def _unblock(self, number: str) -> Handler:
        def unblock(control: Control) -> None:
            control.erase("blocked", number)
            # Elsewhere the entry stands in a menu, which closes; the list of numbers stays open.
            if control.page["name"] != "blocked":
                control.back()

        return unblock

    def dialog_block(self, ui: Ui) -> None:
        """Ask before blocking."""
        number = ui.args["number"]

        def block(control: Control) -> None:
            control.write("blocked", number, to=True)
            control.back()
            control.toast("Number blocked")

        ui.dialog(
            f"Block {number}?",
            "You will get no calls or messages from this number.",
            [("Cancel", lambda c: c.back()), ("Block", block)],
        )

    def page_blocked(self, ui: Ui) -> None:
        """Numbers that cannot call, and a field to add one."""
        ui.bar("Blocked numbers")
        ui.field("number", "Add a number", icon="phone")

        def block(control: Control) -> None:
            control.write("blocked", control.text("number"), to=True)
            control.set_var("number", "")
            control.focus(None)

        ui.button("Block", block if _is_number(ui.text_of("number")) else None)
        for number in ui.data["blocked"]:
            ui.row(number, icon="lock", trailing="icon:close", on_tap=self._unblock(number))
        if not ui.data["blocked"]:
            ui.empty("No blocked numbers", "phone")
