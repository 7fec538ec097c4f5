"""Words of one to five letters of DNA as a category of 4 to 783 levels: accuracy on the training rows and on new ones.

``python reproductions/studies/many_levels.py`` writes docs/data/many_levels.csv, one row for each length of the word,
model and draw, and prints the table of docs/categories.md; with ``table`` it prints alone. The data set is splice,
in SPLITCRIT_DATA: acceptor sites against sites that are none, by the letters that end two before the junction.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from reports import Report, Row

REPORT = Report("many_levels", ("letters", "levels", "model", "seed", "training", "new"))
DRAWS, LETTERS = 20, (1, 2, 3, 4, 5)


def results() -> Iterator[Row]:
    """Fit each model to each draw."""
    from sklearn.compose import make_column_transformer
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import GridSearchCV, KFold, train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, TargetEncoder
    from sklearn.tree import DecisionTreeClassifier

    from reproductions.datasets import load
    from splitcrit import TreeClassifier

    data = load("splice")
    chosen = np.isin(data.y, ["IE", "N"])
    sites = [[data.categories[j][int(code)] for j, code in enumerate(row)] for row in data.X[chosen]]
    y = np.asarray(data.y)[chosen] == "IE"
    pruned = GridSearchCV(DecisionTreeClassifier(random_state=0), {"ccp_alpha": [0, 0.001, 0.002, 0.005, 0.01]})
    means = make_column_transformer((TargetEncoder(cv=KFold(5)), ["word"]))
    models = {
        "most frequent label": DummyClassifier(),
        "best subset of the words": TreeClassifier(categorical_features=["word"], max_depth=1),
        "scikit-learn, encoded": make_pipeline(means, DecisionTreeClassifier(max_depth=1)),
        "scikit-learn, a column for each letter": make_pipeline(OneHotEncoder(handle_unknown="ignore"), pruned),
    }
    for k in LETTERS:
        letters = pd.DataFrame([site[28 - k : 28] for site in sites])
        words = pd.DataFrame({"word": letters.sum(axis=1)})
        for name, model in models.items():
            for seed in range(DRAWS):
                frame = letters if "letter" in name else words
                old, new, y_old, y_new = train_test_split(frame, y, random_state=seed)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # many levels, unknown letters: both are meant
                    model.fit(old, y_old)
                    scores = model.score(old, y_old), model.score(new, y_new)
                cells = (k, words["word"].nunique(), name, seed, *(f"{score:.4f}" for score in scores))
                yield dict(zip(REPORT.fields, map(str, cells), strict=True))


def table(rows: list[Row]) -> str:
    """Means and standard errors of the longest words as a Markdown table."""
    lines = ["| model | training rows | new rows |", "|---|---|---|"]
    for cell in dict.fromkeys((row["letters"], row["levels"], row["model"]) for row in rows):
        mine = [row for row in rows if (row["letters"], row["levels"], row["model"]) == cell]
        if cell[0] == "5":
            scores = np.array([[float(row["training"]), float(row["new"])] for row in mine])
            pairs = zip(scores.mean(axis=0), scores.std(axis=0, ddof=1) / np.sqrt(len(mine)), strict=True)
            lines.append("| " + " | ".join([cell[2], *(f"{mean:.3f} +- {error:.3f}" for mean, error in pairs)]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
