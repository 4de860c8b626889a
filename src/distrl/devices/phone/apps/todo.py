"""Tasks: lists of things to do, with stars and a section of what is done."""

from __future__ import annotations

import math
from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import WIDTH, Drag, Handler

LISTS = (("personal", "Personal", "person"), ("work", "Work", "bag"), ("home", "Home", "home"))
"""Key, title and icon of the lists."""
ORDERS = (("added", "Date added"), ("name", "Name"), ("starred", "Starred first"))

_ROW_HEIGHT = 28
_SIDE = 30


def _tick(key: str) -> Handler:
    return lambda c: c.write("tasks", key, "done", to=not c.data["tasks"][key]["done"])


def _star(key: str) -> Handler:
    return lambda c: c.write("tasks", key, "starred", to=not c.data["tasks"][key]["starred"])


def _move(key: str) -> Drag:
    """Put a task where the finger lets go of it, if the list has an order of its own."""

    def move(control: Control, _: float, y: float) -> None:
        tasks = control.data["tasks"]
        if control.data["order"] != "added":
            return
        alike = [k for k, t in tasks.items() if _section(t) == _section(tasks[key])]
        place = min(len(alike) - 1, max(0, alike.index(key) + math.floor(y)))
        others = [k for k in alike if k != key]
        moved = iter([*others[:place], key, *others[place:]])
        # Tasks of other lists keep their places among these.
        order = [next(moved) if k in alike else k for k in tasks]
        control.write("tasks", to={k: tasks[k] for k in order})

    return move


def _section(task: State) -> tuple[str, bool]:
    """What stands below each other on one page."""
    return task["list"], task["done"]


def _new_task(chosen: str) -> Handler:
    def new(control: Control) -> None:
        control.open("add", list=chosen)
        control.focus("title")

    return new


