"""adb client: all that talks to adb. Takes argument lists, returns bytes, has deadlines.

    server       an adb server of our own, on a port of its own, ended by its process id
    client       what an adb server can be asked: which devices, connect, disconnect
    phone        one device: run programs on it, look at it, act on it
    look         what one look at a device returns, taken apart
    words        programs as lists of words; `quote` makes them a line for the device's shell
    connection   one request on a socket of its own, with one deadline for the whole call

No line is built but by `quote`, and nothing ever reaches a shell of this machine.
"""

from distrl.devices.android.adb.client import DEFAULT_PORT, Adb, shared_adb
from distrl.devices.android.adb.look import ScreenDump, parse_screen_dump, read_boot_id, split_png
from distrl.devices.android.adb.phone import DEADLINE, AdbPhone, CommandResult
from distrl.devices.android.adb.server import AdbServer, find_adb
from distrl.devices.android.adb.words import Argv, Pipeline, quote, quote_pipelines

__all__ = [
    "DEADLINE",
    "DEFAULT_PORT",
    "Adb",
    "AdbPhone",
    "AdbServer",
    "Argv",
    "CommandResult",
    "Pipeline",
    "ScreenDump",
    "find_adb",
    "parse_screen_dump",
    "quote",
    "quote_pipelines",
    "read_boot_id",
    "shared_adb",
    "split_png",
]
