"""`python -m distrl` is the console script `distrl`."""

from distrl.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
