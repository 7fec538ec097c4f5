"""Does the exact law of the best cut of two classes within strata find more than random moves of their labels?

``python reproductions/studies/best_cut_in_strata.py --minutes 10`` adds blocks of 50 data sets a cell to
docs/data/best_cut_in_strata.csv, up to 250: how many a test by moves rejects at .05 (``split_test``), and how many
``p = min(1, 2 p_cut, 2 p_scores)``, which is the test without strata. Both parts have exact laws here: the sum of ranks
of a class by convolution over strata, and the best cut by ``surprise_of_best``.

Going through the rows in the order of a column, the state is how many labels of each kind, stratum by stratum, were
seen. With ``q(k)`` the chance to have stayed inside given the counts k, any of the rows of a stratum that were seen is
as likely the last, ``q(k) = sum_t q(k - e_t) k_t/m`` over the kinds t of its stratum, and 0 outside; the chance to
leave is the sum of ``P(k) q(k)`` over first exits, P multivariate hypergeometric in each stratum.

Main definitions: ``surprise_of_best``, ``exact_pvalue``, ``make``, ``table``. Source: own; strobl2007 for one stratum.
"""

from __future__ import annotations

import argparse
import sys
from math import exp, prod
from typing import Any

import numpy as np
import pandas as pd
from blocks import seed_of, study
from reports import Report

from splitcrit.columns.column_tests import ColumnScores, LabelledRows, log_of_sums
from splitcrit.inference import split_test
from splitcrit.nulls.groups import Dependence
from splitcrit.nulls.hypergeometric import log_factorials
from splitcrit.nulls.paths import surprise_of_sum

NAME, KEYS, SETS, BLOCKS, LEVEL, CELLS = "best_cut_in_strata", ("strata", "effect"), 50, 5, 0.05, 2**24
STRATA = {"two of 50 rows": [50, 50], "four of 20": [20] * 4, "80 and 20": [80, 20]}
EFFECTS = "none", "a step", "smooth"
MOVES, EXACT = TESTS = "random moves", "exact laws"
REPORT = Report(NAME, (*KEYS, "block", "sets", *TESTS))


def surprise_of_best(block: Any, labels: Any, places: Any, bars: Any) -> float | None:
    """Minus the logarithm of the chance that the squared length of the sum of labels reaches a bar; None if too dear.

    ``block (n,)`` is the stratum of each row in the order of the column, ``labels (n, q)`` are those of the strata in
    any order, and at ``places (c,)``, numbers of rows left of a cut, ``bars (c,)`` stand.

    >>> y = np.array([[0.5], [0.5], [-0.5], [-0.5]] * 2)  # both ones, or none, of each stratum first: 2 of 36 orders
    >>> round(36 * exp(-surprise_of_best(np.array([0, 0, 1, 1] * 2), y, np.array([4]), np.array([4.0]))), 9)
    2.0
    """
    parts = [np.unique(labels[block == s], axis=0, return_counts=True) for s in range(int(block.max()) + 1)]
    owner = np.repeat(np.arange(len(parts)), [len(often) for _, often in parts])
    kinds, often = (np.concatenate(each) for each in zip(*parts, strict=True))
    last = np.array([int(np.flatnonzero(owner == s)[many.argmax()]) for s, (_, many) in enumerate(parts)])
    rarer = np.setdiff1d(np.arange(len(kinds)), last)
    shape = (often[rarer] + 1).tolist()
    if prod(shape) * len(block) > CELLS:  # counted before they are listed
        return None
    # A state has an axis for each kind but the commonest one of a stratum, of which there are as many as others leave.
    count, logs, f, sizes = np.zeros((len(kinds), *shape)), [], log_factorials(len(block)), np.bincount(block)
    count[rarer] = np.indices(shape)
    for s, t in enumerate(last):
        count[t] = -count[owner == s].sum(axis=0)
    q, seen, cuts = np.zeros(shape), 0 * sizes, dict(zip(places.tolist(), bars.tolist(), strict=True))
    q[(0,) * len(shape)] = 1.0
    for row, s in enumerate(block.tolist(), 1):
        seen[s], count[last[s]] = seen[s] + 1, count[last[s]] + 1
        before, q = q, q * count[last[s]]
        for axis in np.flatnonzero(owner[rarer] == s).tolist():
            to, of, k = (np.moveaxis(each, axis, -1) for each in (q, before, count[rarer[axis]]))
            to[..., 1:] += of[..., :-1] * k[..., 1:]
        q /= seen[s]
        if row in cuts:
            reached = (np.tensordot(kinds, count, (0, 0)) ** 2).sum(axis=0) >= cuts[row]
            out = reached & (q > 0) & (often >= count.T).all(axis=-1).T
            k, whole = count[:, out].astype(np.int64).T, f[sizes] - f[seen] - f[sizes - seen]
            logs.append(np.log(q[out]) + (f[often] - f[k] - f[often - k]).sum(axis=1) - whole.sum())
            q[reached] = 0.0
    return surprise_of_sum(np.concatenate(logs))


