"""The reproductions of wang2024 that need no data sets: Table 3, Figures 2 and 3, Section 3.1 and Table 9, in short."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

import executed_page
import oracles
from reproductions import Options, results, run
from reproductions.catalogue import experiments_of
from reproductions.wang2024 import bagged, cells, design, null, readings, tendency

PRINTED = Path(__file__).parents[3] / "docs" / "data" / "wang2024_table3.csv"


def rows_of(name, folder, **chosen):
    """The rows that a quick run leaves, and what it says; its files are all there."""
    (experiment,) = experiments_of("wang2024", (name,))
    said = run(experiment, Options(folder, quick=True, **chosen), show=False)
    rows = executed_page.rows(folder / f"{name}.csv")
    manifest = json.loads((folder / f"{name}.manifest.json").read_text())
    assert manifest["rows"] == len(rows) and all(int(row["seed"]) >= 0 for row in rows)
    assert not list(folder.glob(".*"))
    return rows, said


def by_enumeration(feature, label):
    """The gain of a feature and its mean and variance over all arrangements of the labels, in Fractions."""
    pairs = list(zip(feature, label, strict=True))
    table = [[pairs.count((value, k)) for k in sorted(set(label))] for value in sorted(set(feature))]
    law = oracles.table_law(tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True))))
    return oracles.gain(table), *oracles.moments(law)[:2]


def test_table_3_is_what_enumeration_gives_and_the_printed_cells_exchange_the_roles(tmp_path):
    rows, said = rows_of("table3", tmp_path)
    shown = {row["feature"]: row for row in executed_page.rows(PRINTED)}
    design = itertools.product(null.FEATURES, null.READINGS, ("Gini", "SGini"))
    assert {(r["feature"], r["reading"], r["measure"]) for r in rows} == set(design)
    for row in rows:
        pair = [list(null.FEATURES[row["feature"]]), list(null.LABELS)]
        gain, mean, variance = by_enumeration(*(pair if row["reading"] == null.READINGS[0] else pair[::-1]))
        if row["measure"] == "Gini":
            assert Fraction(row["exact"]) == gain and float(row["ours"]) == float(gain)
        else:
            assert row["exact"] == f"{gain - mean} / sqrt({variance})"
            assert float(row["ours"]) == pytest.approx(float(gain - mean) / float(variance) ** 0.5, rel=1e-14)
        printed = shown[row["feature"]][row["measure"]]
        assert float(row["printed"]) == float(printed)
        if row["reading"] == null.READINGS[1]:
            assert f"{float(row['ours']):.4f}" == printed
    assert "feature by class: 2 of 6" in said and "class by feature: 6 of 6" in said


def test_the_vectors_of_table_3_are_the_printed_ones():
    shown = {row["feature"]: [row[f"x{i}"] for i in range(1, 11)] for row in executed_page.rows(PRINTED)}
    assert "".join(shown.pop("Y")) == null.LABELS
    assert shown.keys() == null.FEATURES.keys()
    for feature, values in shown.items():
        first = {v: i for i, v in reversed(list(enumerate(values)))}
        ours = {v: i for i, v in reversed(list(enumerate(null.FEATURES[feature])))}
        assert [first[v] for v in values] == [ours[v] for v in null.FEATURES[feature]]


def test_permuted_cells_are_hypergeometric(tmp_path):
    rows, said = rows_of("figure2", tmp_path)
    shares = np.array([float(row["observed"]) for row in rows])
    counts = np.array([int(row["count"]) for row in rows])
    assert shares.sum() == pytest.approx(1, rel=1e-12)
    apart = {law: null.distance(shares, [float(row[law]) for row in rows]) for law in null.LAWS}
    assert min(apart, key=apart.get) == null.LAWS[0] and all(0 < value < 0.25 for value in apart.values())
    mean, sd = 80.0, np.sqrt(400 * 0.2 * 0.8 * 600 / 999)  # of the hypergeometric law
    assert abs(shares @ counts - mean) < 5 * sd / np.sqrt(1000)
    assert all(law in said for law in null.LAWS)


def test_the_distance_counts_what_is_not_listed():
    assert null.distance([0.5, 0.5], [0.5, 0.25]) == 0.25
    assert null.distance([0.25, 0.75], [0.75, 0.25]) == 0.5


def test_figure_3_has_eight_panels_of_shares_and_the_known_directions(tmp_path):
    rows, said = rows_of("figure3", tmp_path)
    found = {(r["panel"], int(r["r2"]), r["chooser"]): float(r["first"]) for r in rows}
    assert set(found) == set(itertools.product("abcdefgh", (3, 10, 25, 50), tendency.CHOOSERS))
    assert all(0 <= share <= 1 for share in found.values())
    assert found["c", 50, "SGini"] == found["c", 50, "Gini"] == 0
    assert found["f", 50, "Gini"] == 0 < found["f", 50, "SGini"]
    assert found["h", 50, "predicts better"] == 0 < found["h", 50, "SGini"]
    assert "(h) p = 0.4, 0.3" in said
    gains = {(r["panel"], int(r["r2"])): float(r["population gain 2"]) for r in rows}
    assert gains["e", 3] < gains["e", 10] < gains["e", 25] < gains["e", 50]  # the same p, yet not the same information


def test_a_sampled_feature_has_the_law_it_is_judged_by():
    tables = tendency.sampled(0.5, 5, 4000, np.random.default_rng(0))
    assert (tables.sum(axis=1) == tendency.SIZES).all()
    law = tendency.population(0.5, 5)
    assert law.sum() == pytest.approx(1, rel=1e-15)
    assert law.sum(axis=0) == pytest.approx([0.3, 0.7], rel=1e-15)
    assert np.abs(tables.mean(axis=0) / 100 - law).max() < 0.005  # ten standard errors of the largest cell
    exact = [Fraction(3, 10) * (Fraction(v == 0, 2) + Fraction(1, 10)) for v in range(5)]
    assert law[:, 0] == pytest.approx([float(x) for x in exact], rel=1e-14)


def test_predictions_are_right_as_often_as_the_law_says():
    law = np.array([[0.2, 0.1], [0.1, 0.4], [0.1, 0.1]])
    tables = np.array([[[3, 1], [0, 2], [0, 0]], [[1, 1], [2, 1], [1, 0]]])
    assert tendency.predictive(tables, law) == pytest.approx([0.7, 0.3], rel=1e-15)
    assert tendency.chosen(np.array([1.0, 0.0, -1.0, 1e-15]), ties=0.5) == 0.5


def test_the_design_is_run_on_every_method_and_criterion(tmp_path):
    rows, said = rows_of("design", tmp_path)
    assert {(r["set"], r["criterion"], r["method"]) for r in rows} == set(
        itertools.product(design.QUICK, design.CRITERIA, design.METHODS)
    )
    for row in rows:
        assert 0.5 < float(row["accuracy"]) <= 1 and float(row["pure accuracy"]) <= float(row["accuracy"])
        assert float(row["nodes per layer"]) * int(row["depth"]) == pytest.approx(int(row["inner nodes"]), rel=1e-12)
        assert int(row["inner nodes"]) >= int(row["depth"]) >= 1 and float(row["seconds"]) > 0
    assert "clusters more accurate than binary (sgini): " in said


def test_table_9_has_its_five_measures_beside_the_printed_ones(tmp_path):
    rows, said = rows_of("table9", tmp_path)
    assert [r["method"] for r in rows] == list(bagged.METHODS)
    for row in rows:
        assert 0.5 < float(row["accuracy"]) <= 1 and float(row["pure accuracy"]) <= float(row["accuracy"])
        assert float(row["average node"]) > float(row["inner nodes"]) >= float(row["depth"]) >= 1
    assert said.endswith("of 1 sets")


def test_table_9_reads_features_from_a_file(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "some.npz"
    y = np.repeat([0, 1], 40)
    np.savez(path, X=rng.normal(size=(80, 3)) + 2 * y[:, None], y=y)
    rows, _ = rows_of("table9", tmp_path, sets=(str(path),))
    assert {r["set"] for r in rows} == {str(path)} and len(rows) == len(bagged.METHODS)
    np.savez(path, X=rng.normal(size=(80, 3)))
    with pytest.raises(ValueError, match=r"holds the arrays X \(n, d\) and y \(n,\); got no y; numpy.savez"):
        bagged.features_of(str(path), Options(tmp_path))


def test_a_bag_votes_by_its_trees():
    x, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 5), np.array(["a", "b", "a", "b"] * 5)
    bag = bagged.Bag("sgini", 7, 0).fit(x, y)
    assert bag.predict(x).tolist() == y.tolist() and len(bag.trees) == 7


def kept(name):
    return executed_page.rows(PRINTED.parents[1] / "reproductions" / "wang2024" / f"{name}.csv")


def mean_of(rows, name, criterion, method, measure="accuracy"):
    mine = [r for r in rows if (r["set"], r["criterion"], r["method"]) == (name, criterion, method)]
    return sum(float(r[measure]) for r in mine) / len(mine)


def test_claims_of_the_design_by_plain_counting():
    rows = kept("design")
    found = design.means(rows_of_results("design"), design.MEASURES, "set", design.named)
    said = {(c["first"], c["claim"], c["second"], c["criterion"]): (c["on"], c["sets"]) for c in design.claims(found)}
    for claim, measure, first, second, sign in design.CLAIMS:
        for criterion in ("gini", "sgini"):
            apart = [
                sign * (mean_of(rows, s, criterion, first, measure) - mean_of(rows, s, criterion, second, measure))
                for s in design.SETS
            ]
            assert said[first, claim, second, criterion] == (sum(x > 0 for x in apart), len(design.SETS))


def test_how_far_linkages_are_behind_binary_cuts_by_plain_counting():
    rows = kept("design")
    found = design.means(rows_of_results("design"), design.MEASURES, "set", design.named)["accuracy"]
    for linkage in ("clusters", "complete", "average"):
        apart = readings.behind(found, f"{linkage}, sgini", "binary, sgini")
        assert set(apart) == set(design.SETS)
        for name, points in apart.items():
            plain = mean_of(rows, name, "sgini", "binary") - mean_of(rows, name, "sgini", linkage)
            assert points == pytest.approx(100 * plain, abs=1e-9)


def rows_of_results(name):
    return results.rows_of(PRINTED.parents[1] / "reproductions" / "wang2024" / f"{name}.csv")


def test_best_means_of_the_tables_by_plain_counting():
    for name in ("table5", "table6", "table7_8"):
        means = {}
        for row in kept(name):
            if row["method"] != "PIMP":
                means.setdefault((row["set"], row["method"]), []).append(float(row["accuracy"]))
        means = {key: sum(values) / len(values) for key, values in means.items()}
        sets, methods = ({key[i] for key in means} for i in (0, 1))
        best = sum(all(means[s, "SGini"] >= means[s, m] - 1e-9 for m in methods) for s in sets)
        plain = [row for row in rows_of_results(name) if row["method"] != "PIMP"]
        (said,) = [v for v in cells.verdicts(cells.cells_of(name, plain)) if v["measure"] == "accuracy"]
        assert (said["best mean"], said["sets"]) == (best, 12)


# What is read off results of wang2024, recomputed plainly.


def cell(measure, mean, printed, error=0.01):
    apart = None if mean is None else mean - printed
    return {"measure": measure, "noise": "none", "set": "zoo", "method": "Gini", "mean": mean, "printed": printed,
            "difference": apart, "standard error": error}  # fmt: skip


def test_near_cells_are_counted_by_hand():
    cells = [cell("accuracy", *means) for means in ((0.5, 0.52), (0.5, 0.53), (0.5, 0.49), (None, 1))]
    (found,) = readings.nearness(cells)
    assert (found["cells"], found["within .02"], found["within two errors"]) == (3, 2, 2)
    assert found["median difference"] == pytest.approx(-0.02)


def test_ratios_of_both_definitions():
    both = {"nodes per layer": (1, 2, 9), "all nodes per layer": (4, 5, 6)}
    cells = [cell(measure, mean, 4.0) for measure, means in both.items() for mean in means]
    assert readings.ratios(cells) == {"nodes per layer": (0.5, 3), "all nodes per layer": (1.25, 3)}
    assert readings.ratios([])["nodes per layer"][1] == 0


@pytest.mark.parametrize(("guesses", "truth"), [("aab", "abb"), ("aaaa", "abac"), ("bbaa", "aaab")])
def test_implied_chance_is_what_pure_accuracy_takes_off(guesses, truth):
    right = np.mean([g == t for g, t in zip(guesses, truth, strict=True)])
    chance = sum(guesses.count(k) * truth.count(k) for k in "abc") / len(truth) ** 2
    pure = (right - chance) / (1 - chance)
    (found,) = readings.implied([cell("accuracy", 0, right), cell("pure accuracy", 0, pure)])
    assert found["least"] < chance < found["least"] + 0.05 and found["largest"] == 0.4
    exact = [cell("accuracy", 0, right + 0.005), cell("pure accuracy", 0, pure - 0.005)]
    assert readings.implied(exact)[0]["least"] == pytest.approx(chance)


def test_the_error_of_a_share_is_that_of_draws():
    (found,) = readings.implied([cell("accuracy", 0, 0.5), cell("pure accuracy", 0, 0.2)])  # of zoo: 40 of 100 rows
    rng = np.random.default_rng(5)
    drawn = [np.mean([rng.permutation(100)[:30] < 40 for _ in range(50)]) for _ in range(400)]
    assert found["error"] == pytest.approx(np.std(drawn), rel=0.15)


def made(levels, splits=4, **about):
    rng = np.random.default_rng(3)
    return [
        {"set": "zoo", "noise": "none", "split": s, "method": m, "accuracy": level + 0.05 * rng.random()} | about
        for s in range(splits)
        for m, level in levels.items()
    ]


def test_what_a_choice_moves_is_paired_by_split_and_method():
    main, varied = made({"Gini": 0.8, "SGini": 0.9}, 6), made({"Gini": 0.7, "SGini": 0.75}, choice="x")
    known = [cell("accuracy", 0, 0.6) | {"method": m} for m in ("Gini", "SGini")]
    (found,) = readings.moved(varied, main, known)
    changes = []
    for s in range(4):
        now, before = ([r["accuracy"] for r in rows if r["split"] == s] for rows in (varied, main))
        changes.append(100 * (sum(now) - sum(before)) / 2)
    ours = 100 * sum(r["accuracy"] for r in main if r["split"] < 4) / 8
    assert found["runs"] == 4 and found["ours"] == pytest.approx(ours) and found["printed"] == pytest.approx(60)
    assert found["change"] == pytest.approx(sum(changes) / 4)
    assert found["standard error"] == pytest.approx(np.std(changes, ddof=1) / 2)
    assert found["share"] == pytest.approx(sum(changes) / 4 / (60 - ours))


def test_runs_needed_find_a_point_as_often_as_they_should():
    rows = made({"SGini": 0.9, "Gini": 0.88, "AIR": 0.5}, 10)
    found = {f["rival"]: f for f in readings.against(rows)}
    assert set(found) == {"Gini", "AIR"}
    apart = [100 * (a["accuracy"] - b["accuracy"]) for a, b in zip(rows[0::3], rows[1::3], strict=True)]
    gini = found["Gini"]
    assert gini["mean"] == pytest.approx(np.mean(apart)) and gini["deviation"] == pytest.approx(np.std(apart, ddof=1))
    drawn = np.random.default_rng(4).normal(1.0, gini["deviation"], (20000, gini["runs needed"]))
    statistic = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(drawn.shape[1]))
    assert 0.78 < np.mean(np.abs(statistic) > student.isf(0.025, drawn.shape[1] - 1)) < 0.87


def test_points_behind_another_method():
    groups = {"a": {"x": 0.5, "y": 0.75}, "b": {"x": 0.5, "y": 0.25}}
    assert readings.behind(groups, "x", "y") == {"a": 25.0, "b": -25.0}
