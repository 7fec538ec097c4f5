"""``python -m splitcrit.proofs``: the same as ``splitcrit verify``."""

import argparse
import sys

from splitcrit.proofs import command

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m splitcrit.proofs", description=command.DESCRIPTION)
    command.add_arguments(parser)
    try:
        sys.exit(command.run(parser.parse_args()))
    except (ValueError, KeyError, OSError) as error:
        sys.exit(f"splitcrit: {error.args[0] if error.args else error}")
