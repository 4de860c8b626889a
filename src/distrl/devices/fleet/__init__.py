"""The fleet: leases, heartbeats, health, quarantine."""
