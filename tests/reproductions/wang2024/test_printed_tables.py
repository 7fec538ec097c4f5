"""The printed Tables 3 to 9 of wang2024 in docs/data: the transcription against the paper's own sums.

A cell that disagrees with the rest of its table is not altered; `wang2024_findings.csv` lists it, and a test here finds
the same cells again.
"""

from itertools import permutations

import pytest

from reproductions.printed import printed
from splitcrit import Table, gini_gain, sgini

METHODS = {5: 6, 6: 6, 7: 5, 8: 5}  # table: how many methods it compares
RANKED = [(t, m) for t in (5, 6, 7) for m in ("accuracy", "pure accuracy", "nodes per layer")] + [(8, "noise ratio")]

Row = dict[str, str]


def cells(table: int, measure: str) -> dict[str, dict[str, Row]]:
    """The rows of one block of a table, by set, then by method, as printed."""
    found: dict[str, dict[str, Row]] = {}
    for row in printed(f"wang2024_table{table}"):
        if row["measure"] == measure:
            found.setdefault(row["set"], {})[row["method"]] = row
    return found


def findings(table: int, rule: str) -> set[tuple[str, str, str]]:
    """What is recorded as disagreeing: measure, set and method."""
    rows = [row for row in printed("wang2024_findings") if row["table"] == str(table) and row["rule"] == rule]
    return {(row["measure"], row["set"], row["method"]) for row in rows}


def orders(values: list[float], first: set[int]) -> list[tuple[int, ...]]:
    """The ranks 1, 2, ... that rounded values allow, ties in any order; the places `first` come before all others."""
    k = range(len(values))
    return [
        ranks
        for ranks in permutations(range(1, len(values) + 1))
        if all(ranks[i] <= len(first) for i in first)
        and all(ranks[i] < ranks[j] for i in k for j in k if values[i] < values[j])
    ]


def rank_sums(block: dict[str, dict[str, Row]], sign: int, by_bold: bool) -> set[tuple[int, ...]]:
    """Every tuple of rank sums over the sets that the rounded means, and the bold marks if asked, allow."""
    sums = {(0,) * len(block["1"])}
    for name, row in block.items():
        if name != "average rank":
            bold = {i for i, cell in enumerate(row.values()) if cell["bold"] == "1"}
            values = [sign * float(cell["mean"]) for cell in row.values()]
            allowed = orders(values, bold if by_bold else set())
            sums = {tuple(a + b for a, b in zip(s, o, strict=True)) for s in sums for o in allowed}
    return sums


@pytest.mark.each_value
@pytest.mark.parametrize(("table", "measure"), RANKED)
def test_average_ranks_follow_from_the_cells(table: int, measure: str) -> None:
    block, sign = cells(table, measure), -1 if "accuracy" in measure else 1
    average = [cell["mean"] for cell in block["average rank"].values()]
    sums = tuple(round(12 * float(x)) for x in average)
    assert [f"{s / 12:.{len(x.partition('.')[2])}f}" for s, x in zip(sums, average, strict=True)] == average
    assert sum(sums) == 12 * sum(range(1, METHODS[table] + 1))
    assert sums in rank_sums(block, sign, by_bold=False)
    by_bold = {(measure, "average rank", "SGini")} if sums not in rank_sums(block, sign, by_bold=True) else set()
    assert by_bold == {cell for cell in findings(table, "bold") if cell[0] == measure}


@pytest.mark.parametrize("table", [5, 6, 7, 9])
def test_pure_accuracy_is_never_above_accuracy(table: int) -> None:
    plain, pure = cells(table, "accuracy"), cells(table, "pure accuracy")
    above = {
        ("pure accuracy", name, method)
        for name, row in plain.items()
        for method, cell in row.items()
        if name != "average rank" and float(pure[name][method]["mean"]) > float(cell["mean"])
    }
    assert above == findings(table, "pure accuracy above accuracy")


def test_the_finding_of_table_5_is_a_header() -> None:
    """With AIR and PIMP exchanged, as every other block has them, no pure accuracy exceeds its accuracy."""
    plain, pure = cells(5, "accuracy"), cells(5, "pure accuracy")
    other = {"AIR": "PIMP", "PIMP": "AIR"}
    assert list(pure["1"]) == [other.get(m, m) for m in plain["1"]]
    for name in map(str, range(1, 13)):
        for method, cell in plain[name].items():
            assert float(pure[name][other.get(method, method)]["mean"]) <= float(cell["mean"])


def test_table_3_is_scored_with_feature_and_class_exchanged() -> None:
    y, *features = printed("wang2024_table3")
    label = [y[f"x{i}"] for i in range(1, 11)]
    for row in features:
        table = Table.of([row[f"x{i}"] for i in range(1, 11)], label).integers()
        assert row["Gini"] == f"{gini_gain(table.T):.4f}"
        assert row["SGini"] == f"{sgini(table.T):.4f}"
        assert (row["Gini"] != f"{gini_gain(table):.4f}") == (("Gini", row["feature"], "") in findings(3, "exchanged"))
        assert (row["SGini"] != f"{sgini(table):.4f}") == (("SGini", row["feature"], "") in findings(3, "exchanged"))


def test_shares_of_table_4_are_counts_over_objects() -> None:
    rows = printed("wang2024_table4")
    assert [row["set"] for row in rows] == [str(i) for i in range(1, 13)]
    for row in rows:
        n, k = int(row["objects"]), int(row["classes"])
        few, many = float(row["smallest class %"]), float(row["largest class %"])
        assert few <= 100 / k + 0.005 and many >= 100 / k - 0.005
        assert k > 2 or abs(few + many - 100) < 0.015
        wrong = {key for key, share in (("smallest class %", few), ("largest class %", many)) if not _a_share(share, n)}
        assert wrong == {m for m, s, _ in findings(4, "no count of this many objects") if s == row["set"]}


def _a_share(percent: float, n: int) -> bool:
    return abs(100 * round(percent * n / 100) / n - percent) <= 0.005 + 1e-9


@pytest.mark.parametrize("measure", ["average node", "depth", "accuracy"])
def test_nodes_and_depths_of_table_9_are_averages_of_105_integers(measure: str) -> None:
    """Five runs of 21 trees: so the average node is a number of nodes, where the text has nodes per layer."""
    counts = {
        name: all(f"{round(105 * float(cell['mean'])) / 105:.4f}" == cell["mean"] for cell in row.values())
        for name, row in cells(9, measure).items()
    }
    assert counts == dict.fromkeys(["STL-10", "ImageNet-10"], measure != "accuracy")
    found = findings(9, "number of nodes")
    assert {(measure, name, "") in found for name in counts} == {measure == "average node"}
