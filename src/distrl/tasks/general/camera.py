"""Goals in the Camera app. Its tools are icons whose order differs from phone to phone."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.camera import DELAYS, shuffled_tools
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import SWITCH, closed
from distrl.tasks.template import Params, Scene, Template

LENS = closed("lens", "front", "back")
DELAY = closed("delay", *(label for delay, label in DELAYS.items() if delay))


class TakePhoto(Template):
    """A photo by the front or the back camera; which one is on shows only in the viewfinder."""

    name = "take_photo"
    unseen = True
    phrasings = (
        "Take a photo with the {lens} camera",
        "Use the {lens} camera to take a picture",
        "Open the camera and snap a shot with the {lens} lens",
        "Take one picture, {lens} camera please",
        "Shoot a photo using the phone's {lens} camera",
        "I want a picture from the {lens} camera",
        "Capture a photo with the camera on the {lens}",
    )
    params = {"lens": LENS}
    visual = True

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new photo, and the camera that stays on."""
        photo = {"kind": "photo", "lens": p["lens"]}
        return ("apps.camera.lens", Added("apps.gallery.photos", photo))

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Either camera may be on."""
        control.write_root("apps", "camera", "lens", to=rng.choice(LENS.values))
        control.write_root("apps", "camera", "mode", to="photo")

    def check(self, scene: Scene, p: Params) -> bool:
        """The gallery has a new photo from that camera."""
        old = scene.data_before("gallery")["photos"]
        return any(
            photo.get("lens") == p["lens"] and photo.get("kind") == "photo"
            for key, photo in scene.data("gallery")["photos"].items()
            if key not in old
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Turn to the right camera and press the shutter."""
        hand.open("camera")
        hand.on("main")
        camera = hand.data("camera")
        if not camera["recording"]:
            hand.tab("Photo")
            if camera["lens"] != p["lens"]:
                hand.tap_icon("swap")
        hand.tap_paint("shutter")


class CameraFlash(Template):
    """The flash is on or off; its icon stands anywhere among the tools."""

    name = "camera_flash"
    phrasings = (
        "Turn {switch} the camera flash",
        "Switch the flash of the camera {switch}",
        "Set the flash in the Camera app to {switch}",
        "I want the camera's flash {switch}",
        "Open the camera and turn its flash {switch}",
        "Put the flash {switch} in the Camera app",
        "Have the camera flash {switch} from now on",
        "Take pictures with the flash {switch}",
        "Make sure the flash is {switch} when I take photos",
        "Camera flash {switch}",
    )
    params = {"switch": SWITCH}
    allows = ("apps.camera.flash",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        control.write_root("apps", "camera", "tools", to=shuffled_tools(rng))
        control.write_root("apps", "camera", "flash", to=p["switch"] == "off")

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(scene.data("camera")["flash"]) is (p["switch"] == "on")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press the torch."""
        hand.open("camera")
        hand.on("main")
        hand.tap_icon("flashlight")


class CameraTimer(Template):
    """The shutter waits; the timer's icon stands anywhere among the tools."""

    name = "camera_timer"
    unseen = True
    phrasings = (
        "Set the camera timer to {delay}",
        "Make the camera wait {delay} before it takes the picture",
        "Use a self-timer of {delay} in the Camera app",
        "Delay the shutter by {delay}",
        "Camera: set the countdown to {delay}",
        "I want {delay} on the camera's timer",
    )
    params = {"delay": DELAY}
    allows = ("apps.camera.timer",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The timer is off."""
        control.write_root("apps", "camera", "tools", to=shuffled_tools(rng))
        control.write_root("apps", "camera", "timer", to=0)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(DELAYS[scene.data("camera")["timer"]] == p["delay"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press the hourglass and choose."""
        hand.open("camera")
        if hand.at("timer"):
            hand.tap(p["delay"], role="radio")
        hand.on("main")
        hand.tap_icon("timer")


TEMPLATES: tuple[Template, ...] = (TakePhoto(), CameraFlash(), CameraTimer())
