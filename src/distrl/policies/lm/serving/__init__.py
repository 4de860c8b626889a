"""A language model whose actions a server writes: its policy, and adapters as folders."""
