"""Every module of statements, loaded: what the server of worker processes imports before it makes any.

Main definitions: none.
"""

from __future__ import annotations

from splitcrit.proofs import catalogue

catalogue.modules()
