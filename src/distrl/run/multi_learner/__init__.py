"""Several learners per update: a DDP process group, or gradient workers on a Ray cluster."""
