"""Rankings by p-values: what they rest on, that nothing depends on the order of columns, and how they show."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from math import comb
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import oracles
from refusals import refused
from splitcrit import Tables, rank_features
from splitcrit.columns import Ranking, log_rank
from splitcrit.columns.column_tests import HOPELESS, LabelledRows, column_test
from splitcrit.data import sources
from splitcrit.nulls import selected_tail
from splitcrit.nulls.exact import rarest


def by_name(found: Ranking) -> dict[str, tuple[Any, ...]]:
    return {str(f.name): (f.score, f.p, f.p_adjusted, f.method, f.cut, f.share) for f in found.features}


@pytest.mark.parametrize("n", [12, 16, 20])
@pytest.mark.parametrize("kind", ["mapping", "array", "csv"])
def test_a_number_that_separates_the_patients_is_found(tmp_path: Path, n: int, kind: str) -> None:
    x, y = np.arange(n), np.arange(n) >= n // 2
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True)))
    data: dict[str, Any] = {"mapping": {"x": x}, "array": x[:, None], "csv": tmp_path / "x.csv"}
    (found,) = rank_features(data[kind], "y" if kind == "csv" else y).features
    assert found.kind == "number" and found.p == pytest.approx(4 / comb(n, n // 2), rel=1e-12)
    assert found.method == "exact" and found.share == found.difference == 1 and found.cut == f"<= {n / 2 - 0.5:g}"


def test_five_hundred_columns_of_noise_are_five_hundred() -> None:
    rng = np.random.default_rng(0)
    found = rank_features(rng.normal(size=(100, 500)), rng.integers(0, 2, 100))
    best = found.features[0]
    assert best.p is not None and best.p < 0.02
    assert best.p_adjusted == pytest.approx(min(1, 500 * best.p)) and best.p_adjusted > 0.5
    assert "=> adjusted: the p to read; p corrected for 500 columns (Holm)" in str(found)
    assert "and 450 more columns; --top 0, or text(top=None), shows all." in str(found)


def test_adjusted_pvalues_are_those_of_holm() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 90)
    found = rank_features(rng.normal(size=(90, 7)) + np.linspace(0, 1, 7) * y[:, None], y)
    p, adjusted = np.array([(f.p, f.p_adjusted) for f in found.features]).T
    assert (np.diff(p) >= 0).all() and 0.01 < adjusted[3] < 1
    assert adjusted == pytest.approx(np.maximum.accumulate(np.minimum(p * np.arange(7, 0, -1), 1)), rel=1e-12)


@pytest.mark.parametrize("length", [1, 12, 40, 70])
@pytest.mark.parametrize("measure", [None, "sgini"])
def test_a_table_fits_eighty_characters_and_one_p_is_marked(length: int, measure: str | None) -> None:
    """Names that share long starts stay apart by their ends, and the wide table has every part of all of them."""
    rng = np.random.default_rng(length)
    y = rng.integers(0, 2, 90)
    names = [f"{'long' * length}"[:length] + f" {i}" for i in range(30)]
    data = {name: rng.normal(size=90) * 10.0 ** rng.integers(-9, 9) + y * (i < 4) for i, name in enumerate(names)}
    data["word"] = rng.choice(list("abc"), 90)
    data["gap"] = np.where(rng.random(90) < 0.3, np.nan, y)
    found = rank_features(data, y, measure=measure, limit=1e-6)
    head, *rows = found.text(top=None).partition("\n\n")[0].split("\n")
    assert len(rows) == 32 and max(map(len, (head, *rows))) <= 80
    legend = (line for wide in (False, True) for line in found.text(wide=wide).split("\n\n", 1)[1].split("\n"))
    assert max(len(line) for line in legend if line not in found.remarks) <= 80
    assert len({row.split("  ")[0] for row in rows}) == 32
    assert head.count("=>") == (measure is None) and head.endswith("score" if measure else "  => adjusted")
    wide, *every = found.text(wide=True, top=None).partition("\n\n")[0].split("\n")
    assert "values" in wide and (measure is not None or wide.rstrip().endswith("method"))
    assert all(any(name in row for row in every) for name in data)


def test_columns_below_the_top_are_told_with_how_many_pass() -> None:
    y = np.arange(60) % 2
    found = rank_features({f"x{i}": y + np.arange(60) // 20 / 9 for i in range(7)}, y)
    text = found.text(top=2)
    assert "and 5 more columns, 5 of them adjusted up to 0.05; --top 0, or text(top=None), shows all." in text
    assert len(text.partition("\n\n")[0].split("\n")) == 3 and "more column" not in found.text(top=None)


def test_few_numbers_have_an_order_unless_they_are_named_categories() -> None:
    rng = np.random.default_rng(5)
    grade, y = rng.integers(1, 5, 200), rng.integers(0, 2, 200)
    y = np.where(rng.random(200) < 0.5, grade > 2, y)
    ordered, named = rank_features({"grade": grade}, y), rank_features({"grade": grade}, y, categorical=["grade"])
    assert (ordered.features[0].kind, named.features[0].kind) == ("number", "category")
    assert ordered.features[0].cut == "<= 2.5" and named.features[0].cut == ""
    codes = {"code": np.arange(3000) % 1500, "x": np.arange(3000)}
    many = rank_features(codes, np.arange(3000) % 2, categorical=["code"])
    assert many.columns["code"].values == 1500 and many.columns["code"].bins == 0
    order = pd.Series(pd.Categorical(["low", "mid", "high"] * 20, categories=["low", "mid", "high"], ordered=True))
    of_order = rank_features(pd.DataFrame({"size": order}), order == "high").features[0]
    assert (of_order.kind, of_order.cut, of_order.share) == ("ordered", "<= mid", pytest.approx(1.0))


def test_equal_pvalues_are_in_the_order_of_scores_and_then_of_names() -> None:
    y = np.arange(40) % 2
    x = {"b": np.ones(40), "a": np.ones(40), "c": y}
    assert [f.name for f in rank_features(x, y).features] == ["c", "a", "b"]
    assert [f.name for f in rank_features(x, y, measure="gini").features] == ["c", "a", "b"]
    ids = {"one": [f"u{i}" for i in range(40)], "two": np.ones(40), "three": y}  # p = 1 both
    assert [f.name for f in rank_features(ids, y).features] == ["three", "one", "two"]


@pytest.mark.parametrize("source", ["csv", "parquet"])
def test_a_target_of_numbers_is_ranked_by_its_variance(tmp_path, monkeypatch, source: str) -> None:
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"size": rng.normal(size=400), "noise": rng.normal(size=400), "word": rng.choice(list("ab"), 400)})
    x["price"] = 3 * x["size"] + 2 * (x["word"] == "a") + rng.normal(size=400)
    x.loc[::11, "noise"] = np.nan
    found = rank_features(x, "price")
    assert [f.name for f in found.features] == ["size", "word", "noise"]
    assert found.target == "price, numbers" and found.features[0].p < 1e-20 and found.features[2].p > 0.02
    cut = float(found.features[0].cut.removeprefix("<= "))
    left, right = (x["price"][side] for side in (x["size"] <= cut, x["size"] > cut))
    within = len(left) * left.var(ddof=0) + len(right) * right.var(ddof=0)
    assert found.features[0].share == pytest.approx(1 - within / (400 * x["price"].var(ddof=0)), rel=1e-9)
    path = tmp_path / f"rows.{source}"
    x.to_csv(path, index=False) if source == "csv" else x.to_parquet(path)
    held = rank_features(path, "price")
    assert [f.p for f in held.features] == [f.p for f in found.features]
    monkeypatch.setattr(sources, "HELD", 0)
    parts = rank_features(path, "price")
    assert [f.name for f in parts.features] == ["size", "word", "noise"]
    assert parts.features[0].p < 1e-20 and parts.features[0].method == "evidence"
    assert any("cut into 8 classes at quantiles" in line for line in parts.remarks)
    assert parts.features[0].share == pytest.approx(found.features[0].share, abs=0.1)


@pytest.mark.parametrize("target", ["class", "number"])
@pytest.mark.parametrize("held", [0, 2**28, None])
def test_rows_without_a_target_are_left_out_and_counted(tmp_path, monkeypatch, target: str, held: int | None) -> None:
    """The ranking is that of the other rows, in memory, of a file and of one that is read in parts."""
    rng = np.random.default_rng(5)
    z = rng.normal(size=200)
    y = pd.Series(np.where(z > 0, "high", "low") if target == "class" else z.round(3), dtype=object)
    x = pd.DataFrame({"x": z + rng.normal(size=200), "gap": np.where(rng.random(200) < 0.2, np.nan, z), "word": y})
    x["word"] = rng.choice(list("abc"), 200)
    x["y"] = y.where(np.arange(200) % 7 > 0, None)
    kept = x.dropna(subset="y")
    data: dict[str, Any] = {"all": x, "kept": kept}
    if held is not None:
        monkeypatch.setattr(sources, "HELD", held)
        for name, frame in data.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
        data = {name: tmp_path / f"{name}.csv" for name in data}
    found, of_kept = rank_features(data["all"], "y"), rank_features(data["kept"], "y")
    assert by_name(found) == by_name(of_kept) and found.rows == of_kept.rows == len(kept)
    assert found.remarks[-len(of_kept.remarks) - 1 :] != of_kept.remarks
    assert "left out, without a target: 29 rows." in found.remarks and not any("29" in r for r in of_kept.remarks)


def test_a_sparse_matrix_stays_sparse() -> None:
    rng = np.random.default_rng(0)
    x = scipy.sparse.random(4000, 200, 0.002, format="csr", random_state=1)
    y = rng.integers(0, 2, 4000)
    rank_features(x[:, :3], y)
    tracemalloc.start()
    found = rank_features(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.listed) == 200 and peak < 4000 * 200 * 8  # the matrix made dense once
    refused("y has one entry for each of 4000 rows; got 9 entries", rank_features, x, y[:9])


def test_classes_may_be_taken_for_numbers_and_numbers_for_classes() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    x = {"x": y + rng.normal(size=60)}
    assert rank_features(x, y).target.startswith("the label, classes")
    assert rank_features(x, y, response="numbers").target == "the label, numbers"
    refused("a label is a class; got numbers such as", rank_features, x, y + 0.5, response="classes")
    refused("must hold only numbers", rank_features, x, list("abc") * 20, response="numbers")


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ({"x": [1, 2, 3]}, ["a"] * 3, "a target of at least two classes; got only 'a' in 'the label'; choose another"),
        ({"x": [1, 2, 3]}, [1.5] * 3, "a target of at least two classes; got only one value"),
        ({"x": [1, 2]}, ["a", "b"], "at least 3 rows; got 2"),
        ({"x": [1, 1, 1], "z": [2, 2, 2]}, ["a", "b", "b"], "at least two values; got 2 columns, all constant"),
        ({"x": [1, 1, 1]}, [0.5, 1.5, 2.5], "at least two values; got 1 column, all constant"),
        ({"x": [1, 2, 3]}, [0.5, None, 2.5], "at least 3 rows; got 2"),
        ({"x": [1, 2, 3]}, [0.5, np.inf, 2.5], "a numeric target must be finite; got inf"),
        ({"x": [1, 2, 3] * 70}, [10**400 * i for i in range(210)], "a numeric target must fit a float; got larger"),
    ],
)
def test_what_cannot_be_ranked_is_said_in_one_sentence(x: Any, y: Any, said: str) -> None:
    refused(said, rank_features, x, y)


@pytest.mark.parametrize("option", [{"bins": 4}, {"bins": None}])
def test_an_option_of_measures_without_one_is_refused(option: dict[str, Any]) -> None:
    x, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    said = "bins are for measures of tables; got no measure; pass measure='sgini'"
    for data in ((x, y), (Tables.of(x, y),), ([[[3, 3], [2, 2]]],)):
        refused(said, rank_features, *data, **option)
    refused("a measure is one of", rank_features, {"x": [1, 2, 3]}, [0, 1, 1], measure="ginni")
    refused("are for p-values of rows; got a measure", rank_features, x, y, measure="sgini", groups=y)
    refused("a feature is a column of the data; got 'z'", rank_features, {"x": x[:, 0]}, y, categorical=["z"])


def test_what_chance_does_not_explain_is_a_logarithm() -> None:
    n = 3000
    found = rank_features({"x": np.arange(n), "same": np.arange(n)}, np.arange(n) < n // 2)
    one = found.features[0]
    assert one.p == 0 and one.log_p < -2000 and "<1e-300" in str(found)


def test_a_ranking_is_a_frame_a_page_and_a_picture() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    found = rank_features({"x": rng.normal(size=80) + y, "word": rng.choice(list("ab"), 80)}, y)
    frame = found.to_frame()
    assert frame["feature"].tolist() == ["x", "word"] and {"p", "p_adjusted", "method", "share"} <= set(frame.columns)
    assert frame["p"].tolist() == [f.p for f in found.features]
    assert "<table" in found._repr_html_() and "adjusted" in found._repr_html_()
    ax = found.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "word"]
    assert [bar.get_width() for bar in ax.patches] == [f.share for f in found.features]
    plt.close("all")


def test_tables_are_ranked_as_they_were_read() -> None:
    rng = np.random.default_rng(0)
    x, y = {"x": rng.normal(size=60), "word": rng.choice(list("ab"), 60)}, rng.integers(0, 2, 60)
    tables = Tables.of(x, y, bins=1024)
    assert by_name(rank_features(tables)) == by_name(rank_features(x, y))
    sixteen = rank_features(x, y, measure="gini", bins=16)  # bins of measures, unless asked otherwise
    assert by_name(rank_features(x, y, measure="gini")) == by_name(sixteen)


def test_of_columns_with_p_one_the_larger_score_comes_first() -> None:
    rng = np.random.default_rng(0)
    found = rank_features(rng.normal(size=(80, 12)), rng.integers(0, 2, 80), limit=1e-6)
    equal = [f.score for f in found.features if f.p == 1]
    assert len(equal) > 3 and equal == sorted(equal, reverse=True)
    assert "interval" in {f.method for f in found.features}
    assert all(0 < f.p_least <= f.p for f in found.features if f.method == "interval")


@pytest.mark.parametrize("n", [40, 3000])
def test_a_ranking_stops_at_a_tenth_and_its_attributes_do_not(n: int) -> None:
    """Up to there nothing printed depends on it; beyond, what is printed is true of what is read."""
    rng = np.random.default_rng(n)
    y = rng.integers(0, 2, n)
    data = {f"x{i}": rng.normal(size=n) + y * i / (2 * n**0.5) for i in range(14)} | {
        "gap": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)), "tie": rng.integers(0, 4, n),
        "word": rng.choice(list("abc"), n), "same": np.ones(n),
    }  # fmt: skip
    found, every = rank_features(data, y), rank_features(data, y, exact=True)
    assert [f.name for f in found.features] == [f.name for f in every.features]
    read = {f.name: f for f in every.features}
    record = {f["feature"]: f for f in found.plain()["features"]}
    stopped = [name for name, f in record.items() if f["p"] == {"above": 0.1}]
    assert 3 < len(stopped) < len(record) - 3
    for f in found.features:
        own, other = vars(f), vars(read[f.name])
        assert {k: v for k, v in own.items() if k != "p_least"} == {k: v for k, v in other.items() if k != "p_least"}
        said = record[f.name]
        if f.name in stopped:
            assert f.p > 0.1 and said["log_p"] == {"above": math.log(0.1)}
            more = said["p_adjusted"]
            assert more == f.p_adjusted == 1 or more["above"] <= f.p_adjusted
        else:
            assert said["p"] == f.p and said["p_adjusted"] == f.p_adjusted and (f.p <= 0.1 or f.p == 1)
    assert "> 0.1" in str(found) and "> 0.1" not in str(every) and "above" not in str(every.plain())
    assert str(pickle.loads(pickle.dumps(found)).features) == str(every.features)


@pytest.mark.parametrize("texts", [["c"], ["b", "c"]])
def test_nothing_to_rank_is_a_mistake(texts: list[str]) -> None:
    """Whether columns are constant or have too many texts, none is left, and the sentence names what was found."""
    n = 70_000
    data = {"a": np.zeros(n)} | {name: [f"{name}{i}" for i in range(n)] for name in texts}
    y = np.arange(n) % 2
    for columns, got in ((data, "1 column, all constant and "), ({k: data[k] for k in texts}, "")):
        refused(f"two values; got {got}'[bc]'.* with more than 65536 texts; pass", rank_features, columns, y)


@pytest.mark.parametrize("start", [0, 2**53, 2**63, 10**30, 10**400])
def test_a_target_of_integers_of_any_size_is_ranked_as_the_same_from_0(tmp_path: Path, start: int) -> None:
    y, small = np.arange(60) % 2, 3 * (np.arange(60) % 2) + np.arange(60) % 4
    large = np.array([start + int(v) for v in small], dtype=object)
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(large, y, strict=True)))
    plain = rank_features({"x": small, "y": y}, "x", response="numbers")
    for source in ({"x": large, "y": y}, tmp_path / "x.csv"):
        found = rank_features(source, "x", response="numbers")
        assert [(f.p, f.share) for f in found.features] == [(f.p, f.share) for f in plain.features]
    assert plain.features[0].p is not None and plain.features[0].p < 1e-6


@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_a_score_is_the_gain_in_standard_deviations_of_its_cut_or_table(target: str) -> None:
    """Mean and standard deviation are those of 4,000 random orders, of the partition that was found, as if fixed."""
    rng = np.random.default_rng(12)
    z = rng.exponential(size=90)
    y = z if target == "numbers" else np.array(["low", "high"])[(z > 1).astype(int)]
    data = {"number": z + 2 * rng.normal(size=90), "word": rng.choice(list("abcd"), 90)}
    found = {f.name: f for f in rank_features(data, y, response=target).features}
    numbers = (z - z.mean()) / z.std() if target == "numbers" else (z > 1) - (z > 1).mean()
    cut = float(found["number"].cut.removeprefix("<= "))
    for name, codes in (("number", data["number"] > cut), ("word", data["word"])):
        _, places, sizes = np.unique(codes, return_inverse=True, return_counts=True)
        orders = rng.permuted(np.tile(numbers, (4000, 1)), axis=1)
        gains = sum(orders[:, places == i].sum(axis=1) ** 2 / m for i, m in enumerate(sizes)) / 90
        gains = gains * (1 if target == "numbers" else 2)
        feature = found[name]
        assert feature.null_mean is not None and feature.null_sd is not None and feature.gain is not None
        assert abs(feature.null_mean - gains.mean()) < 4 * gains.std() / 4000**0.5
        spread = ((gains - gains.mean()) ** 2).std() / 4000**0.5
        assert abs(feature.null_sd**2 - gains.var()) < 4 * spread
        assert feature.score == pytest.approx((feature.gain - feature.null_mean) / feature.null_sd, rel=1e-9)


def test_the_difference_at_the_best_cut_is_of_its_sides_and_categories_have_none() -> None:
    rng = np.random.default_rng(3)
    x, y = np.where(rng.random(90) < 0.2, np.nan, rng.normal(size=90).round(1)), rng.normal(size=90)
    for target in (y, np.where(y + np.nan_to_num(x) > 0, "b", "a")):
        found = {f.name: f for f in rank_features({"x": x, "w": rng.choice(list("pq"), 90)}, target).features}
        number, word = (found[name] for name in "xw")
        cut = float(number.cut.removeprefix("<= ").removesuffix(" or missing"))
        left = (x <= cut) | (np.isnan(x) & number.cut.endswith("missing"))
        told = target == "b" if target.dtype.kind == "U" else target
        assert number.difference == pytest.approx(told[~left].mean() - told[left].mean(), rel=1e-12)
        assert number.difference_low < number.difference < number.difference_high and word.difference is None


@pytest.mark.parametrize("case", range(20))
def test_no_table_is_rarer_than_the_least_p(case: int) -> None:
    rng = np.random.default_rng(case)
    r, k = 2 + case % 2, 2 + case % 3
    sizes = 1 + rng.multinomial(int(rng.integers(3, 9)), np.ones(r) / r)
    totals = 1 + rng.multinomial(int(sizes.sum()) - k, np.ones(k) / k)
    ways = [number for _, number in oracles.tables(tuple(sizes.tolist()), tuple(totals.tolist()))]
    every = min(ways) / sum(ways)
    least = rarest(sizes, totals)
    assert every >= least * (1 - 1e-9) and (r * k > 4 or every == pytest.approx(least, rel=1e-9))


def test_a_column_that_cannot_pass_says_so_with_its_least_p() -> None:
    rng = np.random.default_rng(0)
    data = {f"x{i}": rng.normal(size=200) for i in range(9)} | {"once": np.arange(200) == 7}
    even = rank_features(data, np.arange(200) % 2)
    assert [s for s in even.remarks if "cannot pass" in s] == [HOPELESS.format("'once' (0.5)")]
    assert min(f.p for f in even.features if f.name == "once") >= 0.5
    told = [s for s in rank_features(data, rng.normal(size=200)).remarks if "cannot pass" in s]
    assert not told  # a number that stands alone may be the largest: 1/200, ten times


@pytest.mark.parametrize("n", [200, 800])
def test_a_column_that_decides_passes_among_a_thousand(n: int) -> None:
    """Of every kind and response; each cell has the least p that the labels allow, or one far below 5e-5."""
    place = np.random.default_rng(n).permutation(n)
    time = np.minimum(place, 7 * n // 10) + 1.0
    columns = {"number": (place, "cut"), "ordered": (place * 10 // n, "cut")}
    columns |= {f"{levels} categories": (place * levels // n, "table") for levels in (2, 10, 40)}
    survival = np.stack([time, place < 7 * n // 10], axis=1)
    scores = log_rank(survival)[:, None]
    labels = [LabelledRows(place * k // n) for k in (2, 5, 10)]
    labels += [LabelledRows(place[:, None] * 1.0), LabelledRows(np.tan(3 * (place / n - 0.5))[:, None])]
    labels.append(LabelledRows(scores, plain=False, survival=survival))
    for codes, question in columns.values():
        for rows in labels:
            found = column_test(rows.column(codes), rows.target, question=question)
            assert 1000 * found.p <= 0.05, (question, found)


def test_a_cut_of_fifteen_standard_deviations_is_too_common_to_pass_among_a_thousand() -> None:
    """So no valid test by the best cut can do what one fixed cut does: its law is exact, and one cut passes."""
    for n in (200, 2000):
        least = selected_tail(15.0, n, n // 2)
        assert 1000 * least > 0.05 and 1000 * selected_tail(15.0, n, n // 2, cuts=[n // 2]) < 0.05
        assert 1000 * selected_tail(25.0, n, n // 2) < 0.05
