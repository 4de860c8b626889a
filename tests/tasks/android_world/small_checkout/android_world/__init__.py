"""Stands in for a checkout of AndroidWorld: a few tasks of our own with the same interface."""
