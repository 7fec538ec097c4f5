"""Does another criterion, or a tree that knows of noise, predict better? Trees and forests on the breast tumours.

``python reproductions/studies/accuracies.py`` writes docs/data/accuracies.csv, one row for each model, share of wrong
labels and draw: 3/4 of the rows, drawn by the seed, are for training, and of their labels that share is flipped;
accuracies are those on the other rows. It prints the tables of docs/choosing-a-criterion.md and docs/noisy-labels.md;
with ``table`` it measures nothing.

Main definitions: ``MODELS``, ``results``, ``criteria``, ``noise``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from reports import Report, Row
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier

from splitcrit import AdaptiveForestClassifier, AdaptiveTreeClassifier, TreeClassifier, ne, symmetric
from splitcrit.inference import InferenceTreeClassifier

REPORT = Report("accuracies", ("model", "wrong", "seed", "accuracy"))
DRAWS, WRONG = 20, (0, 0.3)


def pruned(tree: Any) -> Any:
    """A tree that is pruned by cross-validation on the training rows, noisy as they are."""
    return GridSearchCV(tree, {"ccp_alpha": [0, 0.01, 0.03]})


MODELS: dict[str, Any] = {
    "scikit-learn, pruned": pruned(DecisionTreeClassifier(random_state=0)),
    "scikit-learn, forest": RandomForestClassifier(30, random_state=0),
    "gini, pruned": pruned(TreeClassifier()),
    "sgini, pruned": pruned(TreeClassifier(criterion="sgini")),
    "ne(0.8), pruned": pruned(TreeClassifier(criterion=ne(0.8))),
    "ne(0.8), not pruned": TreeClassifier(criterion=ne(0.8)),
}
OF_NOISE: dict[str, Any] = {
    "tree": DecisionTreeClassifier(random_state=0),
    "forest, 5 rows in a leaf": RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
    "AdaptiveTreeClassifier": AdaptiveTreeClassifier(random_state=0),
    "AdaptiveForestClassifier": AdaptiveForestClassifier(30, random_state=0),
    "InferenceTreeClassifier": InferenceTreeClassifier(random_state=0),
}
CALLED = {"pruned tree": "scikit-learn, pruned", "forest": "scikit-learn, forest"}  # on the page of noise


def results() -> Iterator[Row]:
    """Yield the accuracy of each model, share and draw."""
    x, y = load_breast_cancer(return_X_y=True)
    for name, model in (MODELS | OF_NOISE).items():
        for wrong in WRONG if name in MODELS else WRONG[1:]:
            for seed in range(DRAWS):
                x_old, x_new, y_old, y_new = train_test_split(x, y, random_state=seed)
                accuracy = model.fit(x_old, symmetric(wrong).flip(y_old, rng=seed)).score(x_new, y_new)
                yield dict(zip(REPORT.fields, (name, str(wrong), str(seed), repr(float(accuracy))), strict=True))


def mean(rows: list[Row], model: str, wrong: float) -> str:
    """The mean accuracy over draws with its standard error."""
    accuracies = [float(row["accuracy"]) for row in rows if (row["model"], row["wrong"]) == (model, str(wrong))]
    return f"{np.mean(accuracies):.3f} +- {np.std(accuracies, ddof=1) / np.sqrt(len(accuracies)):.3f}"


def criteria(rows: list[Row]) -> str:
    """The table of criteria, with correct labels and with wrong ones."""
    lines = ["| model | correct labels | three in ten wrong |", "|---|---|---|"]
    lines += [f"| {name} | {' | '.join(mean(rows, name, wrong) for wrong in WRONG)} |" for name in MODELS]
    return "\n".join(lines) + "\n"


def noise(rows: list[Row]) -> str:
    """The table of models for wrong labels."""
    names = ("tree", "pruned tree", "forest", *list(OF_NOISE)[1:])
    lines = ["| model | accuracy |", "|---|---|"]
    lines += [f"| {name} | {mean(rows, CALLED.get(name, name), WRONG[1])} |" for name in names]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, lambda rows: f"{criteria(rows)}\n{noise(rows)}")
