"""`python -m conformance`."""

from conformance.cli.conformance import main

if __name__ == "__main__":
    main()
