"""The local engine: collectors in this process, the learner in a process of its own."""
