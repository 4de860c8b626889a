"""How well a policy does on a suite: evaluation and its statistics."""
