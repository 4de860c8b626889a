"""Requests to words of adb's command line: here, a request has those words already."""

from __future__ import annotations

from typing import Any


class AdbCallParser:
    """Hands them to a controller."""

    def __init__(self, adb_controller: Any) -> None:
        self._controller = adb_controller

    def parse(self, request: Any) -> bytes:
        """What the command prints."""
        said: bytes = self._controller.execute_command(request.words, timeout=None)
        return said
