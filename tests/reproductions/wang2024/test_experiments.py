"""The comparison of trees of wang2024: shapes and ranges of a quick run, and what a fit may look at."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import executed_page
from reproductions import Options, run
from reproductions.printed import printed
from reproductions.results import rows_of
from reproductions.wang2024 import cells, methods, samples, shapes, tables
from reproductions.wang2024.samples import AS_TABLES, SETS, Choices
from reproductions.wang2024.tables import EXPERIMENTS
from splitcrit import Table, gini_gain, gini_null
from splitcrit.columns import MEASURES

KEPT = Path(__file__).parents[3] / "docs" / "reproductions" / "wang2024"
LIKE_TABLE5 = ("table6", "table7_8", "ablation")
BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}


def node(rng, d=4, n=60, classes=3):
    """Tables of the features of one node."""
    y = rng.integers(0, classes, n)
    found = [Table.of(np.where(rng.random(n) < 0.4, y, rng.integers(0, 3 + 2 * f, n)), y).integers() for f in range(d)]
    return [np.array(t) for t in found]


def test_one_permutation_at_a_node_averages_to_all_of_them():
    tables = node(np.random.default_rng(0))
    draws = np.array([methods.NodeAIR(seed)(tables) for seed in range(2000)])
    exact = methods.NodeLessMean()(tables)
    assert np.all(np.abs(draws.mean(axis=0) - exact) < 5 * draws.std(axis=0) / np.sqrt(len(draws)))
    assert draws.std(axis=0).min() > 0
    np.testing.assert_array_equal(methods.NodeAIR(3)(tables), draws[3])


def test_the_gain_less_its_mean_is_that_of_the_formula():
    tables = node(np.random.default_rng(0))
    means = [gini_null(*(table.sum(axis=axis) for axis in (1, 0))).mean for table in tables]
    expected = [gini_gain(table) - mean for table, mean in zip(tables, means, strict=True)]
    np.testing.assert_allclose(methods.NodeLessMean()(tables), expected, rtol=1e-12)


def test_the_normal_pvalue_of_a_node_nears_its_limit_and_shares_its_spread():
    """Of many permutations the law has the exact mean, and the larger of the exact spread and that of all features."""
    tables = [*node(np.random.default_rng(1)), np.array([[5, 5, 4], [6, 4, 5]])]
    laws = [gini_null(*(table.sum(axis=axis) for axis in (1, 0))) for table in tables]
    spreads = np.sqrt([law.variance for law in laws])
    above = np.array([gini_gain(table) - law.mean for table, law in zip(tables, laws, strict=True)])
    z = above / np.maximum(spreads, spreads.mean())
    found = methods.NodePIMP(4000)(tables)
    np.testing.assert_allclose(found, -stats.norm.logsf(z), rtol=0.1, atol=0.02)
    assert spreads[0] < spreads.mean() and found[0] < 0.9 * -stats.norm.logsf(above[0] / spreads[0])
    assert methods.NodePIMP(4000)(tables).tolist() == found.tolist() != methods.NodePIMP(3999)(tables).tolist()
    still = [np.array([[3, 4]]), np.array([[3, 2], [0, 1]])]  # whose gains are those of every order of the labels
    assert methods.NodePIMP(100)(still).tolist() == [0.0, 0.0]


def test_the_gamma_pvalue_of_a_node_is_near_the_exact_one():
    tables = node(np.random.default_rng(1))
    exact = [MEASURES["pvalue"](table) for table in tables]
    np.testing.assert_allclose(methods.NodePValue()(tables), exact, rtol=0.1, atol=0.02)
    assert methods.NodePValue()([np.array([[3, 4]]), np.array([[1, 2], [2, 2]])])[0] == 0.0


def test_perturbed_values_stay_in_their_part_and_column():
    rng = np.random.default_rng(2)
    x = rng.integers(1, 9, (100, 3))
    parts = np.arange(0, 50), np.arange(50, 70), np.arange(70, 100)
    noisy = samples.perturbed(x, parts, rng)
    for part in parts:
        np.testing.assert_array_equal(np.sort(noisy[part], axis=0), np.sort(x[part], axis=0))
        assert (noisy[part] != x[part]).sum(axis=0).max() <= round(samples.NOISE * len(part))
    assert (noisy != x).any(axis=0).all()


def test_noisy_copies_have_values_from_the_largest_on_in_their_share_of_rows():
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.permutation(np.arange(200) % r + 1) for r in (2, 5, 9)])
    noisy = samples.noisy_copies(x, rng)
    for before, after in zip(x.T, noisy.T, strict=True):
        assert after[after != before].min() >= before.max()
        assert after.max() <= samples.FARTHEST * before.max()
        assert 0 < (after != before).sum() <= round(samples.NOISE * len(x))


@pytest.mark.each_value
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
    for criterion in list(methods.METHODS.values())[::2]:
        a, b = (methods.measured(s, criterion) for s in (sample, other))
        for column in ("nodes per layer", "depth", "minnum", "noise ratio"):
            assert a[column] == b[column]
        one, two = (methods.fitted(s, criterion, AS_TABLES, s.grow).tree_ for s in (sample, other))
        np.testing.assert_array_equal(one.counts, two.counts)
        np.testing.assert_array_equal(one.feature, two.feature)


def test_parts_are_apart_and_whole(data):
    sample = samples.sample_of("zoo", data, "copies", np.random.default_rng(7), np.random.default_rng(8))
    rows = np.concatenate([sample.grow, sample.choose, sample.test])
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(sample.y)))
    assert sample.x.shape[1] == 2 * sample.real
    assert sample.x.min() >= 1


def drawn(data, name, noise="none", choices=AS_TABLES):
    return samples.sample_of(name, data, noise, np.random.default_rng(7), np.random.default_rng(8), choices)


def test_noise_reaches_test_rows_only_where_it_is_asked_for(data):
    plain = drawn(data, "bupa_liver")
    for everywhere in (False, True):
        noisy = drawn(data, "bupa_liver", "perturbed", Choices(noise_everywhere=everywhere))
        for rows in (plain.grow, plain.choose):
            assert (noisy.x[rows] != plain.x[rows]).any(axis=0).all()
        assert (noisy.x[plain.test] != plain.x[plain.test]).any() == everywhere


def test_intervals_from_all_rows_look_at_test_labels(data, monkeypatch):
    def coded(choices):
        return drawn(data, "bupa_liver", choices=choices).x

    leak, known = Choices(intervals_everywhere=True), samples.loaded("bupa_liver", data)
    test = drawn(data, "bupa_liver").test
    before = coded(AS_TABLES), coded(leak)
    y = known.y.copy()
    y[test] = np.random.default_rng(6).permutation(y[test])
    monkeypatch.setattr(samples, "loaded", lambda *_: replace(known, y=y))
    assert np.array_equal(coded(AS_TABLES), before[0]) and not np.array_equal(coded(leak), before[1])


def test_rows_are_split_by_class_where_asked_for(data):
    sample = drawn(data, "libras", choices=Choices(by_class=True))
    for rows, share in ((sample.test, 0.3), (sample.grow, 0.7 * 0.7)):
        counts = np.bincount(sample.y[rows])
        assert counts.max() - counts.min() <= 1 and len(rows) == pytest.approx(share * len(sample.y), abs=1)


def test_a_threshold_merges_further(data):
    plain, merged = (drawn(data, "libras", choices=c).x.max(axis=0) for c in (AS_TABLES, Choices(significance=0.05)))
    assert (merged <= plain).all() and (merged < plain).any()


def test_what_an_unseen_value_is_predicted_as(data):
    sample = drawn(data, "libras")
    x, truth = sample.x[sample.test], sample.y[sample.test]
    rights = {}
    for unseen in ("child", "stop", "wrong"):
        choices = Choices(unseen=unseen)
        tree = methods.fitted(sample, methods.METHODS["SGini"], choices, sample.grow)
        rights[unseen] = methods.predicted(tree, x, choices) == truth
        ended = tree.tree_.inner[tree.apply(x)]
        assert ended.any() == (unseen != "child")
        assert unseen != "wrong" or not rights["wrong"][ended].any()
    assert rights["wrong"].sum() < rights["stop"].sum()
    np.testing.assert_array_equal(rights["wrong"] & rights["stop"], rights["wrong"])


def test_the_chosen_minnum_is_the_first_or_the_last_of_the_best(data):
    sample = drawn(data, "zoo")
    grown = methods.fitted(sample, methods.METHODS["SGini"], AS_TABLES, sample.grow)
    trees = [grown.truncated(n) for n in methods.MINNUM]
    x, truth = sample.x[sample.choose], sample.y[sample.choose]
    rights = [int((tree.predict(x) == truth).sum()) for tree in trees]
    best = [i for i, right in enumerate(rights) if right == max(rights)]
    assert len(best) > 1
    assert methods.chosen(sample, trees, AS_TABLES) == best[0]
    assert methods.chosen(sample, trees, Choices(largest=True)) == best[-1]


def test_a_tree_grown_again_has_the_validation_rows_too(data, monkeypatch):
    sample, grown = drawn(data, "zoo"), []
    fit = methods.fitted
    monkeypatch.setattr(methods, "fitted", lambda *given: grown.append(given[-1]) or fit(*given))
    methods.measured(sample, methods.METHODS["Gini"], Choices(refit=True))
    assert [len(rows) for rows in grown] == [len(sample.grow), len(sample.grow) + len(sample.choose)]


def recorded(name):
    """The rows of the first split of zoo."""
    return [r for r in executed_page.rows(KEPT / f"{name}.csv") if (r["set"], r["split"]) == ("zoo", "0")]


@pytest.mark.parametrize("name", ["table5", *(pytest.param(n, marks=pytest.mark.slow) for n in LIKE_TABLE5)])
def test_what_is_recorded_comes_out_again(data, tmp_path, name):
    known = recorded(name)
    run(BY_NAME[name], Options(tmp_path, data, sets=("zoo",), repeats=1), show=False)
    again = executed_page.rows(tmp_path / f"{name}.csv")
    assert len(again) == len(known) > 0
    for new, old in zip(again, known, strict=True):
        later = {"fit seconds", "all nodes per layer"}  # the second is kept of rows made since it is measured
        assert all(new[key] == old[key] for key in old if key not in later)


def test_variants_have_the_samples_of_the_tables(data, tmp_path):
    variants, options = BY_NAME["variants"], Options(tmp_path, data, sets=("zoo",), repeats=1)
    asked = {"choice": "as in the tables", "noise": "none"}
    (task,) = (task for task in variants.tasks(options) if asked.items() <= task.items())
    found = {row["method"]: row["accuracy"] for row in variants.work(task, options, np.random.default_rng(0))}
    known = {r["method"]: float(r["accuracy"]) for r in recorded("table5") if r["method"] != "PIMP"}
    assert list(found) == list(tables.FIVE) and found == known


def made_rows():
    """Three methods on two sets: SGini best on one, worst on the other."""
    rng = np.random.default_rng(9)
    levels = {"zoo": {"SGini": 0.9, "AIR": 0.8, "Gini": 0.7}, "musk1": {"SGini": 0.5, "AIR": 0.6, "Gini": 0.7}}
    return [
        {"set": one, "noise": "none", "split": split, "method": method, "objects": 1, "attributes": 1, "classes": 1,
         "accuracy": level + 0.01 * rng.random()}
        for one, order in levels.items() for split in range(6) for method, level in order.items()
    ]  # fmt: skip


def test_ranks_and_wins_by_hand():
    found = cells.cells_of("table5", made_rows())
    ranks = {r["method"]: r["rank"] for r in cells.ranks_of(found)}
    assert ranks == {"SGini": 2.0, "AIR": 2.0, "Gini": 2.0}
    wins = {r["method"]: r for r in cells.wins_of(found)}
    assert [(wins[m]["better"], wins[m]["worse"]) for m in ("SGini", "AIR", "Gini")] == [(2, 2)] * 3
    assert all(w["difference as printed"] == 2 * w["better"] - 2 * 3 for w in wins.values())
    against = {(c["set"], c["method"]): c["p SGini better"] for c in found if c["mean"] is not None}
    assert against["zoo", "Gini"] == 0.5**6
    assert against["musk1", "Gini"] == 1.0


def test_differences_and_their_standard_errors_by_hand():
    found = {(c["measure"], c["set"], c["method"]): c for c in cells.cells_of("table5", made_rows())}
    ours = [row["accuracy"] for row in made_rows() if (row["set"], row["method"]) == ("zoo", "Gini")]
    asked = {"measure": "accuracy", "set": "7", "method": "Gini"}
    (shown,) = [row for row in printed("wang2024_table5") if asked.items() <= row.items()]
    cell = found["accuracy", "zoo", "Gini"]
    assert cell["difference"] == pytest.approx(np.mean(ours) - float(shown["mean"]), rel=1e-12)
    expected = np.sqrt(np.var(ours, ddof=1) / 6 + float(shown["sd"]) ** 2 / 50)
    assert cell["standard error"] == pytest.approx(expected, rel=1e-12)
    absent = found["accuracy", "zoo", "PIMP"]
    assert absent["mean"] is None and absent["printed"] == 0.69 and absent["difference"] is None


def test_both_definitions_of_nodes_per_layer_stand_beside_the_same_printed_cells():
    made = [row | {"nodes per layer": 2.0, "all nodes per layer": 6.0} for row in made_rows()]
    found = {(c["measure"], c["set"], c["method"]): c["printed"] for c in cells.cells_of("table5", made)}
    for one, method in (("zoo", "SGini"), ("musk1", "Gini")):
        assert found["nodes per layer", one, method] == found["all nodes per layer", one, method] > 1


def test_tables_are_tried_at_every_size_of_the_paper():
    assert tuple(range(1, 21)) == methods.MINNUM  # wang2024, Section 5.2


# Table 4 of wang2024 beside the data, counted plainly from the files.

(TABLE4,) = shapes.EXPERIMENTS
FOUR = ("bupa_liver", "zoo", "libras", "balance_scale")


@pytest.fixture(scope="module")
def found(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("shapes")
    run(TABLE4, Options(folder, data, sets=FOUR), show=False)
    return rows_of(folder / "table4.csv")


@pytest.mark.parametrize("name", FOUR)
def test_counts_of_the_data_are_those_of_the_file(found, data, name):
    lines = [[*row.values()] for row in executed_page.rows(data / f"{name}.csv")]
    of_data = [row for row in found if row["set"] == name and row["counted"] in (None, "data")]
    at = {row["measure"]: row["ours"] for row in of_data}
    classes = Counter(line[-1] for line in lines)
    values = [len({float(line[f]) for line in lines}) for f in range(len(lines[0]) - 1)]
    assert at["objects"] == len(lines) and at["attributes"] == len(lines[0]) - 1 and at["classes"] == len(classes)
    assert at["smallest class %"] == pytest.approx(100 * min(classes.values()) / len(lines))
    assert at["largest class %"] == pytest.approx(100 * max(classes.values()) / len(lines))
    assert (at["fewest values"], at["most values"]) == (min(values), max(values))


def test_a_number_of_intervals_leaves_no_fewer_than_a_threshold_does(found):
    at = {(r["set"], r["measure"], r["counted"]): r["ours"] for r in found}
    for name in ("bupa_liver", "libras"):
        for measure in ("fewest values", "most values"):
            assert at[name, measure, "threshold"] <= at[name, measure, "intervals"] <= 50
        assert at[name, "most values", "threshold"] < at[name, "most values", "intervals"]
        assert at[name, "fewest values", "intervals"] >= 2


def test_agreement_is_to_the_printed_digits():
    assert shapes.agrees({"ours": 34.477, "printed": 34.48}) and not shapes.agrees({"ours": 34.49, "printed": 34.48})


def test_every_set_of_table_4_has_a_task(tmp_path):
    assert tuple(task["set"] for task in TABLE4.tasks(Options(tmp_path))) == SETS
