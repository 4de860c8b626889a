"""`python -m distrl`, and what the console script `distrl` calls."""

import signal


def run() -> int:
    """Run a command and return its exit code.

    Until there is a command to answer Ctrl-C, it ends the process without Python's traceback.
    """
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:  # else it is ignored, as for what runs under nohup
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from distrl.cli.main import main

    signal.signal(signal.SIGINT, heard)
    return main()


if __name__ == "__main__":
    raise SystemExit(run())
