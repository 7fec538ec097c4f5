"""How often does `SplitSelector` keep a column that tells nothing, and how many that tell does it keep?

``python reproductions/studies/selection_levels.py levels --minutes 30`` adds blocks of data sets to
docs/data/selection_levels.csv until the time is up or each of 20 scenarios has 2,000; ``power`` adds to
docs/data/selection_power.csv, beside other selectors of scikit-learn and Boruta, if it is installed, on made-up columns
and on three data sets in ``SPLITCRIT_DATA``. Every block has a seed, so that any of them can be made again; what is
there is not made twice.

Main definitions: ``SCENARIOS``, ``level_block``; ``TRUTHS``, ``SETS``, ``METHODS``, ``power_block``.
"""

from __future__ import annotations

import importlib.util
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from blocks import command, seed_of, study
from scipy.stats import false_discovery_control, kruskal
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif, mutual_info_classif

from splitcrit import SplitSelector
from splitcrit.inference.selection import CONTROLS, CORRECTIONS

ALPHA, COLUMNS = 0.05, 10
SIZES = {"levels": 100, "power": 10, "Boruta": 2}  # data sets of a block
Rng = np.random.Generator


def normal(rng: Rng, n: int = 80) -> Any:
    return rng.normal(size=(n, COLUMNS))


def correlated(rng: Rng) -> Any:
    return normal(rng, 80) * 0.6 + 0.8 * rng.normal(size=(80, 1))


def beside(rng: Rng) -> Any:
    """Three independent columns beside others that are correlated."""
    return np.hstack([normal(rng)[:, :3], correlated(rng)[:, 3:]])


def words(levels: int, rng: Rng) -> Any:
    return pd.DataFrame({f"c{j}": rng.integers(0, levels, 80).astype(str) for j in range(COLUMNS)})


def gaps(rng: Rng) -> Any:
    return np.where(rng.random((80, COLUMNS)) < 0.3, np.nan, normal(rng))


def mixed(rng: Rng) -> Any:
    kinds = [rng.integers(0, k, 80).astype(float) for k in (2, 3, 20)]
    numbers = [rng.normal(size=80), rng.standard_cauchy(80), np.where(rng.random(80) < 0.3, np.nan, rng.random(80))]
    texts = [rng.choice(list("abcdefgh")[:k], 80) for k in (2, 3, 5, 8)]
    return pd.DataFrame({f"c{j}": column for j, column in enumerate([*kinds, *numbers, *texts])})


def opposed(rng: Rng) -> Any:
    """Columns in pairs, one nearly the negative of the other."""
    x = normal(rng)
    x[:, 1::2] = 0.1 * x[:, 1::2] - x[:, ::2]
    return x


