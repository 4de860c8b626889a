"""Child processes, supervised threads and CPU affinity: what every engine stands on."""
