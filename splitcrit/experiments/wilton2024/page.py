"""The page of the reproduction, written from its results alone: ``python -m splitcrit.experiments.wilton2024.page``.

Main definitions: ``page``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from splitcrit.experiments.results import Row
from splitcrit.experiments.wilton2024 import finishing, learners
from splitcrit.experiments.wilton2024.evidence import gathered
from splitcrit.experiments.wilton2024.findings import findings
from splitcrit.experiments.wilton2024.problems import DATA
from splitcrit.files import write_text

HEAD = f"""# wilton2024: criteria that stop early, under label noise

Accuracy on true labels, in percent, after learning from noisy ones; printed means are in brackets, and bold is what the
paper's rule would print bold. This page is written from the CSV files of [its folder](wilton2024), which
`splitcrit reproduce wilton2024` makes, by
`python -m splitcrit.experiments.wilton2024.page docs/reproductions/wilton2024`; no number in a table or finding is
typed.

## What was run

Data sets: mushrooms (112 indicators; the paper's own), MNIST (the 10 000 test images only: 8000 are the training part,
of which the first 4000 are used), segment, satimage, pendigits, letter, and scikit-learn's digits. Each is split
80 / 20 by `train_test_split(train_size=0.8, random_state=0)`, as the paper splits Mushrooms and Covertype; a run is new
noise on the training labels and new draws of the learner. In the binary task classes in odd places of the sorted
classes are class 1: odd digits against even ones, as in the paper, and poisonous mushrooms. Uniform noise of 0 to 40 %;
a pair such as 10/30 is the rate of class 0 / of class 1, both orders of the printed pairs; "nearness" is the transition
matrix by Mahalanobis distance between classes (Algorithm 1, repaired so that rows sum to 1; the ridge that makes
covariances invertible is ours), from the true labels of the training rows.

Trees have no limit of depth or leaves and stop where no split gains. Forests have {learners.TREES} trees (the paper's
have 100), bootstrap samples and sqrt(d) features a node, and average leaf proportions; their binary task is run on
digits, mushrooms and MNIST at most. ANE chooses lam among 0, 0.25, 0.5, 0.75 and 1 on a stratified fifth of the noisy
rows (0 is the square root of Gini; ties go to fewer leaves) and is fitted again on all. GCE has q = 0.7, credal s = 1.

The paper leaves unspecified: seeds, the order of the pairs, whether ANE is fitted again, ties between values of lam,
whether forests draw bootstrap samples, and pooling, ridge and scaling of Algorithm 1, whose printed matrix is not
stochastic. Its other data (Covertype, CIFAR-10, 20News, UNSW-NB15, all of MNIST) were not at hand.

Runs of every cell, which are seeds 0, 1, ... of the noise:
"""
SECTIONS = (
    ("trees", "Trees (Tables 2 and 3)", "accuracy of trees against noise"),
    ("forests", "Forests (Tables 4 and 5)", "accuracy of forests against noise"),
)


def page(folder: Path) -> str:
    """Return the page as Markdown."""
    found = gathered(folder)
    parts = [HEAD + "\n" + "\n".join(_made(name, rows) for name, rows in found.rows.items())]
    parts.append("## What reproduces, and what does not\n\n" + "\n".join(f"- {text}" for text in findings(found)))
    for name, title, about in SECTIONS:
        if found.rows[name]:
            pictures = f"{_picture(name, about)}\n\n{_picture(f'{name}_ranks', 'average ranks over data sets')}"
            parts.append(f"## {title}\n\n{finishing.shown_table(found.cells[name])}\n\n{pictures}")
    shown: tuple[tuple[str, str, Any, Any], ...] = (
        ("figure6", "Figure 6: lam of the smallest / of the most accurate tree", finishing.shown_sizes, "sizes"),
        ("halted", "Impure nodes that are halted, percent by depth", finishing.shown_shares, "shares"),
        ("budget", "ANE and tuned Gini at the same budget", finishing.shown_budget, "budget"),
        ("gce", "GCE over q", finishing.shown_q, "over_q"),
        ("features", "Learnt features (Appendix K)", finishing.shown_features, "features"),
    )
    for name, title, shower, of in shown:
        if found.rows[name]:
            parts.append(f"## {title}\n\n{shower(getattr(found, of))}\n\n{_picture(name, title)}")
    return "\n\n".join(parts) + "\n"


def _picture(name: str, about: str) -> str:
    return f"![{about}](wilton2024/{name}.png)"


def _made(name: str, rows: list[Row]) -> str:
    """Return how often the cells of an experiment were run, data set by data set."""
    if not rows:
        return f"- {name}: not run."
    cells: dict[Any, set[Any]] = {}
    for row in rows:
        key = row["data"], row.get("task"), row.get("model"), row["noise"], row.get("method")
        cells.setdefault(key, set()).add(row["run"])
    each: dict[str, list[int]] = {}
    for key, runs in cells.items():
        each.setdefault(key[0], []).append(len(runs))
    counts = {data: (min(runs), max(runs)) for data, runs in each.items()}
    alike: dict[tuple[int, int], list[str]] = {}
    for data, span in counts.items():
        alike.setdefault(span, []).append(data.replace(", ", ": "))
    said = [
        f"{low if low == high else f'{low} to {high}'} of {', '.join(names)}" for (low, high), names in alike.items()
    ]
    absent = [data for data in DATA if data not in counts and name != "features"]
    return f"- {name}: {'; '.join(said)}" + (f"; not run on {', '.join(absent)}." if absent else ".")


if __name__ == "__main__":
    where = Path(sys.argv[1])
    write_text(where.with_suffix(".md"), page(where))
