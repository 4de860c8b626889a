"""Measurements: what this package promises, as numbers from this machine."""
