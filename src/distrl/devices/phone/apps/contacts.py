"""Contacts: the phone book, with cards, groups and ways to reach people."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.people import (
    address_of,
    by_name,
    clear_search,
    letter_of,
    number_of,
    open_chat,
    place_call,
    tint_of,
)
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import Handler

ACTIONS = ("phone", "message", "mail", "video")
"""Icons of the ways to reach a person from the card."""
_NOBODY = {"name": "", "phone": "", "mail": "", "favorite": False, "group": ""}


def new_contact(name: str, *, favorite: bool = False, group: str = "") -> State:
    """The record of a person of this world."""
    return {
        "name": name,
        "phone": number_of(name),
        "mail": address_of(name),
        "favorite": favorite,
        "group": group,
    }


def _open(key: str) -> Handler:
    return lambda c: c.open("contact", id=key)


def _new(control: Control) -> None:
    control.open("edit")
    control.focus("name")


def _ask_delete(key: str) -> Handler:
    return lambda c: c.open("delete", id=key)


class Contacts(App):
    """Data: contacts by id, groups by name, the order of a card's actions."""

    name = "contacts"
    title = "Contacts"
    icon = "contacts"
    color = (46, 120, 190)
    permission = "access your contacts"

    def create(self, rng: Random) -> State:
        """Two dozen people, some of them in groups."""
        groups = rng.sample(content.CONTACT_GROUPS, 4)
        names = rng.sample(content.PEOPLE, 22)
        return {
            "contacts": {
                f"person{i}": new_contact(
                    name,
                    favorite=rng.random() < 0.2,
                    group=rng.choice(groups) if rng.random() < 0.4 else "",
                )
                for i, name in enumerate(names)
            },
            "groups": dict.fromkeys(groups, True),
            "actions": rng.sample(ACTIONS, len(ACTIONS)),
        }

    def page_main(self, ui: Ui) -> None:
        """Everybody by name, or who matches the search."""
        actions: list[tuple[str, str, Handler]] = [("people", "Groups", lambda c: c.open("groups"))]
        if ui.version % 2 == 0:
            actions.append(("add", "", _new))
        if ui.var("query"):
            actions.insert(0, ("close", "Clear", clear_search))
        ui.search_bar("query", "Search contacts", lambda c: None, actions, up=False)
        query = ui.text_of("query").lower()
        found = [item for item in by_name(ui.data["contacts"]) if query in item[1]["name"].lower()]
        self._list(ui, found, lettered=ui.version % 2 == 0 and not query)
        if not found:
            ui.empty("No contacts found", "person")
        if ui.version % 2 == 1:
            ui.fab("add", _new)

    def _list(self, ui: Ui, found: list[tuple[str, Any]], *, lettered: bool = False) -> None:
        above = ""
        for key, contact in found:
            name = contact["name"]
            if lettered and letter_of(name) != above:
                above = letter_of(name)
                ui.header(above)
            ui.entry(
                name,
                letter=letter_of(name),
                tint=tint_of(name),
                trailing="icon:star_filled" if contact["favorite"] else "",
                on_tap=_open(key),
                on_long=_ask_delete(key),
            )

    def page_contact(self, ui: Ui) -> None:
        """One person's card."""
        key = ui.args["id"]
        contact = ui.data["contacts"].get(key)
        if contact is None:
            ui.bar("Contact")
            ui.empty("This contact was deleted", "person")
            return
        star = "star_filled" if contact["favorite"] else "star"
        bin_and_pen = [("edit", "Edit", self._edit(key)), ("delete", "", _ask_delete(key))]
        ui.bar("Contact", [(star, "", self._star(key)), *bin_and_pen])
        name = contact["name"]
        ui.space(6)
        ui.place(("avatar", letter_of(name), tint_of(name), ""), 58)
        ui.text(name, LARGE, align="center", bold=True)
        reach = self._reach(contact)
        cells = [
            (("round_button", icon, "white", self.color), "", "", reach[icon])
            for icon in ui.data["actions"]
        ]
        ui.grid(cells, columns=len(cells), height=34, role="button")
        ui.space(6)
        ui.divider()
        if contact["phone"]:
            ui.row(contact["phone"], "Mobile", icon="phone", on_tap=reach["phone"])
        if contact["mail"]:
            ui.row(contact["mail"], "Mail", icon="mail", on_tap=reach["mail"])
        group = contact["group"] or "None"
        ui.row("Group", group, icon="people", on_tap=lambda c: c.open("group_choice", id=key))

    def _reach(self, contact: State) -> dict[str, Handler]:
        """What each icon of a card does."""
        name, number = contact["name"], contact["phone"]

        def call(*, video: bool) -> Handler:
            def dial(control: Control) -> None:
                if number:
                    place_call(control, number, name, video=video)
                else:
                    control.toast("This contact has no number")

            return dial

        def write_mail(control: Control) -> None:
            control.start("mail", "compose")
            control.set_var("to", name)

        return {
            "phone": call(video=False),
            "video": call(video=True),
            "message": lambda c: open_chat(c, name),
            "mail": write_mail,
        }

    def _star(self, key: str) -> Handler:
        def star(control: Control) -> None:
            favorite = control.data["contacts"][key]["favorite"]
            control.write("contacts", key, "favorite", to=not favorite)

        return star

    def _edit(self, key: str) -> Handler:
        def edit(control: Control) -> None:
            contact = control.data["contacts"][key]
            control.open("edit", id=key)
            for field in ("name", "phone", "mail"):
                control.set_var(field, contact[field])

        return edit

    def page_edit(self, ui: Ui) -> None:
        """A form for a new contact, or for one that exists."""
        ui.bar("Edit contact" if "id" in ui.args else "New contact")
        ui.space(4)
        ui.field("name", "Name", icon="person")
        if ui.version % 2 == 0:
            ui.field("mail", "Mail", icon="mail")
        ui.field("phone", "Phone", icon="phone")
        if ui.version % 2 == 1:
            ui.field("mail", "Mail", icon="mail")
        ui.space(4)
        ui.button("Save", self._save if ui.text_of("name") else None)

    def _save(self, control: Control) -> None:
        key = control.page["args"].get("id") or control.new_id("new")
        fields = {field: control.text(field) for field in ("name", "phone", "mail")}
        old = control.data["contacts"].get(key, _NOBODY)
        control.write("contacts", key, to={**old, **fields})
        control.back()
        control.toast("Contact saved")

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        contact = ui.data["contacts"].get(ui.args["id"], _NOBODY)
        ui.dialog(
            "Delete contact?",
            f"{contact['name']} will be removed from this phone.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete)],
        )

    def _delete(self, control: Control) -> None:
        control.erase("contacts", control.page["args"]["id"])
        control.back_to("main")
        control.toast("Contact deleted")

    def dialog_group_choice(self, ui: Ui) -> None:
        """Which group a person is in."""
        key = ui.args["id"]
        chosen = ui.data["contacts"].get(key, _NOBODY)["group"]
        names = ["", *list(ui.data["groups"])[:8]]
        ui.dialog(
            "Group",
            choices=[(name or "None", name == chosen, self._put_in(key, name)) for name in names],
        )

    def _put_in(self, key: str, group: str) -> Handler:
        def put_in(control: Control) -> None:
            if key in control.data["contacts"]:
                control.write("contacts", key, "group", to=group)
            control.back()

        return put_in

    def page_groups(self, ui: Ui) -> None:
        """All groups with how many people are in each."""
        ui.bar("Groups", [("add", "", lambda c: c.open("new_group"))])
        for group in ui.data["groups"]:
            count = sum(c["group"] == group for c in ui.data["contacts"].values())
            ui.row(group, icon="people", trailing=str(count), on_tap=self._open_group(group))
        if not ui.data["groups"]:
            ui.empty("No groups", "people")

    def _open_group(self, group: str) -> Handler:
        return lambda c: c.open("group", group=group)

    def page_group(self, ui: Ui) -> None:
        """The people of one group."""
        group = ui.args["group"]
        ui.bar(group, [("delete", "", self._drop_group(group))])
        in_group = by_name({k: c for k, c in ui.data["contacts"].items() if c["group"] == group})
        self._list(ui, in_group)
        if not in_group:
            ui.empty("Nobody is in this group", "people")

    def _drop_group(self, group: str) -> Callable[[Control], None]:
        def drop(control: Control) -> None:
            for key, contact in control.data["contacts"].items():
                if contact["group"] == group:
                    control.write("contacts", key, "group", to="")
            control.erase("groups", group)
            control.back()

        return drop

    def dialog_new_group(self, ui: Ui) -> None:
        """A name for a new group."""
        ready = bool(ui.text_of("group"))
        ui.dialog(
            "New group",
            fields=[("group", "Name")],
            buttons=[
                ("Cancel", lambda c: c.back()),
                ("Create", self._add_group if ready else None),
            ],
        )

    def _add_group(self, control: Control) -> None:
        control.write("groups", control.text("group"), to=True)
        control.back()
