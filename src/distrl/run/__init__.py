"""The only folder that wires: which parts there are, who holds whom, what stops when."""
