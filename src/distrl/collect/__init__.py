"""Playing episodes: the loop of one, and the figures of many."""
