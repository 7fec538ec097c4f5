"""The cuts of a feature: every division of its rows that leaves enough on both sides, once."""

from __future__ import annotations

import pytest

from splitcrit.nulls.best_split import sides
from splitcrit.nulls.feature_counts import feature_counts


@pytest.mark.parametrize("least", [1, 3, 5])
@pytest.mark.parametrize("missing", ["row", "side"])
@pytest.mark.parametrize("sizes", [[2, 1, 3, 4], [1, 1], [5], [3, 4, 0], [0, 2, 2, 1]])
def test_every_division_is_a_cut_once(sizes: list[int], missing: str, least: int) -> None:
    """The last row is a value like the others, or has the observations without one, which go with either side."""
    found = feature_counts([[n, n] for n in sizes], None, missing)  # type: ignore[arg-type]
    rows = [i for i, n in enumerate(sizes) if n]
    gaps = missing == "side" and sizes[-1] > 0
    assert found.gaps == gaps and found.sizes.tolist() == [2 * sizes[i] for i in rows]
    ordered = rows[:-1] if gaps else rows
    divisions = {frozenset(ordered[:i]) for i in range(1, len(ordered) + gaps)}
    divisions |= {frozenset(rows[-1:] + ordered[:i]) for i in range(1, len(ordered))} if gaps else set()
    expected = [s for s in divisions if least <= 2 * sum(sizes[i] for i in s) <= 2 * sum(sizes) - least]
    _, after, more = sides(found.sizes, found.gaps, least)
    cuts = [frozenset([*rows[: i + 1], *rows[-1:] * left]) for i, left in zip(after, more, strict=True)]
    assert sorted(map(sorted, cuts)) == sorted(map(sorted, expected))
