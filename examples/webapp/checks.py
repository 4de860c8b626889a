"""A check in Python: it may ask the page, or the server behind it."""

from distrl.devices.browser.device import BrowserDevice
from distrl.types import Task


def added_and_ticked(device: BrowserDevice, task: Task) -> bool:
    """Whether the item of the task is on the list and ticked off, and nothing else has changed."""
    before = [{"name": name, "done": False} for name in ("Milk", "Bread", "Eggs", "Rice")]
    wanted = str(task.parameters["item"]).lower()
    *others, newest = device.evaluate("app.items")
    return others == before and newest["name"].lower() == wanted and newest["done"]
