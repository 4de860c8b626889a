"""Layers of the pointer network that learn fast on processors."""
