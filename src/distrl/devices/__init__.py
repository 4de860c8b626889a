"""Devices an agent can operate."""
