"""Asynchronous distributed reinforcement learning for agents that operate phones and browsers."""

from __future__ import annotations

__all__: list[str] = []
