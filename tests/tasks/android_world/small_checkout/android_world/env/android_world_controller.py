"""A controller over an environment that runs calls of adb."""

from __future__ import annotations

import enum
from typing import Any


class A11yMethod(enum.Enum):
    """How elements are read."""

    A11Y_FORWARDER_APP = "a11y_forwarder_app"
    UIAUTOMATOR = "uiautomator"


class AndroidWorldController:
    """Hands calls on."""

    def __init__(
        self, env: Any, a11y_method: A11yMethod, install_a11y_forwarding_app: bool = True
    ) -> None:
        if a11y_method is not A11yMethod.UIAUTOMATOR or install_a11y_forwarding_app:
            raise RuntimeError("there is no forwarder app here")
        self.execute_adb_call = env.execute_adb_call
        self.step = env.step
