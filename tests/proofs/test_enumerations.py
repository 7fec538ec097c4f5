"""What enumerations of the proofs go through, counted apart."""

from __future__ import annotations

from splitcrit.proofs.null.best_cut import cut_sets


def test_every_set_of_cuts_is_there() -> None:
    assert list(cut_sets(3)) == [(2, (1,)), (3, (1,)), (3, (2,)), (3, (1, 2))]
    assert len(list(cut_sets(6))) == sum(2 ** (n - 1) - 1 for n in range(2, 7))
