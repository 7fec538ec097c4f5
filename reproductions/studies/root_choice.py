"""Which column eight tools put at the root where no column tells anything, and where one does.

``SPLITCRIT_THREADS=1 python reproductions/studies/root_choice.py [TOOL ...]`` writes docs/data/root_choice.csv: of
2,000 data sets of 300 rows, how many have each column at the root. Rows of tools that are not named, or that are
absent, stay as they are; of an absent tool that has none, one row says why. R's tools read the data sets from files.

A data set has a flag, numbers of four and of twenty values, a category of thirty levels, and six normal numbers: by a
fair choice each column has a tenth. ``null``: no column tells. ``flag``: .60 against .40. ``city``: ten of the thirty
levels at .65, the others at .42.

Main definitions: ``TOOLS``, ``data_sets``, ``main``.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from reports import Report, Row

from splitcrit.atomic_files import write_text

FIELDS = ("tool", "truth", "column", "chosen", "runs", "seed", "absent")
REPORT = Report("root_choice", FIELDS)
RUNS, ROWS, SEED, LEVELS = 2000, 300, 39, 30
COLUMNS = ("flag", "four", "twenty", "city", *(f"x{i}" for i in range(1, 7)))
TRUTHS = ("null", "flag", "city")
GINI, CALIBRATED = "splitcrit, Gini", "splitcrit, calibrated"
R_TREES = {
    "ctree": """
  node <- node_party(ctree(y ~ ., one, control = ctree_control(alpha = 1, multiway = TRUE, stump = TRUE)))
  if (is.terminal(node)) "" else names(one)[split_node(node)$varid - 1]
""",
    "ranger": """
  tree <- ranger(y ~ ., one, num.trees = 1, mtry = ncol(one) - 1, replace = FALSE, sample.fraction = 1, max.depth = 1,
                 respect.unordered.factors = "order", num.threads = 1, seed = one$x1[1] * 1e6)
  as.character(treeInfo(tree, 1)$splitvarName[1])
""",
}
R_SCRIPT = """
suppressMessages(library({package}))
rows <- read.csv("rows.csv"); rows$y <- factor(rows$y); rows$city <- factor(rows$city)
set.seed(1)
for (one in split(rows[-1], rows$sample)) {{
  one$city <- factor(one$city)
  cat(({{{body}}}), "\\n", sep = "")
}}
"""


class DataSet(NamedTuple):
    """Columns, with the category as texts, and labels 0 and 1."""

    frame: pd.DataFrame
    y: np.ndarray


class Tool(NamedTuple):
    """A tool, the module or R package that it needs, and how it names the roots of data sets."""

    needs: str
    roots: Callable[[Iterator[DataSet]], Iterator[str]]


def data_sets(truth: str, runs: int) -> Iterator[DataSet]:
    """Yield the data sets of a truth."""
    for i in range(runs):
        rng = np.random.default_rng([SEED, TRUTHS.index(truth), i])
        levels, normals = [rng.integers(0, k, ROWS) for k in (2, 4, 20, LEVELS)], rng.normal(size=(ROWS, 6))
        frame = pd.DataFrame(dict(zip(COLUMNS, [*levels, *normals.T], strict=True)))
        p = {"flag": np.where(frame["flag"] > 0, 0.6, 0.4), "city": np.where(frame["city"] < 10, 0.65, 0.42)}
        y = (rng.random(ROWS) < p.get(truth, np.full(ROWS, 0.5))).astype(int)
        yield DataSet(frame.assign(city=[f"c{code:02d}" for code in frame["city"]]), y)


def of_ours(model: Any) -> Callable[[Iterator[DataSet]], Iterator[str]]:
    """How one of our trees names its roots."""

    def roots(sets: Iterator[DataSet]) -> Iterator[str]:
        for frame, y in sets:
            tree = model().fit(frame, y)
            yield COLUMNS[tree.splits_[0].feature if 0 in tree.splits_ else tree.tree_.feature[0]]

    return roots


def plain() -> Any:
    from splitcrit import TreeClassifier

    return TreeClassifier(max_depth=1, categorical_features=["city"])


def calibrated() -> Any:
    from splitcrit import TreeClassifier

    return TreeClassifier(criterion="calibrated", max_depth=1, categorical_features=["city"])


def tested(sets: Iterator[DataSet]) -> Iterator[str]:
    """The columns by which tested trees would split: the level and the permutations decide only whether they do."""
    from splitcrit.inference import InferenceTreeClassifier

    for frame, y in sets:
        model = InferenceTreeClassifier(
            alpha=0.999, n_permutations=40, max_exceedances=None, max_depth=1, categorical_features=["city"],
            random_state=0,
        )  # fmt: skip
        tree = model.fit(frame, y)
        root = tree.splits_[0].feature if 0 in tree.splits_ else tree.tree_.feature[0]
        yield COLUMNS[root] if root >= 0 else ""  # one in 41 is left a leaf


def one_hot(sets: Iterator[DataSet]) -> Iterator[str]:
    from sklearn.tree import DecisionTreeClassifier

    for frame, y in sets:
        table = pd.get_dummies(frame, columns=["city"])
        root = DecisionTreeClassifier(max_depth=1, random_state=0).fit(table, y).tree_.feature[0]
        yield str(table.columns[root]).partition("_")[0]


def boosted(library: str) -> Callable[[Iterator[DataSet]], Iterator[str]]:
    """How the first tree of a boosted model names its root, with the library's defaults."""

    def roots(sets: Iterator[DataSet]) -> Iterator[str]:
        for frame, y in sets:
            table = frame.assign(city=frame["city"].astype("category"))
            if library == "lightgbm":
                from lightgbm import LGBMClassifier

                model = LGBMClassifier(n_estimators=1, num_leaves=2, n_jobs=1, verbose=-1).fit(table, y)
                yield model.booster_.dump_model()["feature_names"][
                    model.booster_.dump_model()["tree_info"][0]["tree_structure"]["split_feature"]
                ]
            else:
                from xgboost import XGBClassifier

                model = XGBClassifier(n_estimators=1, max_depth=1, n_jobs=1, enable_categorical=True).fit(table, y)
                yield str(model.get_booster().trees_to_dataframe()["Feature"][0])

    return roots


