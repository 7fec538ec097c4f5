"""``python -m splitcrit.proofs``: the same as ``splitcrit verify``."""

import argparse
import sys

from splitcrit.proofs import command
from splitcrit.proofs.status import attempt

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m splitcrit.proofs",
        description=command.DESCRIPTION,
        epilog=command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    options = parser.parse_args(command.spelt(sys.argv[1:]))
    sys.exit(attempt(lambda: command.run(options), command.EXTRAS))
