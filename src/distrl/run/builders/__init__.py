"""From a run's settings to its parts: policies, judges, devices, initial weights."""