def in_r(package: str) -> Callable[[Iterator[DataSet]], Iterator[str]]:
    """How a package of R names its roots."""

    def roots(sets: Iterator[DataSet]) -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            rows = pd.concat([s.frame.assign(y=s.y, sample=i) for i, s in enumerate(sets)])
            rows[["sample", *COLUMNS, "y"]].to_csv(Path(folder, "rows.csv"), index=False)
            name = {"ctree": "partykit"}.get(package, package)
            Path(folder, "trees.R").write_text(R_SCRIPT.format(package=name, body=R_TREES[package]))
            printed = subprocess.run(["Rscript", "trees.R"], cwd=folder, capture_output=True, text=True, check=True)
        yield from printed.stdout.splitlines()

    return roots


def citrees_roots(sets: Iterator[DataSet]) -> Iterator[str]:
    from citrees import CITreeClassifier

    for frame, y in sets:
        table = frame.assign(city=frame["city"].astype("category").cat.codes).to_numpy(float)
        yield COLUMNS[CITreeClassifier(alpha=1.0, max_depth=1, n_jobs=1, random_state=1).fit(table, y).root.col]


TOOLS = {
    GINI: Tool("splitcrit", of_ours(plain)),
    CALIBRATED: Tool("splitcrit", of_ours(calibrated)),
    "splitcrit, tested": Tool("splitcrit", tested),
    "scikit-learn, one-hot": Tool("sklearn", one_hot),
    "XGBoost": Tool("xgboost", boosted("xgboost")),
    "LightGBM": Tool("lightgbm", boosted("lightgbm")),
    "ranger": Tool("Rscript ranger", in_r("ranger")),
    "ctree": Tool("Rscript partykit", in_r("ctree")),
    "citrees": Tool("citrees", citrees_roots),
}


def absent(name: str) -> str:
    """Why a tool cannot be asked, empty if it can."""
    needs = TOOLS[name].needs
    try:
        if needs.startswith("Rscript"):
            if shutil.which("Rscript") is None:
                return "R is not installed"
            subprocess.run(["Rscript", "-e", f"library({needs.split()[1]})"], capture_output=True, check=True)
        else:
            importlib.import_module(needs)
        next(TOOLS[name].roots(data_sets("null", 1)))
    except (ImportError, OSError, ValueError, subprocess.CalledProcessError) as error:
        return f"{type(error).__name__}: {Path(str(error).splitlines()[0]).name}"[:80]
    return ""


def measured(name: str, runs: int) -> list[Row]:
    """The rows of a tool; one without columns, if it is absent."""
    if why := absent(name):
        return [dict(zip(FIELDS, (name, "null", "", "0", "0", str(SEED), why), strict=True))]
    rows = []
    for truth in TRUTHS:
        chosen = Counter(TOOLS[name].roots(data_sets(truth, runs)))
        for column in COLUMNS:
            values = name, truth, column, chosen[column], runs - chosen[""], SEED, ""
            rows.append(dict(zip(FIELDS, map(str, values), strict=True)))
    return rows


def shares(rows: list[Row]) -> dict[tuple[str, str, str], float]:
    """The share of data sets by tool, truth and column."""
    return {(r["tool"], r["truth"], r["column"]): int(r["chosen"]) / int(r["runs"]) for r in rows if r["runs"] != "0"}


def table(rows: list[Row]) -> str:
    """The shares as a Markdown table, and a line for each tool that is absent."""
    share_of, tools = shares(rows), dict.fromkeys(row["tool"] for row in rows if not row["absent"])
    lines = [
        "| tool | data sets | category, none tells | flag, which tells | category, which tells |",
        "|---|---|---|---|---|",
    ]
    for tool in tools:
        each = [share_of[tool, "null", "city"], *(share_of[tool, truth, truth] for truth in TRUTHS[1:])]
        runs = min(int(row["runs"]) for row in rows if row["tool"] == tool)
        lines.append(f"| {tool} | {runs} | " + " | ".join(f"{share:.3f}" for share in each) + " |")
    lines += [f"\n{row['tool']} is left out, since it did not load." for row in rows if row["absent"]]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure the tools that are named, or all, and write their rows in the place of the old ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools", nargs="*", metavar="TOOL", help="; ".join(TOOLS) + "; or table, of the page alone")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--file", type=Path, default=REPORT.results)
    options = parser.parse_args()
    rows: list[Row] = []
    if options.file.exists():
        rows = list(csv.DictReader(options.file.read_text(encoding="utf-8").splitlines()))
    for name in [] if options.tools == ["table"] else options.tools or TOOLS:
        new = measured(name, options.runs)
        if new[0]["absent"] and any(row["tool"] == name for row in rows):
            print(f"{name} is absent, its rows stay: {new[0]['absent']}")
            continue
        rows = sorted([row for row in rows if row["tool"] != name] + new, key=lambda r: list(TOOLS).index(r["tool"]))
        write_text(options.file, REPORT.written(rows))
        print(name, new[0]["absent"] or {(r["truth"], r["column"]): r["chosen"] for r in new}, flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
