"""The command line: ``splitcrit rank`` and ``splitcrit verify``.

Main definitions: ``main``. A user's mistake ends in one sentence and exit status 2.
"""

from splitcrit.cli.main import main

__all__ = ["main"]
