"""The command line: ``splitcrit rank``, ``audit``, ``criteria``, ``verify``, ``explain`` and more.

Main definitions: ``main``. A user's mistake ends in one sentence and exit status 2.
"""

from splitcrit.cli.main import main

__all__ = ["main"]
