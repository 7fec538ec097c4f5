"""SGini after each cut of a hierarchy of clusters, in one pass: see ``discretize.standardised``.

Main definitions: ``cluster_scores``; ``added``, ``sides``, ``score`` (its steps).
"""

# mypy: disable-error-code="no-untyped-def, var-annotated, unreachable, call-arg, no-untyped-call"
from __future__ import annotations

import numpy as np

from splitcrit.jit import called, kernel
from splitcrit.nulls import formulas
from splitcrit.search.double_compiled import pair, product, value
from splitcrit.search.formulas_compiled import mean, variance

uneven_rows, thick_rows = called(formulas.uneven_rows), called(formulas.thick_rows)


@called
def sides(running, begin, middle, end):
    """Return the sizes of both sides of a cut."""
    a, b = 0.0, 0.0
    for j in range(running.shape[1]):
        a += running[middle, j] - running[begin, j]
        b += running[end, j] - running[middle, j]
    return a, b


@called
def added(running, span, a, b):
    """Return what a cut adds to ``n`` times the gain, and to the sum of reciprocal row totals."""
    (begin, middle, end), total, by = span, pair(0.0, 0.0), product(a * b, a + b)
    for j in range(running.shape[1]):
        apart = b * (running[middle, j] - running[begin, j]) - a * (running[end, j] - running[middle, j])
        total = total + product(apart, apart)
    return total / by, ((a + b) * (a + b) - a * b) / by


@called
def score(r, sums, parts, law):
    """Return the score of ``r`` rows, the last cut into two ``parts``.

    ``sums`` are ``n`` times the gain, and the sums of reciprocals and of squares of the row totals.
    """
    (size, unlike, first, second, even, thin), (gain, reciprocals, squares), (a, b) = law, sums, parts
    level = np.floor(size / r) * r == size and squares == size * np.floor(size / r)
    lean = r == size or (r == 2.0 and (a == 1.0 or b == 1.0))
    if size <= 2.0 or ((level or even > 0.0) and (lean or thin > 0.0)):
        return 0.0
    n = pair(size, 0.0)
    uneven = uneven_rows(n, r, reciprocals)
    spread = variance(first, max(value(uneven), 0.0), second, max(value(thick_rows(n, r, uneven)), 0.0))
    return value(gain - mean(n, r, unlike) * size) / size / np.sqrt(spread) if spread > 0.0 else 0.0


@kernel
def cluster_scores(running, spans, laws, scores):
    """Set the scores of the cuts.

    ``spans`` are starts of segments, and cut, low and high of each cut; ``laws`` hold for each segment its size,
    ``sum b (n - b)``, the two weights of the variance, and whether class totals are even, and thin.
    """
    starts, cuts, low, high = spans
    for s in range(len(starts) - 1):
        law = laws[s, 0], laws[s, 1], laws[s, 2], laws[s, 3], laws[s, 4], laws[s, 5]
        gain, reciprocals, squares = pair(0.0, 0.0), 1.0 / pair(law[0], 0.0), law[0] * law[0]
        for i in range(starts[s] - s, starts[s + 1] - s - 1):
            span = low[i], cuts[i] + 1, high[i] + 1
            a, b = sides(running, *span)
            more, inverse = added(running, span, a, b)
            gain, reciprocals, squares = gain + more, reciprocals + inverse, squares - 2.0 * a * b
            r = i - (starts[s] - s) + 2.0
            scores[i] = score(r, (gain, reciprocals, squares), (a, b), law)
