"""Replay: the durable store, the buffer and its priorities."""
