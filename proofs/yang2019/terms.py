"""What older modules import from here: splits of two classes stand in ``two_class``, ``Known`` is ``Given``."""

from __future__ import annotations

from typing import Any

from splitcrit.arith import shares, total
from splitcrit.losses import Loss, risk
from splitcrit.proofs.given import Given as Known  # noqa: F401
from splitcrit.proofs.given import costs as priced  # noqa: F401
from splitcrit.proofs.two_class import RATES as RATES
from splitcrit.proofs.two_class import ROWS as ROWS
from splitcrit.proofs.two_class import SPLIT as SPLIT
from splitcrit.proofs.two_class import Split as Split
from splitcrit.proofs.two_class import agree as agree
from splitcrit.proofs.two_class import clean as clean
from splitcrit.proofs.two_class import determinant as determinant
from splitcrit.proofs.two_class import node_splits as node_splits
from splitcrit.proofs.two_class import noisy_split as noisy_split


def announced(loss: Loss, p: Any, m: Any) -> Any:
    """Return the action that the loss names as its best."""
    assert loss.act is not None
    return loss.act(p, m)


def best_risk(loss: Loss, counts: Any, m: Any) -> Any:
    """Return the least risk of a node, summed over its examples, at the action the loss names."""
    return risk(loss, announced(loss, shares(counts, total(counts), m), m), counts, m)
