"""The pictures of single pages, a cell each: its head names the file, and the cell ends with ``figure`` or ``ax``.

``python docs/figures/make.py NAME`` runs one; each imports what it introduces, so that it can be read and run alone.
"""

# %% weak_splits
import matplotlib.pyplot as plt
import numpy as np

from splitcrit import decrease, dkm, entropy, gini

q = np.geomspace(1e-4, 0.5, 60)
tables = np.stack([[(1 - q) * 0.6, q * 0.4], [(1 - q) * 0.4, q * 0.6]]).transpose(2, 0, 1)
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
nodes, named = np.stack([1 - q, q], axis=1), {"DKM": dkm, "entropy": decrease(entropy), "Gini": decrease(gini)}
for (name, criterion), line, colour in zip(named.items(), ("-", "--", ":"), ("#0072B2", "#D55E00", "#009E73")):
    ax.plot(q, criterion(tables) / criterion.impurity(nodes), line, color=colour, label=name)
ax.set(xscale="log", xlabel="share of the positive class", ylabel="share of the impurity taken away")
ax.legend()


# %% chance
import matplotlib.pyplot as plt

from splitcrit import gini_gain, gini_pvalue
from splitcrit.nulls import null_distribution

table = [[6, 2, 1], [3, 5, 1], [0, 2, 5], [1, 1, 3]]
law, seen = null_distribution(table), float(gini_gain(table))
figure, ax = plt.subplots(figsize=(5.6, 3), layout="constrained")
ax.hist(
    law.gain, bins=24, range=(0, 0.3), weights=law.probability, color="0.8", edgecolor="0.6", label="shuffled labels"
)
ax.axvline(seen, color="#D55E00", lw=2.5, label=f"observed, p = {float(gini_pvalue(table)):.2g}")
ax.set(xlabel="Gini gain", ylabel="how often", xlim=(0, 0.3))
ax.legend(frameon=False)


# %% best_cut
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from splitcrit.nulls import selected_pvalue, selected_tail


def law(score, cuts):
    return float(selected_tail(score, 178, 48, cuts=cuts))


wine = load_wine(as_frame=True)
values, counts = np.unique(wine.data["magnesium"], return_counts=True)
seen = selected_pvalue(wine.data["magnesium"].to_numpy(), (wine.target == 2).to_numpy())
scores, cuts = np.linspace(0, 5, 101), np.cumsum(counts)[:-1]
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for which, name, style, colour in (
    (cuts, "the best of 52 cuts", "-", "#D55E00"),
    ([seen.cut], "one cut, fixed beforehand", "--", "#0072B2"),
):
    ax.plot(scores, [law(score, which) for score in scores], style, color=colour, label=name)
    ax.plot(seen.score, law(seen.score, which), "o", color=colour)
    ax.annotate(f"p = {law(seen.score, which):.2g}", (seen.score + 0.1, law(seen.score, which) + 0.02), color=colour)
ax.axvline(seen.score, color="0.6", lw=1, zorder=0)
ax.annotate("magnesium <= 87.5", (seen.score + 0.1, 0.72), color="0.35")
ax.set(xlabel="SGini", ylabel="how often random labels score as high", xlim=(0, 5), ylim=(-0.02, 1.02))
ax.legend(frameon=False)


# %% many_pvalues
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from splitcrit import rank_features

tumours, benign = load_breast_cancer(return_X_y=True, as_frame=True)
noise = pd.DataFrame(np.random.default_rng(0).normal(size=(569, 100))).add_prefix("noise ")
found = rank_features(pd.concat([tumours, noise], axis=1), benign).to_frame().sort_values("p", ignore_index=True)
place, noisy = np.arange(1, 131), found["feature"].str.startswith("noise")
figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
ax.plot(place, np.full(130, 0.05), ":", color="0.4")
ax.plot(place, 0.05 * place / 130, "-", color="#009E73")
ax.plot(place, 0.05 / (131 - place), "--", color="#CC79A7")
for name, at, y, colour in (
    ("no correction", 85, 0.064, "0.4"),
    ("share of false columns", 60, 0.012, "#009E73"),
    ("any false column", 75, 4.5e-4, "#CC79A7"),
):
    ax.annotate(name, (at, y), color=colour)
for rows, mark, colour, name in ((~noisy, "o", "#0072B2", "measurement"), (noisy, "x", "#D55E00", "noise")):
    ax.plot(place[rows], found["p"][rows], mark, color=colour, markersize=4, label=name)
ax.set(
    yscale="log",
    xlim=(18, 131),
    ylim=(1e-5, 1.5),
    xlabel="columns in the order of their p-values (the first 25 lie below)",
    ylabel="p-value",
)
ax.legend(frameon=False, loc="lower right")


