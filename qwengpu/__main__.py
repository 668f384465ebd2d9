"""`python -m qwengpu`."""

from conformance.cli.qwengpu import main

if __name__ == "__main__":
    main()
