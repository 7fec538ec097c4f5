"""SGini of clusterings by linkage, to the last digits: after each cut of a hierarchy, and the best of all cuts.

A cut adds to ``n`` times the Gini gain, and to the sum of reciprocal row totals on which its variance depends. Both
sums are kept in two float64 numbers (``twofold``), since what is subtracted from them cancels. The best of all cuts is
looked for by bounds first: every cut is scored in float64 between two bounds, and only where these leave a chance to be
the best to the last digits.

Main definitions: ``cluster_scores`` (every cut of a hierarchy), ``best_cluster_scores`` (the best of single linkage,
for every feature of every node of a level).
"""

# mypy: disable-error-code="no-untyped-def, var-annotated, unreachable, call-arg, no-untyped-call, misc"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, compiles, kernel
from splitcrit.nulls import formulas
from splitcrit.search.formulas_compiled import mean, variance
from splitcrit.search.linkage_compiled import gap_spans

if compiles():
    from splitcrit.search.twofold_compiled import pair, product, value
else:
    from splitcrit.search.twofold import pair, product, value  # type: ignore[assignment]

ROUNDING = 1e-15  # relative, of one operation, with something to spare
FEW, CROWD, BUCKETS = 24, 48, 2**14
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
    """Return the changes by a cut of ``n`` times the gain, and of the sum of reciprocal row totals."""
    begin, middle, end = span
    total, by = pair(0.0, 0.0), product(a * b, a + b)
    for j in range(running.shape[1]):
        apart = b * (running[middle, j] - running[begin, j]) - a * (running[end, j] - running[middle, j])
        total = total + product(apart, apart)
    return total / by, ((a + b) * (a + b) - a * b) / by


@called
def score(r, sums, parts, law):
    """Return the score of ``r`` rows, the last cut into two ``parts``.

    ``sums`` are ``n`` times the gain, and the sums of reciprocals and of squares of the row totals.
    """
    size, unlike, first, second, even, thin = law
    gain, reciprocals, squares = sums
    a, b = parts
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


@called
def _entries(samples, ranks, codes, places, running):
    """Set the distinct values of sorted samples, and the class counts before each; return their number."""
    m, last = 0, -1
    for i in samples:
        if ranks[i] != last:
            last = ranks[i]
            places[m] = last
            m += 1
            for j in range(running.shape[1]):
                running[m, j] = running[m - 1, j]
        running[m, codes[i]] += 1
    return m


