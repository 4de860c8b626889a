"""The durable episode store: one SQLite file per run, one writer, any number of readers."""
