"""SGini after each cut of a hierarchy of clusters, in one pass: see ``discretize.standardised``.

Main definitions: ``cluster_scores``.
"""

# mypy: disable-error-code="no-untyped-def, var-annotated, unreachable, call-arg"
from __future__ import annotations

import numpy as np

from splitcrit.jit import called, kernel
from splitcrit.nulls import formulas
from splitcrit.search.double_compiled import pair, product, value
from splitcrit.search.formulas_compiled import mean, variance

uneven_rows, thick_rows = called(formulas.uneven_rows), called(formulas.thick_rows)


@kernel
def cluster_scores(running, spans, laws, scores):
    """Set the scores of the cuts.

    ``spans`` are starts of segments, and cut, low and high of each cut; ``laws`` hold for each segment its size,
    ``sum b (n - b)``, the two weights of the variance, and whether class totals are even, and thin.
    """
    (starts, cuts, low, high), classes = spans, running.shape[1]
    for s in range(len(starts) - 1):
        size, unlike, first, second, even, thin = laws[s]
        n, gain, reciprocals, squares = pair(size, 0.0), pair(0.0, 0.0), 1.0 / pair(size, 0.0), size * size
        for i in range(starts[s] - s, starts[s + 1] - s - 1):
            r, begin, middle, end = i - (starts[s] - s) + 2.0, low[i], cuts[i] + 1, high[i] + 1
            a, b, added = 0.0, 0.0, pair(0.0, 0.0)
            for j in range(classes):
                a += running[middle, j] - running[begin, j]
                b += running[end, j] - running[middle, j]
            for j in range(classes):
                apart = b * (running[middle, j] - running[begin, j]) - a * (running[end, j] - running[middle, j])
                added = added + product(apart, apart)
            sides = product(a * b, a + b)
            gain = gain + added / sides
            reciprocals = reciprocals + ((a + b) * (a + b) - a * b) / sides
            squares -= 2.0 * a * b  # of the row totals, an integer
            level = np.floor(size / r) * r == size and squares == size * np.floor(size / r)
            lean = r == size or (r == 2.0 and (a == 1.0 or b == 1.0))
            scores[i] = 0.0
            if size > 2.0 and not ((level or even) and (lean or thin)):
                uneven = uneven_rows(n, r, reciprocals)
                thick = thick_rows(n, r, uneven)
                spread = variance(first, max(value(uneven), 0.0), second, max(value(thick), 0.0))
                if spread > 0.0:
                    scores[i] = value(gain - mean(n, r, unlike) * size) / size / np.sqrt(spread)