# %% root_choice
import matplotlib.pyplot as plt
import pandas as pd

found = pd.read_csv("docs/data/root_choice.csv", keep_default_na=False).query("truth == 'null' and runs > 0")
found["kind"] = found["column"].replace(r"^x\d$", "number without ties", regex=True)
found["share"] = found["chosen"] / found["runs"]
shares = found.groupby(["tool", "kind"], sort=False)["share"].mean().unstack()[::-1]
names = {
    "city": "category of 30 levels",
    "number without ties": "number without ties",
    "twenty": "number of 20 values",
    "flag": "flag",
}
figure, ax = plt.subplots(figsize=(7.5, 4), layout="constrained")
ax.axvline(0.1, color="0.6", lw=1, ls="--", zorder=0)
for (kind, name), mark, colour in zip(names.items(), "so^D", ["#D55E00", "#009E73", "#0072B2", "#E69F00"]):
    ax.plot(shares[kind], shares.index, mark, color=colour, label=name, markerfacecolor="none", mew=1.6)
ax.annotate("fair: one in ten", (0.12, len(shares) - 0.45), va="center", color="0.4")
ax.set(
    xlim=(-0.03, 1.03),
    ylim=(-0.5, len(shares)),
    xlabel="share of data sets without any signal that put this column at the root",
)
figure.legend(frameon=False, loc="outside upper center", ncols=4)


# %% tree_sizes
import matplotlib.pyplot as plt
import pandas as pd

found = pd.read_csv("docs/data/categories.csv").query("data == 'mushrooms' and max_leaf_nodes <= 16")
figure, ax = plt.subplots(figsize=(6.5, 3.8), layout="constrained")
for (encoding, group), style in zip(found.groupby("encoding", sort=False), ("o-", "s--")):
    name = {"categories": "subsets of levels"}.get(encoding, "one-hot columns")
    errors = 2 * group["standard_error"]
    ax.errorbar(group["max_leaf_nodes"], 1 - group["accuracy"], errors, fmt=style, capsize=2, label=name)
ax.set(xscale="log", yscale="log", xlabel="leaves, at most", ylabel="share of wrong predictions")
ax.set_xticks([2, 3, 4, 5, 6, 8, 10, 12, 16], [2, 3, 4, 5, 6, 8, 10, 12, 16])
ax.minorticks_off()
ax.legend(frameon=False)


# %% memory_by_rows
import matplotlib.pyplot as plt
import numpy as np

rows, features = np.logspace(6, 10, 41), 20
node = np.minimum(rows / 16 * features, 2**25) * 12  # that one worker finishes
lines = [("in memory", rows * features * 12, "-")]
for workers, style in ((10, "--"), (100, ":")):
    lines.append((f"each of {workers} Dask workers", rows / workers * (features + 1 + 16) + node, style))
figure, ax = plt.subplots(figsize=(6.5, 3.8), layout="constrained")
for name, size, style in lines:
    ax.plot(rows, size / 1e9, style, lw=2, label=name)
ax.axhline(64, color="0.5", lw=1)
ax.annotate("a machine of 64 GB", (1e6, 64), xytext=(0, 4), textcoords="offset points", color="0.4")
ax.set(xscale="log", yscale="log", xlabel="rows", ylabel="memory, GB")
ax.legend(frameon=False, loc="lower right")


# %% many_levels
import matplotlib.pyplot as plt
import pandas as pd

from reproductions.printed import printed

found = pd.DataFrame(printed("many_levels")).astype({"levels": int, "training": float, "new": float})
lines = (
    ("best subset of the words", "training", "best subset, training rows", "#D55E00", "s--"),
    ("best subset of the words", "new", "best subset, new rows", "#D55E00", "s-"),
    ("scikit-learn, a column for each letter", "new", "a column for each letter, new rows", "#0072B2", "o-"),
    ("most frequent label", "new", "most frequent label, new rows", "0.5", "^:"),
)
figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
for model, rows, name, colour, style in lines:
    groups = found[found["model"] == model].groupby("levels")[rows]
    ax.errorbar(groups.mean().index, groups.mean(), 2 * groups.sem(), fmt=style, color=colour, label=name, capsize=2)
ax.set(xscale="log", xticks=[4, 16, 64, 251, 783], xlabel="levels of the column", ylabel="accuracy")
ax.set_xticklabels(ax.get_xticks())
ax.minorticks_off()
ax.legend(frameon=False)


# %% out_of_core
from pathlib import Path

import matplotlib.pyplot as plt

