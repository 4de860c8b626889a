"""The page of runs: all runs in a table, seeds grouped, curves laid over one another, bests."""
