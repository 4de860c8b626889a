"""Learning: returns, critics, algorithms and the learner."""
