"""A suite of tasks: recordings that are no longer needed."""

from random import Random

from distrl.devices.phone.control import Control
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import EVENT
from distrl.tasks.suites import Suite, SuiteShape
from distrl.tasks.template import Params, Scene, Template


class DeleteRecording(Template):
    name, params = "delete_recording", {"title": EVENT}
    phrasings = ("Delete the recording {title}", "I no longer need {title} in the Recorder")
    allows = ("apps.recorder.recordings.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        record = {"title": p["title"], "seconds": 60, "day": 1}
        control.write_root("apps", "recorder", "recordings", to={"target": record})

    def check(self, scene: Scene, p: Params) -> bool:
        return "target" not in scene.data("recorder")["recordings"]

    def oracle(self, hand: Hand, p: Params) -> None:
        hand.open("recorder")
        hand.tap("Delete") if hand.at("delete") else hand.on("main", "recording")
        hand.tap_icon("delete") if hand.at("recording") else hand.tap(p["title"])


def tidying() -> Suite:
    """[project.entry-points."distrl.suites"]: tidying = "suite:tidying"."""
    sizes = {"train": 12, "val": 4, "test": 4, "unseen": 0}
    shape = SuiteShape(sizes=sizes, step_limit=10, first_seed=900_000_000)
    return Suite("tidying", [DeleteRecording()], shape)
