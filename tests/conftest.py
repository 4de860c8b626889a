"""Settings for all tests."""

from hypothesis import settings

# The same examples on every run: a failure on one machine is a failure on all. No deadline per
# example, since a busy machine is not a bug; pytest-timeout ends what hangs.
settings.register_profile("distrl", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("distrl")
