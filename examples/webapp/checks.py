"""A check in Python: it may ask the page, or the server behind it."""

from distrl.devices.browser.device import BrowserDevice
from distrl.types import Task

BEFORE = [["milk", False], ["bread", False], ["eggs", False], ["rice", False]]
"""What the suite's reset puts on the list, and whether it is ticked off."""


def added_and_ticked(device: BrowserDevice, task: Task) -> bool:
    """Whether the item of the task is on the list and ticked off, and nothing else has changed."""
    items = device.evaluate("app.items")
    found = [[item["name"].lower(), item["done"]] for item in items]
    return found == [*BEFORE, [str(task.parameters["item"]).lower(), True]]
