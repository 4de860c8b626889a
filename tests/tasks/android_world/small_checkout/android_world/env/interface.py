"""What a task is handed."""

from __future__ import annotations

from typing import Any


class AsyncAndroidEnv:
    """A controller, and what the agent has said."""

    def __init__(self, controller: Any) -> None:
        self.controller, self.interaction_cache = controller, ""
