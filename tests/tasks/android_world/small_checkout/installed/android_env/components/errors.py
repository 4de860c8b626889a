"""Errors of calls."""


class AdbControllerError(Exception):
    """A command of adb ended with an error."""
