"""A program that stands in for the Android emulator, which is not on this project's machines."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROGRAM = '''#!{python}
"""Stands in for the emulator: a served phone that tells the adb server of itself."""
import json, os, signal, socket, sys, threading, time
sys.path[:0] = {path!r}
words = sys.argv[1:]
port = int(words[words.index("-port") + 1])
mode = words[words.index("-avd") + 1]
with open({folder!r} + f"/started-{{port}}", "a") as note:
    note.write(json.dumps([os.getpid(), words]) + "\\n")
if mode == "broken":
    sys.exit("PANIC: cannot find AVD system path")
if "-force-snapshot-load" in words and mode == "refused":
    sys.exit("snapshot was saved with other settings, exiting")
if mode == "hangs":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.adbd.system import AndroidSystem
if os.environ.get("STAND_IN_UNKNOWN"):
    from distrl.devices.phone.adbd import properties
    told = properties.properties
    properties.properties = lambda *known: {{**told(*known), "ro.product.name": "sdk_phone64"}}
device = PhoneDevice()
snapshot = device.snapshot()
system = AndroidSystem(device, serial=f"clone-{{port}}", scale=1)

def serve_console(listening):
    while True:
        taken, _ = listening.accept()
        with taken:
            taken.sendall(b"Android Console: type 'help' for a list of commands\\r\\nOK\\r\\n")
            for line in taken.makefile("rb"):
                if line.strip() == b"avd snapshot load default_boot" and mode != "stubborn":
                    with system.lock:
                        device.restore(snapshot)
                    taken.sendall(b"OK\\r\\n")
                elif line.startswith(b"avd snapshot save ") and mode != "full":
                    open({folder!r} + "/" + line.split()[-1].decode(), "w").close()
                    taken.sendall(b"OK\\r\\n")
                else:
                    taken.sendall(b"KO: no such snapshot\\r\\n")

console = socket.create_server(("127.0.0.1", port))
threading.Thread(target=serve_console, args=(console,), daemon=True).start()
daemon = AdbDaemon(system, port=port + 1)
with socket.create_connection(
    ("127.0.0.1", int(os.environ["ANDROID_ADB_SERVER_PORT"])), timeout=10
) as adb:
    request = f"host:emulator:{{port + 1}}".encode()
    adb.sendall(b"%04x" % len(request) + request)
time.sleep(600)
'''


def write_stand_in(folder: Path) -> str:
    """The program, written into a folder. What the AVD is called says how it behaves:

    `broken` ends at once, `hangs` never starts, `stubborn` loads no snapshots, `refused`
    ends when it is started from one, `full` saves none; all others work. With `STAND_IN_UNKNOWN`
    in its environment, it does not say that this package serves it.
    """
    program = folder / "emulator"
    program.write_text(_PROGRAM.format(python=sys.executable, path=sys.path, folder=str(folder)))
    program.chmod(0o755)
    return str(program)


def gone(pid: int) -> bool:
    """Whether no process has this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
