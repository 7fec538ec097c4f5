"""``python -m splitcrit.proofs``: the same as ``splitcrit verify``."""

import sys

from splitcrit.cli import main

if __name__ == "__main__":
    sys.exit(main(["verify", *sys.argv[1:]]))
