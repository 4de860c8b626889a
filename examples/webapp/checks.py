"""A check in Python: it may ask the page, or the server behind it."""

from distrl.devices.browser.device import BrowserDevice
from distrl.types import Task


def added_and_ticked(device: BrowserDevice, task: Task) -> bool:
    """Whether a new item is on the list and ticked off."""
    del task
    items = device.evaluate("app.items")
    return any(item["done"] and item["name"] not in "Milk Bread Eggs Rice" for item in items)