def copies(rng: Rng) -> Any:
    return np.repeat(normal(rng)[:, :2], COLUMNS // 2, axis=1)


def told(x: Any, rng: Rng) -> Any:
    """Labels that the first three columns tell."""
    return (x[:, :3].sum(axis=1) + rng.normal(size=len(x)) > 0).astype(int)


def coin(rng: Rng) -> Any:
    return rng.permutation(np.arange(80) % 2)


def classes(k: int, rng: Rng) -> Any:
    return rng.permutation(np.arange(80) % k)


SCENARIOS: dict[str, Callable[[Rng], tuple[Any, Any, int]]] = {  # columns, labels, how many columns tell something
    "normal": lambda r: (normal(r), coin(r), 0),
    "four values": lambda r: (r.integers(0, 4, (80, COLUMNS)), coin(r), 0),
    "two values": lambda r: (r.integers(0, 2, (80, COLUMNS)), coin(r), 0),
    "heavy tails": lambda r: (r.standard_cauchy((80, COLUMNS)), coin(r), 0),
    "correlated": lambda r: (correlated(r), coin(r), 0),
    "opposed pairs": lambda r: (opposed(r), coin(r), 0),
    "copies": lambda r: (copies(r), coin(r), 0),
    "rare class, 8 of 80": lambda r: (normal(r), r.permutation(np.arange(80) < 8).astype(int), 0),
    "rare class, 3 of 80, ties": lambda r: (r.integers(0, 6, (80, COLUMNS)), r.permutation(np.arange(80) < 3) * 1, 0),
    "30 % missing": lambda r: (gaps(r), coin(r), 0),
    "5 categories": lambda r: (words(5, r), coin(r), 0),
    "30 categories": lambda r: (words(30, r), coin(r), 0),
    "mixed frame": lambda r: (mixed(r), coin(r), 0),
    "three tell": lambda r: (x := normal(r), told(x, r), 3),
    "three tell, others correlated": lambda r: (x := beside(r), told(x, r), 3),
    "four classes": lambda r: (normal(r), classes(4, r), 0),
    "four classes, rare ones, ties": lambda r: (r.integers(0, 4, (80, COLUMNS)), r.geometric(0.6, 80).clip(1, 4), 0),
    "four classes, mixed frame": lambda r: (mixed(r), classes(4, r), 0),
    "responses": lambda r: (normal(r), r.normal(size=80), 0),
    "responses, heavy tails, ties": lambda r: (r.integers(0, 4, (80, COLUMNS)), r.standard_cauchy(80), 0),
}  # fmt: skip


def level_block(scenario: str, block: int) -> dict[str, Any]:
    """Sums over a block: the false share of the columns kept (``fdr``s); whether one is false (``fwer``)."""
    seed, size, wrong = seed_of("levels", scenario, block), SIZES["levels"], dict.fromkeys(CONTROLS, 0.0)
    for number in range(size):
        x, y, tell = SCENARIOS[scenario](np.random.default_rng([seed, number]))
        selector = SplitSelector(alpha=ALPHA, random_state=number).fit(x, y)
        for control in CONTROLS:
            selected = np.array(CORRECTIONS[control](selector.pvalues_.tolist())) <= ALPHA
            false = selected[tell:].sum()
            wrong[control] += bool(false) if control == "fwer" else false / max(selected.sum(), 1)
    return {"seed": seed, "sets": size} | {control: round(total, 6) for control, total in wrong.items()}


def shifted(x: Any, y: Any, rng: Rng) -> Any:
    return x + 0.6 * y


def spread(x: Any, y: Any, rng: Rng) -> Any:
    return x * (1 + y)


def tail(x: Any, y: Any, rng: Rng) -> Any:
    return x + np.where((y == 1) & (rng.random(len(y)) < 0.2), 4, 0)


def cauchy(x: Any, y: Any, rng: Rng) -> Any:
    return rng.standard_cauchy(len(x)) + 1.2 * y


TRUTHS = {"shift of means": shifted, "another spread": spread, "a tail": tail, "shift, Cauchy": cauchy}
SETS = {"sonar": "sonar.csv", "spambase": "spambase.csv.gz", "waveform": "waveform_v1.csv.gz"}


def made(data: str, rng: Rng) -> tuple[Any, Any, int]:
    """Columns, labels, and how many columns, the first ones, tell something or are those of the data set.

    Of a data set 150 rows are drawn, and each column has a copy in random order, which tells nothing.
    """
    if data in TRUTHS:
        y, x = rng.permutation(np.arange(200) % 2), rng.normal(size=(200, 100))
        if "Cauchy" in data:
            x = rng.standard_cauchy((200, 100))
        x[:, :10] = np.column_stack([TRUTHS[data](column, y, rng) for column in x[:, :10].T])
        return x, y, 10
    x, y = table(data)
    rows = rng.choice(len(y), 150, replace=False)
    x, y = x[rows], y[rows]
    return np.hstack([x, rng.permuted(x, axis=0)]), y, x.shape[1]


def table(data: str) -> tuple[Any, Any]:
    frame = pd.read_csv(Path(os.environ["SPLITCRIT_DATA"]) / SETS[data])
    return frame.drop(columns="target").to_numpy(float), pd.factorize(frame["target"])[0]


def passing(pvalues: Any) -> Any:
    """Benjamini and Hochberg's rule; a column of one value has no p-value."""
    return false_discovery_control(np.nan_to_num(pvalues, nan=1.0)) <= ALPHA


def by_kruskal(x: Any, y: Any, seed: int) -> Any:
    groups = [y == k for k in np.unique(y)]
    return passing(np.array([kruskal(*(c[g] for g in groups)).pvalue if np.ptp(c) else 1.0 for c in x.T]))


def by_information(x: Any, y: Any, seed: int) -> Any:
    """As many columns as `SplitSelector` keeps, those of the largest mutual information, which has no p-value."""
    scores, number = mutual_info_classif(x, y, random_state=seed), SplitSelector(ALPHA).fit(x, y).get_support().sum()
    return np.argsort(np.argsort(-scores, kind="stable")) < number


def by_boruta(x: Any, y: Any, seed: int) -> Any:
    from boruta import BorutaPy

    forest = RandomForestClassifier(max_depth=5, n_jobs=1, random_state=seed)
    return BorutaPy(forest, n_estimators=50, max_iter=50, alpha=ALPHA, random_state=seed).fit(x, y).support_


METHODS: dict[str, Callable[[Any, Any, int], Any]] = {
    "SplitSelector": lambda x, y, seed: SplitSelector(ALPHA).fit(x, y).get_support(),
    "SplitSelector, fdr_any": lambda x, y, seed: SplitSelector(ALPHA, control="fdr_any").fit(x, y).get_support(),
    "f_classif": lambda x, y, seed: passing(f_classif(x, y)[1]),
    "Kruskal": by_kruskal,
    "mutual_info_classif": by_information,
}  # and Boruta, of which one call takes some seconds


def power_block(data: str, method: str, block: int) -> dict[str, Any]:
    """Sums over a block of the share of telling columns that are kept, and of the false share of those kept."""
    seed, size, true, false, seconds = seed_of("power", data, block), SIZES.get(method, SIZES["power"]), 0.0, 0.0, 0.0
    for number in range(size):
        x, y, tell = made(data, np.random.default_rng([seed, number]))
        begun = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # columns of one value
            selected = METHODS.get(method, by_boruta)(x, y, number)
        seconds += time.process_time() - begun
        true, false = true + selected[:tell].mean(), false + selected[tell:].sum() / max(selected.sum(), 1)
    row = {"seed": seed, "sets": size, "kept": round(true, 6), "false": round(false, 6)}
    return row | {"seconds": round(seconds, 3)}


def main(name: str, minutes: float, blocks: int) -> None:
    if name == "levels":
        study("selection_levels", ("scenario",), [(scenario,) for scenario in SCENARIOS], blocks, minutes, level_block)
        return
    here = [*TRUTHS, *(SETS if "SPLITCRIT_DATA" in os.environ else ())]
    for methods, data_sets in ((METHODS, here), (["Boruta"], [*SETS])):
        if methods is METHODS or (importlib.util.find_spec("boruta") and "SPLITCRIT_DATA" in os.environ):
            cells = [(data, method) for data in data_sets for method in methods]
            study("selection_power", ("data", "method"), cells, blocks, minutes, power_block)


if __name__ == "__main__":
    command(main, __doc__, 20)
