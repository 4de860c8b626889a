"""Devices an agent can operate. `envs.device_kinds` makes one by the name of its kind."""
