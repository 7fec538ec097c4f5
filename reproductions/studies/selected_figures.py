"""The picture of docs/which-column.md: writes docs/figures/selected_bias.png and docs/data/selected_bias.csv."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt

from reproductions.bias import chosen_shares, found_shares
from splitcrit import plots
from splitcrit.atomic_files import write_text

DOCS = Path(__file__).parents[2] / "docs"
VALUES = (2, 4, 8, 20, 100)
AGREEMENTS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
SEED = 2024


def main(repetitions: int = 2000) -> None:
    plt.switch_backend("agg")
    none = chosen_shares(VALUES, repetitions=repetitions, rng=SEED)
    some = found_shares(AGREEMENTS, repetitions=repetitions // 4, rng=SEED)
    lines = ["picture,chooser,condition,share,standard_error"]
    for picture, shares in (("chosen", none), ("found", some)):
        lines += [f"{picture},{x.chooser},{x.condition:g},{x.share:.4f},{x.standard_error:.4f}" for x in shares]
    write_text(DOCS / "data" / "selected_bias.csv", "\n".join(lines) + "\n")
    _, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4), layout="constrained")
    plots.choice_shares(none, expected=1 / len(VALUES), condition="number of values of the feature", ax=left)
    plots.choice_shares(some, condition="agreement of the telling feature with the label", ax=right)
    left.set_title("No information: which of five features is chosen")
    right.set_title("A telling feature of 2 values, 5 rivals of 100")
    plt.savefig(DOCS / "figures" / "selected_bias.png", dpi=120)
    plt.close()


if __name__ == "__main__":
    main()
