"""A Ray cluster on this machine: its speed, what it survives, how many collectors it carries."""
