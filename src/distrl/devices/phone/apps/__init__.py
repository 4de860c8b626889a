"""The built-in apps, one file each, and some that no phone starts with. Plug-ins may add more."""

from __future__ import annotations

from distrl.devices.phone.apps.browser import Browser
from distrl.devices.phone.apps.calculator import Calculator
from distrl.devices.phone.apps.calendar import Calendar
from distrl.devices.phone.apps.camera import Camera
from distrl.devices.phone.apps.clock import Clock
from distrl.devices.phone.apps.contacts import Contacts
from distrl.devices.phone.apps.cookbook import Cookbook
from distrl.devices.phone.apps.files import Files
from distrl.devices.phone.apps.gallery import Gallery
from distrl.devices.phone.apps.mail import Mail
from distrl.devices.phone.apps.maps import Maps
from distrl.devices.phone.apps.messages import Messages
from distrl.devices.phone.apps.music import Music
from distrl.devices.phone.apps.notes import Notes
from distrl.devices.phone.apps.phone import PhoneApp
from distrl.devices.phone.apps.postcards import Postcards
from distrl.devices.phone.apps.recorder import Recorder
from distrl.devices.phone.apps.settings import Settings
from distrl.devices.phone.apps.smart_home import SmartHome
from distrl.devices.phone.apps.store import Store
from distrl.devices.phone.apps.todo import Todo
from distrl.devices.phone.apps.video import VideoSite
from distrl.devices.phone.apps.weather import Weather
from distrl.devices.phone.launcher import Launcher
from distrl.devices.phone.registry import built_in, plugged_in, register, register_rare

register(
    Launcher(),
    Browser(),
    Calculator(),
    Calendar(),
    Camera(),
    Clock(),
    Contacts(),
    Files(),
    Gallery(),
    Mail(),
    Maps(),
    Messages(),
    Music(),
    Notes(),
    PhoneApp(),
    Recorder(),
    Settings(),
    Store(),
    Todo(),
    VideoSite(),
    Weather(),
)
register_rare(Cookbook(), Postcards(), SmartHome())


def names() -> tuple[str, ...]:
    """Names of all apps except the launcher, in a fixed order, those of plug-ins last."""
    return (*built_in(), *plugged_in())
