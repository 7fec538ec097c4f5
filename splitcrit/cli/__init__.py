"""The command line: ``splitcrit rank``, ``criteria``, ``verify``, ``explain`` and ``reproduce``.

Main definitions: ``main``. A user's mistake ends in one sentence and exit status 2.
"""

from splitcrit.cli.main import main

__all__ = ["main"]
