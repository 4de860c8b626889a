"""Goals in the Tasks app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.apps.todo import LISTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.view import Widget
from distrl.tasks.allowed_changes import Added, Permission, fields_of
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import REMINDER, closed
from distrl.tasks.template import Params, Scene, Template

_KEYS = {title: key for key, title, _ in LISTS}
_LIST = closed("todo_list", *_KEYS)
_DONE = ("done0", "done1", "done2")
"""Ids of the completed tasks that a goal asks to clear."""


def _tasks(control: Control) -> State:
    tasks: State = control.state["apps"]["todo"]["tasks"]
    return tasks


def _without(control: Control, title: str) -> State:
    return {key: task for key, task in _tasks(control).items() if task["title"] != title}


def _put_task(control: Control, title: str, list_title: str, rng: Random) -> None:
    """The phone has exactly one task of this title, open and plain, with the id `target`."""
    task = {"title": title, "list": _KEYS[list_title], "done": False, "starred": False}
    records = [*_without(control, title).items(), ("target", task)]
    rng.shuffle(records)
    control.write_root("apps", "todo", "tasks", to=dict(records))


def _show_list(hand: Hand, title: str) -> None:
    hand.open("todo")
    hand.on("main")
    hand.tab(title)


def _beside(hand: Hand, title: str, role: str) -> Widget | None:
    """The box or the star in the row of a task."""
    widgets = [w for w in hand.view.widgets[hand.view.live :] if w.element() is not None]
    rows = [w.y for w in widgets if w.role == "item" and w.text == title]
    return next((w for w in widgets if w.role == role and not w.text and w.y in rows), None)


def _touch_beside(hand: Hand, title: str, role: str) -> None:
    widget = _beside(hand, title, role)
    if widget is None:
        hand.scroll_to(title)
        hand.back()
    hand.touch(widget)


class AddTask(Template):
    """A new task on a list."""

    name = "add_task"
    phrasings = (
        "Add {title} to my {list} tasks",
        "Create a task in the {list} list: {title}",
        "In Tasks, put {title} on the {list} list",
        "Remind me in my {list} list: {title}",
    )
    params = {"title": REMINDER, "list": _LIST}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new task of this title on that list."""
        return (Added("apps.todo.tasks", {"title": p["title"], "list": _KEYS[p["list"]]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such task yet."""
        control.write_root("apps", "todo", "tasks", to=_without(control, p["title"]))

    def check(self, scene: Scene, p: Params) -> bool:
        """It is on the list, to be done."""
        wanted = (p["title"], _KEYS[p["list"]], False)
        tasks = scene.data("todo")["tasks"].values()
        return any((t["title"], t["list"], t["done"]) == wanted for t in tasks)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose the list, add, type, save."""
        hand.open("todo")
        if hand.at("add", list=_KEYS[p["list"]]):
            hand.type("title", p["title"])
            hand.tap("Save")
        _show_list(hand, p["list"])
        hand.tap_icon("add")


class FinishTask(Template):
    """A task is done."""

    name = "finish_task"
    phrasings = (
        "Tick off {title} in my {list} tasks",
        "Mark {title} on the {list} list as done",
        "I have finished {title}, check it off in the {list} list",
    )
    params = {"title": REMINDER, "list": _LIST}
    allows = ("apps.todo.tasks.target.done",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The task exists and is open."""
        _put_task(control, p["title"], p["list"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is done."""
        return bool(scene.data("todo")["tasks"].get("target", {}).get("done"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tick the box in its row."""
        _show_list(hand, p["list"])
        _touch_beside(hand, p["title"], "checkbox")


class StarTask(Template):
    """A task has a star, by an icon without words."""

    name = "star_task"
    phrasings = (
        "Star {title} in my {list} tasks",
        "Mark {title} on the {list} list with a star",
        "Make {title} a starred task, it is on the {list} list",
    )
    params = {"title": REMINDER, "list": _LIST}
    allows = ("apps.todo.tasks.target.starred",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The task exists, without a star."""
        _put_task(control, p["title"], p["list"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It has a star."""
        return bool(scene.data("todo")["tasks"].get("target", {}).get("starred"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Touch the star in its row."""
        _show_list(hand, p["list"])
        _touch_beside(hand, p["title"], "button")


class DeleteTask(Template):
    """A task is gone."""

    name = "delete_task"
    unseen = True
    phrasings = (
        "Delete {title} from my {list} tasks",
        "Remove the task {title} from the {list} list",
        "Take {title} off the {list} list for good",
    )
    params = {"title": REMINDER, "list": _LIST}
    allows = ("apps.todo.tasks.target",)
    weight = 0.7

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The task exists."""
        _put_task(control, p["title"], p["list"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("todo")["tasks"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the bin."""
        hand.open("todo")
        if hand.at("task", id="target"):
            hand.tap_icon("delete")
        _show_list(hand, p["list"])
        hand.tap(p["title"], role="item")


class ClearCompleted(Template):
    """What is done on a list is gone; the menu has an icon without words."""

    name = "clear_completed"
    unseen = True
    phrasings = (
        "Clear the completed tasks in my {list} list",
        "Remove everything that is done from the {list} list in Tasks",
        "Delete all finished tasks of the {list} list",
        "Tidy up my {list} list: drop what is completed",
        "Get rid of the completed items on the {list} tasks list",
    )
    params = {"list": _LIST}
    allows = fields_of("apps.todo.tasks", *_DONE)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Three done tasks are on the list, and no other done ones."""
        key = _KEYS[p["list"]]
        kept = {k: t for k, t in _tasks(control).items() if t["list"] != key or not t["done"]}
        taken = {task["title"] for task in kept.values()}
        titles = rng.sample([t for t in content.REMINDERS if t not in taken], len(_DONE))
        for name, title in zip(_DONE, titles, strict=True):
            kept[name] = {"title": title, "list": key, "done": True, "starred": False}
        control.write_root("apps", "todo", "tasks", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """None of them is left."""
        return not any(key in scene.data("todo")["tasks"] for key in _DONE)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose the list and use its menu, once all of them are ticked."""
        hand.open("todo")
        if hand.at("menu", list=_KEYS[p["list"]]):
            hand.tap("Clear completed")
        _show_list(hand, p["list"])
        for key, task in hand.data("todo")["tasks"].items():
            if key in _DONE and not task["done"]:
                _touch_beside(hand, task["title"], "checkbox")
        hand.tap_icon("more")


class FinishStarred(Template):
    """The task with the star is done; which one it is can only be seen."""

    name = "finish_starred"
    phrasings = (
        "Tick off the starred task in my {list} list",
        "Mark the task with the star on the {list} list as done",
        "Complete the {list} task that has a yellow star",
        "Check off the task with the star in the {list} list",
        "The starred task in {list} is done, tick it",
        "In the {list} list, mark the starred task as finished",
        "I finished the task with a star in {list}, tick it off",
        "One task on my {list} list is starred, check it off",
        "Finish the starred item of the {list} tasks",
    )
    params = {"list": _LIST}
    allows = ("apps.todo.tasks.target.done",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The list holds the same five tasks on every phone, one of them with a star."""
        key = _KEYS[p["list"]]
        kept = {k: task for k, task in _tasks(control).items() if task["list"] != key}
        start = 5 * list(_KEYS).index(p["list"])
        starred = rng.randrange(5)
        for number, title in enumerate(content.REMINDERS[start : start + 5]):
            chosen = number == starred
            task = {"title": title, "list": key, "done": False, "starred": chosen}
            kept["target" if chosen else f"plain{number}"] = task
        control.write_root("apps", "todo", "tasks", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is done."""
        return bool(scene.data("todo")["tasks"].get("target", {}).get("done"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tick the box in its row."""
        _show_list(hand, p["list"])
        target = hand.data("todo")["tasks"].get("target")
        if target is not None:
            _touch_beside(hand, target["title"], "checkbox")


TEMPLATES: tuple[Template, ...] = (
    AddTask(),
    FinishTask(),
    StarTask(),
    DeleteTask(),
    ClearCompleted(),
    FinishStarred(),
)
