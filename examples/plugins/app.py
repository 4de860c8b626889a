"""An app that appears on every phone: it counts."""

from random import Random

from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, Ui


class Counter(App):
    """[project.entry-points."distrl.apps"]: counter = "app:Counter"."""

    name, title, icon, color = "counter", "Counter", "add", (90, 60, 160)

    def create(self, rng: Random) -> State:
        """Start somewhere."""
        return {"count": rng.randrange(10)}

    def page_main(self, ui: Ui) -> None:
        """The count, and a button that raises it."""
        ui.bar("Counter", up=False)
        ui.text(str(ui.data["count"]), HUGE, align="center")
        ui.button("Count on", self._count)

    def _count(self, control: Control) -> None:
        control.write("count", to=control.data["count"] + 1)
