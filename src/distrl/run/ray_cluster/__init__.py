"""Operating a Ray cluster: its inventory, its nodes, their watchdog, and how it is reached."""
