"""Hierarchies through uiautomator2: faster than `uiautomator dump`, and of all windows at once.

uiautomator2 installs an app on the phone and queries that. Its calls have no deadline, so they run
on a thread of their own, and the caller waits for the result until its deadline.
"""

from __future__ import annotations

import queue
import threading
from importlib import import_module
from typing import Any

from distrl.devices.android.adb import AdbPhone
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ConfigError


class Uiautomator2:
    """Reads the hierarchies of one phone. One thread at a time asks."""

    def __init__(self, phone: AdbPhone) -> None:
        """Name a phone, on which nothing is done yet; ConfigError without the package."""
        try:
            self._u2, self._adbutils = import_module("uiautomator2"), import_module("adbutils")
        except ImportError as error:
            raise ConfigError(
                "hierarchy uiautomator2 needs the package uiautomator2: "
                f"pip install 'distrl[android-u2]' ({error})"
            ) from None
        self._phone = phone
        self._device: Any = None
        self._asking: threading.Thread | None = None

    def dump(self, *, deadline: float) -> bytes:
        """What the phone shows; the first call installs and starts the app.

        DeviceFault when there is no answer in time. A call that was given up goes on until
        uiautomator2 ends it, and no other begins before.
        """
        answers: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()
        # A thread cannot be killed. Starting another beside it would leak one with every look.
        if self._asking is not None and self._asking.is_alive():
            raise self._fault(Cause.TIMEOUT, "an earlier call is still going on")
        self._asking = threading.Thread(
            target=self._ask, args=(answers,), name=f"u2-{self._phone.serial}", daemon=True
        )
        self._asking.start()
        try:
            answer = answers.get(timeout=deadline)
        except queue.Empty:
            raise self._fault(Cause.TIMEOUT, f"no answer within {deadline:g} s") from None
        if isinstance(answer, Exception):
            raise self._fault(Cause.GARBLED, repr(answer)) from answer
        return answer

    def _ask(self, answers: queue.SimpleQueue[bytes | Exception]) -> None:
        try:
            if self._device is None:
                adb = self._phone.adb
                client = self._adbutils.AdbClient(host=adb.host, port=adb.port)
                self._device = self._u2.connect(client.device(self._phone.serial))
            answers.put(str(self._device.dump_hierarchy()).encode())
        except Exception as error:  # noqa: BLE001 - whatever its many parts raise, it is no answer
            self._device = None  # the connection may be broken: the next call opens a new one
            answers.put(error)

    def _fault(self, cause: Cause, detail: str) -> DeviceFault:
        return DeviceFault(cause, f"{self._phone.serial}: uiautomator2: {detail}")