lines = Path("reproductions/studies/out_of_core.md").read_text().splitlines()
cells = [line.split("|")[1:-1] for line in lines if line.startswith(("| parquet", "| csv"))]
rows = [(kind.strip(), int(n.replace(",", "")), float(held), float(peak)) for kind, n, _, held, *_, peak in cells]
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for kind, style, colour in (("parquet", "o-", "#0072B2"), ("csv", "s--", "#D55E00")):
    mine = [row for row in rows if row[0] == kind]
    ax.plot([n for _, n, _, _ in mine], [peak for *_, peak in mine], style, color=colour, label=f"peak, {kind} files")
held = sorted({(n, held) for _, n, held, _ in rows})
ax.plot(*zip(*held), ":", color="0.4", label="the ten columns as float32")
ax.set(xscale="log", yscale="log", xlabel="rows", ylabel="MiB", ylim=(20, 8000))
ax.legend(frameon=False)


# %% printed
from pathlib import Path

from reproductions.ghosh2017 import problems
from reproductions.ghosh2017.summary import summarised
from reproductions.plots.printed import against_printed
from reproductions.results import rows_of

folder, tables = Path("docs/reproductions/ghosh2017"), {"table1": "Table 1, made-up data", "table2": "Table 2, UCI"}
unlike = {*problems.VARIANTS, "checkerboard 4x4"}  # other readings of a data set
cells = [cell | {"table": tables[t]} for t in tables for cell in summarised(rows_of(folder / f"{t}.csv"), t)]
figure = against_printed(
    [cell for cell in cells if cell["method"] in ("Gini", "RF", "SVM") and cell["data"] not in unlike]
)


# %% chance_of_gains
import matplotlib.pyplot as plt

from reproductions.roots import root_choices
from splitcrit import bayes_sum, entropy, gini, matushita, standardised
from splitcrit.nulls import null_moments
from splitcrit.plots import plot_selection_bias
from splitcrit.plots.bias import numbers_of_values
from splitcrit.plots.style import look

figure, panels = plt.subplots(1, 3, figsize=(10.5, 3.4), layout="constrained")
values = (2, 4, 5, 8, 10, 20, 25, 40, 50)
for labels, ax in zip(([100, 100], [180, 20]), panels):
    for i, impurity in enumerate((gini, entropy, matushita, bayes_sum)):
        means = [null_moments(impurity, [200 // r] * r, labels).mean for r in values]
        shares = [mean / float(impurity(labels)) for mean in means]
        ax.plot(values, shares, **look(i, marked=True), label=impurity.name)
    numbers_of_values(ax, {2, 5, 10, 20, 50})
    ax.set(title=f"classes of {labels[0]} and {labels[1]}", xlabel="values of the feature")
    ax.set(ylabel="mean gain by chance / impurity", ylim=(-0.02, 0.52))
panels[0].legend()
criteria = [entropy, standardised(entropy), standardised(bayes_sum)]
plot_selection_bias(root_choices(criteria, (2, 5, 10, 20, 50), samples=300), ax=panels[2])


# %% own_loss
from splitcrit import Impurity, Loss, gini
from splitcrit.plots import plot_impurity

costs = ((0, 1), (5, 0))  # rows: the class; columns: the answer
by_cost = Impurity.from_loss(Loss("costs", lambda w, k, m: sum(c * x for c, x in zip(costs[k], w))))
ax = plot_impurity([by_cost, gini])


# %% own_property
import matplotlib.pyplot as plt

from splitcrit import Impurity, gini
from splitcrit.plots import plot_impurity

flat = Impurity("flat", lambda p, m: (1 - m.max(p)) ** 2)
figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for impurity, ax in zip((flat, gini), panels):
    plot_impurity(impurity, splits=[[[10, 0], [6, 4]]], ax=ax)


# %% survival_tree
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from splitcrit.inference import InferenceTreeRegressor
from splitcrit.columns import log_rank
from splitcrit.plots import plot_inference_tree

rng = np.random.default_rng(1)
columns = rng.integers(30, 85, 400), rng.normal(size=400).round(2), rng.normal(size=400).round(2)
X = pd.DataFrame(dict(zip(("age", "marker", "noise"), columns)))
hazard = np.exp(1.0 * (X["age"] > 65) + 1.2 * (abs(X["marker"]) > 1)) / 10
death, end = rng.exponential(1 / hazard), rng.uniform(2, 25, 400)
y = np.column_stack([np.minimum(death, end), death <= end])
tree = InferenceTreeRegressor(response_scores=log_rank, random_state=0).fit(X, y)
figure, ax = plt.subplots(figsize=(9.5, 5.5), layout="constrained")
plot_inference_tree(tree, ax=ax)
