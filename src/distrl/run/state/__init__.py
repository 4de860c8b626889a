"""What a run keeps: its folder, run state, counters, checkpoints and evaluation snapshots."""
