"""`python -m splitcrit` is the command line `splitcrit`."""

import sys

from splitcrit.cli import main

if __name__ == "__main__":
    sys.exit(main())
