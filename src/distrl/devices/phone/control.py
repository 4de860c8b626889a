"""What a touch may do to the phone: a transaction on its state."""

from __future__ import annotations

from typing import Any

from distrl.devices.phone.state import State, drop, put


def new_page(name: str, arguments: dict[str, Any]) -> State:
    """A fresh page for a back stack."""
    return {"name": name, "args": arguments, "vars": {}, "scroll": 0}


class Control:
    """A transaction on the phone's state, handed to every handler on behalf of one app.

    Each writing method replaces `state` by a new tree and leaves the old one untouched. The phone
    takes over the last `state` when the handler returns.
    """

    __slots__ = ("app", "state")

    def __init__(self, state: State, app: str) -> None:
        """Act on `state` on behalf of `app`."""
        self.state = state
        self.app = app

    # Reading

    @property
    def data(self) -> State:
        """The lasting data of the app that acts."""
        data: State = self.state["apps"].get(self.app, {})
        return data

    @property
    def system(self) -> State:
        """The settings of the phone."""
        system: State = self.state["system"]
        return system

    @property
    def time(self) -> int:
        """Phone time in seconds."""
        time: int = self.state["time"]
        return time

    @property
    def page(self) -> State:
        """The page on top of the acting app's back stack."""
        page: State = self.state["ui"]["stacks"][self.app][-1]
        return page

    def var(self, key: str, default: Any = None) -> Any:
        """A value that lives as long as the page, such as the text of a field."""
        return self.page["vars"].get(key, default)

    def text(self, key: str) -> str:
        """What a field of the page holds, without outer blanks."""
        return str(self.var(key, "")).strip()

    # Writing lasting data

    def write(self, *path: str, to: Any) -> None:
        """Change the acting app's data."""
        self.state = put(self.state, ("apps", self.app, *path), to)

    def write_system(self, *path: str, to: Any) -> None:
        """Change a setting of the phone."""
        self.state = put(self.state, ("system", *path), to)

    def write_root(self, *path: str, to: Any) -> None:
        """Change anything; for the system's own parts and for set-ups."""
        self.state = put(self.state, path, to)

    def erase(self, *path: str) -> None:
        """Remove something from the acting app's data."""
        self.state = drop(self.state, ("apps", self.app, *path))

    def erase_root(self, *path: str) -> None:
        """Remove anything; for the system's own parts and for set-ups."""
        self.state = drop(self.state, path)

    def new_id(self, prefix: str = "n") -> str:
        """An id that no record has yet: ids of a new phone carry no dash."""
        number = self.state["ids"] + 1
        self.state = put(self.state, ("ids",), number)
        return f"{prefix}-{number}"

    # Moving about

    def _write_stack(self, stack: list[State]) -> None:
        ui = dict(self.state["ui"])
        ui["stacks"] = {**ui["stacks"], self.app: stack}
        # The field with the cursor belongs to the page that was on top before.
        ui["focus"] = None
        self.state = {**self.state, "ui": ui}

    def open(self, page: str, **arguments: Any) -> None:
        """Put a page, or a dialog, on top of the back stack."""
        self._write_stack([*self.state["ui"]["stacks"][self.app], new_page(page, arguments)])

    def replace(self, page: str, **arguments: Any) -> None:
        """Put a page in the place of the current one."""
        self._write_stack([*self.state["ui"]["stacks"][self.app][:-1], new_page(page, arguments)])

    def back(self, pages: int = 1) -> None:
        """Take pages off the back stack; the first page stays."""
        stack = self.state["ui"]["stacks"][self.app]
        self._write_stack(stack[: max(1, len(stack) - pages)])

    def back_to(self, page: str) -> None:
        """Take pages off until one of this name is on top; the first page stays."""
        stack = self.state["ui"]["stacks"][self.app]
        while len(stack) > 1 and stack[-1]["name"] != page:
            stack = stack[:-1]
        self._write_stack(stack)

    def start(self, app: str, page: str = "", **arguments: Any) -> None:
        """Bring another app to the front; with a page, show that page above its first."""
        self.app = app
        ui = dict(self.state["ui"])
        stack = ui["stacks"].get(app) or [new_page("main", {})]
        if page:
            stack = [stack[0], new_page(page, arguments)]
        ui.update(app=app, shade=False, focus=None, stacks={**ui["stacks"], app: stack})
        # States that were taken before phones had an overview have no list of recent apps.
        ui["recents"] = [app, *(other for other in ui.get("recents", ()) if other != app)]
        self.state = {**self.state, "ui": ui}

    def end_apps(self, *apps: str) -> None:
        """End apps that are not in front: what they had open is gone, what they keep is not."""
        ui = dict(self.state["ui"])
        ui["stacks"] = {name: stack for name, stack in ui["stacks"].items() if name not in apps}
        ui["recents"] = [name for name in ui.get("recents", ()) if name not in apps]
        self.state = {**self.state, "ui": ui}

    def write_ui(self, key: str, to: Any) -> None:
        """Change something that does not last, such as the open shade."""
        self.state = {**self.state, "ui": {**self.state["ui"], key: to}}

    def set_var(self, key: str, to: Any) -> None:
        """Change a value of the page."""
        stack = self.state["ui"]["stacks"][self.app]
        page = {**stack[-1], "vars": {**stack[-1]["vars"], key: to}}
        stacks = {**self.state["ui"]["stacks"], self.app: [*stack[:-1], page]}
        self.write_ui("stacks", stacks)

    def set_var_below(self, key: str, to: Any) -> None:
        """Close the dialog on top and leave a value on the page below it."""
        self.back()
        self.set_var(key, to)

    def focus(self, key: str | None) -> None:
        """Put the cursor into a field with its text selected, or take it out of any."""
        self.write_ui("focus", None if key is None else {"key": key, "all": True})

    def toast(self, text: str) -> None:
        """Show a short message until the next action."""
        self.write_ui("toast", text)

    def notify(self, app: str, title: str, text: str, page: str = "", **arguments: Any) -> None:
        """Leave a notification in the shade."""
        record = {"app": app, "title": title, "text": text, "page": page, "args": arguments}
        self.write_root("notices", self.new_id("notice"), to=record)
