"""What a checkpoint computes for stored episodes: values, advantages and importance ratios."""
