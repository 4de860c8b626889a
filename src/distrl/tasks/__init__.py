"""Task suites: templates, sampling, splits, the leak check and the judges."""
