"""The comparison of trees of wang2024: shapes and ranges of a quick run, and what a fit may look at."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from splitcrit import Table
from splitcrit.experiments import Options, run
from splitcrit.experiments.wang2024 import cells, methods, page, samples
from splitcrit.experiments.wang2024.tables import EXPERIMENTS, PIMP_SETS, QUICK
from splitcrit.importance import MEASURES

BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}


def node(rng, d=4, n=60, classes=3):
    """Tables of the features of one node."""
    y = rng.integers(0, classes, n)
    found = [Table.of(np.where(rng.random(n) < 0.4, y, rng.integers(0, 3 + 2 * f, n)), y).integers() for f in range(d)]
    return [np.array(t) for t in found]


def test_one_permutation_at_a_node_averages_to_all_of_them():
    tables = node(np.random.default_rng(0))
    draws = np.array([methods.NodeAIR(seed)(tables) for seed in range(2000)])
    exact = MEASURES["air of all permutations"](tables)
    assert np.all(np.abs(draws.mean(axis=0) - exact) < 5 * draws.std(axis=0) / np.sqrt(len(draws)))
    assert draws.std(axis=0).min() > 0
    np.testing.assert_array_equal(methods.NodeAIR(3)(tables), draws[3])


def test_the_gamma_pvalue_of_a_node_is_near_the_exact_one():
    tables = node(np.random.default_rng(1))
    np.testing.assert_allclose(methods.NodePValue()(tables), MEASURES["pvalue"](tables), rtol=0.1, atol=0.02)
    still = [np.array([[3, 4]]), np.array([[1, 2], [2, 2]])]
    assert methods.NodePValue()(still)[0] == 0.0


def test_perturbed_values_stay_in_their_part_and_column():
    rng = np.random.default_rng(2)
    x = rng.integers(1, 9, (100, 3))
    parts = np.arange(0, 50), np.arange(50, 70), np.arange(70, 100)
    noisy = samples.perturbed(x, parts, rng)
    for part in parts:
        np.testing.assert_array_equal(np.sort(noisy[part], axis=0), np.sort(x[part], axis=0))
        changed = (noisy[part] != x[part]).sum(axis=0)
        assert changed.max() <= round(samples.NOISE * len(part))
    assert (noisy != x).any(axis=0).all()


def test_noisy_copies_have_values_from_the_largest_on_in_their_share_of_rows():
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.permutation(np.arange(200) % r + 1) for r in (2, 5, 9)])
    noisy = samples.noisy_copies(x, rng)
    for before, after in zip(x.T, noisy.T, strict=True):
        assert after[after != before].min() >= before.max()
        assert after.max() <= samples.FARTHEST * before.max()
        assert 0 < (after != before).sum() <= round(samples.NOISE * len(x))


@pytest.mark.parametrize("noise", ["none", "perturbed", "copies"])
@pytest.mark.parametrize("name", ["bupa_liver", "zoo"])
def test_test_labels_change_no_tree_and_no_choice(data, monkeypatch, name, noise):
    def made():
        return samples.sample_of(name, data, noise, np.random.default_rng(4), np.random.default_rng(5))

    sample, known = made(), samples.loaded(name, data)
    y = known.y.copy()
    y[sample.test] = np.random.default_rng(6).permutation(y[sample.test])
    assert (y != known.y).any()
    monkeypatch.setattr(samples, "loaded", lambda *_: replace(known, y=y))
    other = made()
    np.testing.assert_array_equal(sample.x, other.x)
    for criterion in methods.METHODS.values():
        a, b = (methods.measured(s, criterion) for s in (sample, other))
        for column in ("nodes per layer", "depth", "minnum", "noise ratio"):
            assert a[column] == b[column]
        one, two = (methods.fitted(s, criterion).tree_ for s in (sample, other))
        np.testing.assert_array_equal(one.counts, two.counts)
        np.testing.assert_array_equal(one.feature, two.feature)


def test_parts_are_apart_and_whole(data):
    sample = samples.sample_of("zoo", data, "copies", np.random.default_rng(7), np.random.default_rng(8))
    rows = np.concatenate([sample.grow, sample.choose, sample.test])
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(sample.y)))
    assert sample.x.shape[1] == 2 * sample.real
    assert sample.x.min() >= 1


@pytest.mark.parametrize("name", list(BY_NAME))
def test_a_quick_run_has_every_row_in_range(data, tmp_path, name):
    run(BY_NAME[name], Options(tmp_path, data, quick=True), show=False)
    with (tmp_path / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    compared = methods.ABLATION if name == "ablation" else methods.METHODS
    several = {"ablation": 5, "table7_8": 5}.get(name, 6)
    noises = {row["noise"] for row in rows}
    assert len(rows) == len(QUICK) * 2 * several * len(noises)
    assert {row["set"] for row in rows} == set(QUICK) <= set(PIMP_SETS)
    assert {row["method"] for row in rows} <= set(compared)
    for row in rows:
        each = [float(row[f"accuracy at {number}"]) for number in methods.MINNUM]
        assert float(row["accuracy"]) == each[int(row["minnum"]) - 1]
        assert 0 <= min(each) <= max(each) <= 1
        assert -1 <= float(row["pure accuracy"]) <= float(row["accuracy"])
        assert int(row["depth"]) > 0 < float(row["nodes per layer"])
        assert (row["noise ratio"] == "") == (row["noise"] != "copies")
        assert row["noise ratio"] == "" or 0 <= float(row["noise ratio"]) <= 1
    for noise in noises:
        assert (tmp_path / f"{name}_minnum_{noise}.png").stat().st_size > 0


def made_rows():
    """Three methods on two sets: SGini best on one, worst on the other."""
    rng, rows = np.random.default_rng(9), []
    for one, order in (
        ("zoo", {"SGini": 0.9, "AIR": 0.8, "Gini": 0.7}),
        ("musk1", {"SGini": 0.5, "AIR": 0.6, "Gini": 0.7}),
    ):
        for split in range(6):
            for method, level in order.items():
                row = {"set": one, "noise": "none", "split": split, "method": method}
                shape = {"objects": 1, "attributes": 1, "classes": 1}
                rows.append(row | shape | {"accuracy": level + 0.01 * rng.random()})
    return rows


def test_ranks_and_wins_by_hand():
    found = cells.cells_of("table5", made_rows())
    ranks = {r["method"]: r["rank"] for r in cells.ranks_of("table5", found)}
    assert ranks == {"SGini": 2.0, "AIR": 2.0, "Gini": 2.0}
    wins = {r["method"]: r for r in cells.wins_of(found)}
    assert [(wins[m]["better"], wins[m]["worse"]) for m in ("SGini", "AIR", "Gini")] == [(2, 2)] * 3
    assert all(w["difference as printed"] == 2 * w["better"] - 2 * 3 for w in wins.values())
    against = {(c["set"], c["method"]): c["p SGini better"] for c in found if c["mean"] is not None}
    assert against["zoo", "Gini"] == 0.5**6
    assert against["musk1", "Gini"] == 1.0
    marks = {(c["set"], c["method"]): c["mark"] for c in found}
    assert marks["zoo", "PIMP"].startswith("not run here")
    assert "in Table 4 100" in marks["zoo", "Gini"]


def test_the_kept_page_is_what_the_kept_results_make():
    kept = Path(__file__).parents[3] / "docs" / "reproductions"
    assert page.page(kept / "wang2024") == (kept / "wang2024-tables.md").read_text()


def test_tables_are_tried_at_every_size_of_the_paper():
    assert tuple(range(1, 21)) == methods.MINNUM  # wang2024, Section 5.2
