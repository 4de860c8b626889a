"""Weights on their way from the learner to whoever acts."""