class Todo(App):
    """Data: tasks by id with title, list, done and starred; the order in which they stand."""

    name = "todo"
    title = "Tasks"
    icon = "check"
    color = (30, 136, 110)
    permission = "send you notifications"

    def create(self, rng: Random) -> State:
        """Sixteen tasks over three lists, some of them done or starred."""
        titles = rng.sample(content.REMINDERS, 16)
        keys = [key for key, _, _ in LISTS]
        return {
            "order": "added",
            "tasks": {
                f"task{i}": {
                    "title": title,
                    "list": keys[i % len(keys)],
                    "done": rng.random() < 0.2,
                    "starred": rng.random() < 0.2,
                }
                for i, title in enumerate(titles)
            },
        }

    def page_main(self, ui: Ui) -> None:
        """One list: what is to do, then what is done."""
        chosen = str(ui.var("list", LISTS[0][0]))
        actions: list[tuple[str, str, Handler]] = [
            ("sort", "", lambda c: c.open("order")),
            ("more", "", lambda c: c.open("menu", list=chosen)),
        ]
        if ui.version % 2 == 0:
            actions.append(("add", "", _new_task(chosen)))
        ui.bar(self.title, actions)
        ui.tabs(LISTS, chosen, lambda key: lambda c: c.set_var("list", key))
        tasks = [item for item in ui.data["tasks"].items() if item[1]["list"] == chosen]
        self._sort(tasks, ui.data["order"])
        done = [item for item in tasks if item[1]["done"]]
        for key, task in tasks:
            if not task["done"]:
                self._task_row(ui, key, task)
        if not tasks:
            ui.empty("Nothing to do", "check")
        if done:
            ui.header(f"Completed ({len(done)})")
            for key, task in done:
                self._task_row(ui, key, task)
        if ui.version % 2:
            ui.fab("add", _new_task(chosen))

    def _sort(self, tasks: list[tuple[str, State]], order: str) -> None:
        if order == "name":
            tasks.sort(key=lambda item: item[1]["title"])
        elif order == "starred":
            tasks.sort(key=lambda item: not item[1]["starred"])

    def _task_row(self, ui: Ui, key: str, task: State) -> None:
        """A box to tick, the words, and a star that has none; layout 2 swaps box and star."""
        y, done, starred = ui.y, bool(task["done"]), bool(task["starred"])
        ui.space(_ROW_HEIGHT)
        left, right = 0, WIDTH - _SIDE
        box_x, star_x = (left, right) if ui.version % 2 else (right, left)
        words = ("row", task["title"], "", "", ui.color, "", not done)
        place = (_SIDE - 6, y, WIDTH - 2 * _SIDE + 12, _ROW_HEIGHT)
        row = ui.place_at(words, place, "item", task["title"], "", lambda c: c.open("task", id=key))
        if row is not None:
            row.on_drop = _move(key)
        glyph = ("glyph", "box_on" if done else "box_off", ui.color if done else "muted", "bg")
        place = (box_x, y, _SIDE, _ROW_HEIGHT)
        widget = ui.place_at(glyph, place, "checkbox", "", task["title"], _tick(key))
        if widget is not None:
            widget.checked = done
        tint = (236, 170, 20) if starred else "muted"
        glyph = ("glyph", "star_filled" if starred else "star", tint, "bg")
        ui.place_at(glyph, (star_x, y, _SIDE, _ROW_HEIGHT), "button", "", "", _star(key))

    def page_task(self, ui: Ui) -> None:
        """One task, with icons for what can be done to it."""
        key = ui.args["id"]
        task = ui.data["tasks"].get(key)
        if task is None:
            ui.bar("Task")
            ui.empty("This task was deleted", "check")
            return
        ui.bar(
            "Task",
            [
                ("star_filled" if task["starred"] else "star", "", _star(key)),
                ("delete", "", self._delete),
            ],
        )
        ui.text(task["title"], LARGE, bold=True)
        title = next(title for list_key, title, _ in LISTS if list_key == task["list"])
        ui.row("List", trailing=title, icon="list")
        ui.row("Status", trailing="Completed" if task["done"] else "Open", icon="info")
        ui.button("Mark as not done" if task["done"] else "Mark as done", _tick(key), icon="check")

    def _delete(self, control: Control) -> None:
        control.erase("tasks", control.page["args"]["id"])
        control.back()
        control.toast("Task deleted")

    def page_add(self, ui: Ui) -> None:
        """A new task."""
        ui.bar("New task")
        ui.field("title", "What is to be done?", self._save)
        ui.button("Save", self._save if ui.text_of("title") else None)

    def _save(self, control: Control) -> None:
        title = control.text("title")
        if title:
            chosen = control.page["args"]["list"]
            task = {"title": title, "list": chosen, "done": False, "starred": False}
            control.write("tasks", control.new_id("task"), to=task)
            control.back()
            control.toast("Task added")

    def dialog_order(self, ui: Ui) -> None:
        """How the lists are sorted."""
        now = ui.data["order"]
        ui.dialog(
            "Sort by",
            choices=[(label, key == now, self._order_by(key)) for key, label in ORDERS],
        )

    def _order_by(self, key: str) -> Handler:
        def order(control: Control) -> None:
            control.write("order", to=key)
            control.back()

        return order

    def dialog_menu(self, ui: Ui) -> None:
        """What can be done to a whole list."""
        ui.menu(
            [
                ("Mark all as done", self._finish_all),
                ("Clear completed", self._clear_done),
            ]
        )

    def _finish_all(self, control: Control) -> None:
        chosen = control.page["args"]["list"]
        control.back()
        for key, task in control.data["tasks"].items():
            if task["list"] == chosen and not task["done"]:
                control.write("tasks", key, "done", to=True)

    def _clear_done(self, control: Control) -> None:
        chosen = control.page["args"]["list"]
        control.back()
        for key, task in control.data["tasks"].items():
            if task["list"] == chosen and task["done"]:
                control.erase("tasks", key)
        control.toast("Completed tasks cleared")