@called
def _falling(gaps, cuts, first):
    """Set the places of gaps that fall, the last of equals first.

    The places are put into buckets by the leading bits of the gaps, whose order is that of the bits; then each moves
    forward in its bucket, in ever shorter steps (Shell's sort) where many share one.
    """
    m, bits, shift, size, step = len(gaps), gaps.view(np.int64), 0, 1, 1
    low, high = bits[0], bits[0]
    for p in range(1, m):
        low, high = min(low, bits[p]), max(high, bits[p])
    while size < min(4 * m, BUCKETS) and m > FEW:
        size *= 2
    while (high - low) >> shift >= size:
        shift += 1
    for b in range(size + 1):
        first[b] = 0
    for p in range(m):
        first[((high - bits[p]) >> shift) + 1] += 1
    for b in range(size):
        step = m if first[b + 1] > CROWD else step
        first[b + 1] += first[b]
    for p in range(m - 1, -1, -1):
        b = (high - bits[p]) >> shift
        cuts[first[b]] = p
        first[b] += 1
    while step > 0:
        step = max(4 * step // 9, 1)
        for i in range(step, m):
            p, j = cuts[i], i
            while j >= step:
                q = cuts[j - step]
                if bits[q] > bits[p] or (bits[q] == bits[p] and q > p):
                    break
                cuts[j] = q
                j -= step
            cuts[j] = p
        step = 0 if step == 1 else step


@called
def _bounds(running, spans, law, upper, least):
    """Set bounds above the scores of the cuts, or -inf, and return ``least``, raised to a bound below the largest.

    Sums of positive terms, and what they are subtracted from, are off by ``doubt`` of themselves at most. Where every
    observation is alone the score is 0.
    """
    cuts, low, high = spans
    size, unlike, first, second = law[:4]
    rate, gain, reciprocals = mean(size, 2.0, unlike) * size, 0.0, 1.0 / size
    for i in range(len(upper)):
        begin, middle, end = low[cuts[i]], cuts[i] + 1, high[cuts[i]] + 1
        a, b = sides(running, begin, middle, end)
        by, more = 1.0 / (a * b * (a + b)), 0.0
        for j in range(running.shape[1]):
            apart = b * (running[middle, j] - running[begin, j]) - a * (running[end, j] - running[middle, j])
            more += apart * apart
        gain += more * by
        reciprocals += ((a + b) * (a + b) - a * b) * by
        r, doubt = i + 2.0, ROUNDING * (i + 16.0)
        uneven, off = uneven_rows(size, r, reciprocals), doubt * size * size * reciprocals
        spread = variance(first, max(uneven, 0.0), second, max(thick_rows(size, r, uneven), 0.0))
        error = variance(first, off, second, off + doubt * size * size * r)
        above, lost = gain - (r - 1.0) * rate, doubt * (gain + (r - 1.0) * rate)
        upper[i] = 0.0 if r == size or above <= -lost else np.inf
        if r == size:
            least = max(least, 0.0)
        elif above > -lost and spread > 4.0 * error:
            upper[i] = -np.inf
            if (above + lost) ** 2 >= (max(least, 0.0) * size) ** 2 * (spread - error):
                upper[i] = (above + lost) / (size * np.sqrt(spread - error))
                least = max(least, (above - lost) / (size * np.sqrt(spread + error)) if above > lost else least)
    return least


@called
def _best(running, spans, law, upper, least):
    """Return the best score of the cuts whose bounds reach ``least``, -inf if none does."""
    cuts, low, high = spans
    last, top = len(upper) - 1, -np.inf
    while last >= 0 and upper[last] < least:
        last -= 1
    gain, reciprocals, squares = pair(0.0, 0.0), 1.0 / pair(law[0], 0.0), law[0] * law[0]
    for i in range(last + 1):
        span = low[cuts[i]], cuts[i] + 1, high[cuts[i]] + 1
        a, b = sides(running, *span)
        more, inverse = added(running, span, a, b)
        gain, reciprocals, squares = gain + more, reciprocals + inverse, squares - 2.0 * a * b
        if upper[i] >= least:
            top = max(top, score(i + 2.0, (gain, reciprocals, squares), (a, b), law))
    return top


@called
def _single(levels, places, gaps, spans, first):
    """Set the cuts of single linkage of different values, in the order in which they are made, and what they divide."""
    cuts, low, high = spans
    for i in range(len(gaps)):
        gaps[i] = levels[places[i + 1]] / 2 - levels[places[i]] / 2
    gap_spans(gaps, low, high)
    _falling(gaps, cuts, first)


@kernel
def best_cluster_scores(training, order, starts, laws, widths, rules, tops):
    """Set ``tops[f, s]`` to the best score of a feature at a node, unless it is constant there.

    Nor is it set where it falls short of that of another feature by more than ``widths[s]``. ``training`` has ranks by
    column, the values they stand for, class codes and their number; ``order`` the samples by column, node (``starts``)
    and value; ``laws`` are those of ``cluster_scores``, of nodes. ``rules`` say which features branch on their values,
    up to how many values any does, and how many clusters are tried elsewhere.
    """
    ranks, levels, codes, classes = training
    by_value, few, most = rules
    n = order.shape[1]
    places, running = np.empty(n, np.int64), np.empty((n + 1, classes), np.int64)
    cuts, low, high = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    gaps, upper = np.empty(n), np.empty(n)
    first, lead = np.empty(BUCKETS + 1, np.int64), np.empty(len(widths))
    for j in range(classes):
        running[0, j] = 0
    for s in range(len(widths)):
        lead[s] = -np.inf
    for f in range(len(order)):
        for s in range(len(starts) - 1):
            m = _entries(order[f, starts[s] : starts[s + 1]], ranks[f], codes, places, running)
            if m < 2:
                continue
            spans = cuts[: m - 1], low[: m - 1], high[: m - 1]
            law = laws[s, 0], laws[s, 1], laws[s, 2], laws[s, 3], laws[s, 4], laws[s, 5]
            if by_value[f] or m <= few:
                size, least = m - 1, np.inf
                for i in range(size):
                    cuts[i], low[i], high[i], upper[i] = i, i, size, -np.inf
                upper[size - 1] = np.inf
            else:
                size = min(m, most) - 1
                _single(levels, places, gaps[: m - 1], spans, first)
                least = _bounds(running, spans, law, upper[:size], lead[s] - widths[s])
            tops[f, s] = _best(running, spans, law, upper[:size], least)
            lead[s] = max(lead[s], tops[f, s])
