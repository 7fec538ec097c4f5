"""How far the law of the best subset is from the truth, and whether the third moment of the table's score mends it.

``python reproductions/studies/mixture_error.py`` writes docs/data/mixture_error.csv and prints the table of
docs/chance-of-gains.md, with ``table`` the table alone: for each design and number of draws the root mean square of
log10 (p / truth) over 50 seeds at p = .05, .01 and 1e-4, and its mean ("bias"). The truth is that of 200,000 random
tables, whose own error is .10 in log10 at 1e-4. ``tail`` is "gamma", the law of the library, or "third": a gamma law
shifted to the exact third moment as well.

Main definitions: ``DESIGNS``, ``measured``, ``table``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from reports import Report, Row
from scipy.stats import gamma

from splitcrit.nulls import best_subset_law, gini_null
from splitcrit.nulls.best_split import BestSplitLaw, Labels, split_law
from splitcrit.nulls.monte_carlo import BEYOND

FIELDS = ("design", "tail", "method", "draws", "p", "seeds", "rms", "bias")
REPORT = Report("mixture_error", FIELDS)
LEVELS, SEEDS, TABLES, DRAWS = (0.05, 0.01, 1e-4), 50, 200_000, (400, 1600)
ZIPF = (lambda share: (share / share.sum() * 10**5).astype(int).tolist())(1 / np.arange(1, 31))
DESIGNS: dict[str, tuple[list[int], float]] = {
    **{f"{v} even levels": ([10**5 // v] * v, 0.5) for v in (3, 5, 10, 30, 100, 300)},
    "30 levels of Zipf's sizes": (ZIPF, 0.5),
    "30 levels of 30 rows, 5 %": ([30] * 30, 0.05),
    "30 levels of 100 rows, 5 %": ([100] * 30, 0.05),
    "30 levels of 300 rows, 5 %": ([300] * 30, 0.05),
    "30 levels of 20 rows": ([20] * 30, 0.5),
}


def third_tail(law: BestSplitLaw, score: float, levels: int) -> float:
    """The p-value as the library's mixture, with a law of the table's score of three exact moments."""
    sizes, classes = law.structure.sizes.tolist(), law.structure.labels.counts.tolist()
    n, null = sum(sizes), gini_null(sizes, classes, order=3)
    unit = (n - 1) / (1 - sum((b / n) ** 2 for b in classes))
    sd, third = float(null.variance) ** 0.5 * unit, float(null.third) * unit**3
    shape, scale = 4 * sd**6 / third**2, third / (2 * sd**2)
    beyond = len(law.scores) - min(BEYOND, len(law.scores) // 2)
    limit = law.scores[beyond]
    if not score > limit:
        return float(law.pvalue(score))
    shift = levels - 1 - shape * scale
    high, low = (gamma.sf(g / law.ratios, shape, loc=shift, scale=scale).mean() for g in (score, limit))
    return float((1 + len(law.scores) - beyond) / (1 + law.draws) * high / low)


def measured(name: str, draws: int, scores: np.ndarray) -> Iterator[Row]:
    """Yield the rows of a design, given the scores at which the p-values are true."""
    sizes, share = DESIGNS[name]
    ones = round(sum(sizes) * share)
    laws = [best_subset_law(sizes, [ones, sum(sizes) - ones], draws=draws, seed=s, limit=0) for s in range(SEEDS)]
    for level, score in zip(LEVELS, scores, strict=True):
        tails = {
            "gamma": [float(replace(law, method="mixture").pvalue(float(score))) for law in laws],
            "third": [third_tail(law, float(score), len(sizes)) for law in laws],
        }
        for tail, values in tails.items():
            logs = np.log10(np.array(values) / level)
            rms, bias = f"{(logs**2).mean() ** 0.5:.3f}", f"{logs.mean():+.3f}"
            each = name, tail, laws[0].method, draws, f"{level:g}", SEEDS, rms, bias
            yield dict(zip(FIELDS, map(str, each), strict=True))


def results(tables: int = TABLES) -> Iterator[Row]:
    """Yield the rows of all designs."""
    for name, (sizes, share) in DESIGNS.items():
        ones = round(sum(sizes) * share)
        labels = Labels.of_classes([ones, sum(sizes) - ones])
        true = split_law(sizes, labels, subset=True, draws=tables, seed=10**9).scores
        scores = np.array([true[-int(np.ceil(level * tables))] for level in LEVELS])
        for draws in DRAWS:
            for row in measured(name, draws, scores):
                print(*row.values(), flush=True)
                yield row


def table(rows: list[Row]) -> str:
    """The errors as a Markdown table; the last column is that of three moments."""
    lines = ["| levels | draws | method | p = .05 | .01 | 1e-4 | 1e-4, three moments |", "|---" * 7 + "|"]
    errors = {(r["design"], r["draws"], r["tail"], float(r["p"])): r for r in rows}
    for design, draws in dict.fromkeys((r["design"], r["draws"]) for r in rows):
        each = [errors[design, draws, "gamma", level]["rms"] for level in LEVELS]
        far = errors[design, draws, "third", LEVELS[-1]]
        lines.append(f"| {design} | {draws} | `{far['method']}` | " + " | ".join([*each, far["rms"]]) + " |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    REPORT.main(results, table)
