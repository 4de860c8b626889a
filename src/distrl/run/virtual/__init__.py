"""The virtual engine: a whole run under simulated time, deterministic by its seed."""