def exact_pvalue(x: Any, y: Any, site: Any) -> float:
    """Twice the better of the best cut and the sum of ranks, each by its exact law."""
    codes = np.unique(x, return_inverse=True)[1]
    asked = ColumnScores.of_moves(codes, LabelledRows(y, among=Dependence(None, site)), "cut", False, 1)
    assert asked.moved is not None and asked.apart is not None
    moves, n = asked.moved.moves, asked.n
    best = float(asked.by_cut(asked.turned(asked.target.sums(asked.moved.at))[None]).max())
    bars = best * (1 - 1e-11) * asked.apart * asked.target.labels.square / (n * (n - 1.0))
    place = np.argsort(asked.places)[asked.moved.at]
    order, rows, labels = np.argsort(place, kind="stable"), np.bincount(place), np.asarray(asked.target.responses)
    surprise = surprise_of_best(moves.block[order], labels[order], rows.cumsum()[asked.after], bars)
    ranks, ones = (2 * rows.cumsum() - rows)[place], asked.moved.z[:, 0] > 0
    ranks = ranks - ranks.min()
    of_strata = [moves.block == s for s in range(int(moves.block.max()) + 1)]
    scores = log_of_sums([(ranks[here], int(ones[here].sum())) for here in of_strata], int(ranks[ones].sum()))
    assert surprise is not None
    return min(1.0, 2 * exp(-surprise), 2 * exp(scores))


def make(strata: str, effect: str, block: int) -> dict[str, Any]:
    """How many data sets of a block each test rejects; rate and column differ by stratum."""
    rng, rejected = np.random.default_rng(seed_of(NAME, strata, effect, block)), [0, 0]
    site = np.repeat(np.arange(len(STRATA[strata])), STRATA[strata])
    for _ in range(SETS):
        r = rng.normal(size=len(site))
        rate = 1 / (1 + np.exp(0.8 - 0.4 * site - 0.6 * r)) if effect == "smooth" else 0.3 + 0.1 * site
        y = (rng.random(len(site)) < rate + 0.3 * ((effect == "a step") & (r > 0.5))).astype(int)
        rejected[0] += split_test((r + site)[:, None], y, strata=site).pvalue <= LEVEL
        rejected[1] += exact_pvalue(r + site, y, site) <= LEVEL
    return {"sets": SETS} | dict(zip(TESTS, map(int, rejected), strict=True))


def table(rows: list[dict[str, str]]) -> str:
    """A row for each cell: the share of data sets that each test rejects."""
    sums = pd.DataFrame(rows).astype({"sets": int, MOVES: int, EXACT: int}).groupby(list(KEYS), sort=False)
    lines = ["| strata | effect | data sets | " + " | ".join(TESTS) + " |", "|---" * 5 + "|"]
    for key, cell in sums[["sets", *TESTS]].sum().iterrows():
        shares = (f"{cell[test] / cell['sets']:.3f}" for test in TESTS)
        lines.append("| " + " | ".join([*map(str, key), str(cell["sets"]), *shares]) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    study(NAME, KEYS, [(s, e) for s in STRATA for e in EFFECTS], BLOCKS, parser.parse_args().minutes, make)
    print(table(REPORT.rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
