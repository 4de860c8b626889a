"""A stand-in for MobileGym's package: the same names, three small tasks, a page of its own."""
