"""``splitcrit header``: the exact statistics as a C header.

Main definitions: ``run``.
"""

from __future__ import annotations

import argparse

from splitcrit.export import header
from splitcrit.proofs.command import tell


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit header`` and return the exit status."""
    text = header()
    tell(given.json, {"splitcrit.h": text}, text.rstrip("\n"))
    return 0
