"""The arithmetic of Table III: its tally, and marks that its means and deviations contradict.

For paired runs the deviation of the differences is at most the sum of the two deviations, so that
``|d| sqrt(runs) / (s_1 + s_2)`` is a lower bound of the ``t`` statistic whatever the correlation. Accuracies and
deviations are in units of 1/10000 and taken at the worst of their rounding.

Source: yang2019, Table III.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.proof import All, Erratum, Exhaustive, Law, NearMiss, Premise, Theorem

# dataset | mean and deviation of pairwise gain, Gini, entropy at rates (.1, .3) | the same at (.2, .4); a mark after a
# rival's cell: + pairwise gain is called significantly better, - significantly worse, . neither
PRINTED = """\
sonar      | 7456 828 7214 822 . 7187 770 . | 6856 897 6583 889 . 6539 920 .
heart      | 7619 945 7352 597 . 7400 661 . | 6926 715 6626 717 + 6659 674 .
ionosphere | 8501 479 8452 791 . 8570 755 . | 7479 744 7400 670 . 7536 641 .
breast     | 9662 127 9451 247 + 9442 249 + | 9633 134 9004 502 + 9009 488 +
australian | 8323 368 8216 364 . 8246 383 . | 7583 527 7401 641 . 7361 624 .
diabetes   | 7116 380 7070 396 . 7068 413 . | 6345 457 6294 480 . 6293 547 .
vehicle    | 8929 299 8781 348 + 8805 338 . | 8181 383 7965 451 + 7962 422 +
fourclass  | 9316 325 9104 327 + 9133 305 + | 8211 544 7957 568 + 7920 587 +
german     | 7140 330 7091 413 . 7082 395 . | 6205 371 5914 510 + 5895 549 +
segment    | 9553 128 9473 152 + 9513 165 . | 8873 285 8774 280 . 8771 284 .
splice     | 9111 165 9033 207 + 8999 201 + | 8184 337 7855 442 + 7788 443 +
dna        | 8985 136 8930 153 . 8883 161 + | 8141 317 7809 391 + 7726 388 +
satimage   | 9151  84 9045  90 + 9069  94 + | 8674 150 8616 156 . 8618 164 .
gisette    | 9308  59 9441  51 - 9464  38 - | 8621 186 8794 206 . 8749 226 .
mushrooms  | 9997   5 9994   9 + 9994   8 + | 9901  55 9871  69 + 9870  68 +
usps       | 9401  47 9270  59 + 9299  68 + | 8746 132 8624 140 . 8595 131 +
pendigits  | 9723  49 9696  50 + 9689  52 + | 9222 116 9196 127 . 9154 133 +
phishing   | 9377  57 9341  58 + 9350  54 + | 9000 112 8980 106 . 8977 110 .
letter     | 9091  56 8997  62 + 9006  64 + | 8348  98 8272 101 + 8265 106 +
protein    | 6407  91 6490 102 . 6526 109 - | 5821 117 5861 137 . 5842 118 .
a9a        | 8249  37 8231  45 . 8233  42 . | 7842  49 7815  59 . 7804  49 .
shuttle    | 9985   3 9986   6 . 9987   5 - | 9976  11 9965  13 + 9966  14 +
w8a        | 9808  17 9848  15 - 9849  17 - | 9767  11 9777  21 . 9773  23 .
connect4   | 8177  26 8044  44 + 8041  40 + | 7348  40 7008  83 + 7022  80 +
mnist      | 9334  28 9269  34 + 9283  28 + | 8765  55 8528  55 + 8537  66 +
sensit     | 8041  22 8006  25 + 8033  18 . | 7747  31 7674  28 + 7673  33 +
ijcnn1     | 9815  11 9813   7 . 9812   9 . | 9612  31 9583  28 . 9579  25 +
skin-non   | 9984   2 9982   2 + 9982   2 + | 9963   6 9942   8 + 9940   9 +
webspam    | 9689   8 9644  11 + 9662  10 + | 9399  20 9358  23 + 9358  22 +
cod-rna    | 9589   5 9580   4 + 9585   4 . | 9368   6 9372   7 . 9375   9 .
covtype    | 8998  23 8960  10 + 8971   9 + | 8333  31 8298  18 + 8293  23 +
poker      | 7104  59 7059  35 . 7055  31 + | 6573  13 6462  12 + 6451  12 +
"""

QUANTILES = {50: Fraction(201, 100), 10: Fraction(22622, 10000)}  # above Student's 0.975 quantile, runs - 1 degrees
NOISES = ("(0.1, 0.3)", "(0.2, 0.4)")
RIVALS = ("gini", "entropy")
STUDENT = Premise("Student's t has 0.975 quantile below 2.01 with 49 degrees of freedom and below 2.2622 with 9")
TRIANGLE = Premise("the standard deviation of a difference is at most the sum of the standard deviations")


def cells() -> Iterator[tuple[str, str, str, tuple[int, ...], str]]:
    """Yield dataset, noise, rival, the means and deviations of both, and the mark."""
    for line in PRINTED.splitlines():
        name, *halves = (part.split() for part in line.split("|"))
        for noise, half in zip(NOISES, halves, strict=True):
            for i, rival in enumerate(RIVALS):
                mean, deviation, mark = half[2 + 3 * i : 5 + 3 * i]
                yield name[0], noise, rival, (int(half[0]), int(half[1]), int(mean), int(deviation)), mark


def forced(numbers: tuple[int, ...], runs: int, rounding: int = 1) -> bool:
    """Whether a paired t test over these runs is significant at 95% whatever the correlation."""
    mean, deviation, other, spread = numbers
    least, most = abs(mean - other) - rounding, deviation + spread + rounding
    return least > 0 and runs * least**2 > (QUANTILES[runs] * most) ** 2


def contradicted(runs: int, rounding: int = 1) -> set[tuple[str, str, str]]:
    """The unmarked cells whose test is surely significant."""
    return {
        (name, noise, rival)
        for name, noise, rival, numbers, mark in cells()
        if mark == "." and forced(numbers, runs, rounding)
    }


def losses(names_of_cells: set[tuple[str, str, str]]) -> Iterator[bool]:
    """Tell for each of these cells whether the rival has the larger mean."""
    return (mean < other for *names, (mean, _, other, _), _ in cells() if tuple(names) in names_of_cells)


def tally(rival: str) -> str:
    marks = Counter(mark for _, _, name, _, mark in cells() if name == rival)
    return f"{marks['+']}/{marks['.']}/{marks['-']}"


def marked(cell: Any) -> bool:
    """State that a difference that is surely significant over 50 runs carries a mark."""
    *_, numbers, mark = cell
    return mark != "." or not forced(numbers, 50)


def right_side(cell: Any) -> bool:
    *_, (mean, _, other, _), mark = cell
    return bool(mark == "." or (mean > other) == (mark == "+"))


def higher(rival: str) -> int:
    return sum(mean > other for _, _, name, (mean, _, other, _), _ in cells() if name == rival)


def everywhere(holds: Any) -> Exhaustive:
    """The statement of every cell: dataset, noise, rival, numbers and mark."""
    return Exhaustive(cells, lambda cell: bool(holds(cell)))


TALLIES = (("gini", "35/27/2", 56), ("entropy", "35/25/4", 54))
every_mark = Law(everywhere, holds=marked)

THEOREMS = [
    Theorem(
        key="gain.marks_of_table_three_add_up",
        statement="the marks of Table III, 32 data sets under 2 noises, add up to 35/27/2 against Gini and 35/25/4"
        " against entropy, each on the side of the larger mean; the larger mean is pairwise gain's in 56 and 54 of 64",
        source="yang2019, Table III",
        holds=All(
            Exhaustive(lambda: TALLIES, lambda case: tally(case[0]) == case[1] and higher(case[0]) == case[2]),
            everywhere(right_side),
        ),
        fails=(
            NearMiss("every larger mean is marked", everywhere(lambda c: c[4] != "." or c[3][0] == c[3][2])),
            NearMiss(
                "pairwise gain has the larger mean wherever there is a mark",
                everywhere(lambda c: c[4] == "." or c[3][0] > c[3][2]),
            ),
        ),
    ),
    Theorem(
        key="gain.unmarked_cells_of_table_three_are_significant_over_fifty_runs",
        statement="of the 128 cells of Table III, at the worst of their rounding, nine unmarked ones are significant at"
        " 95% in any paired t test over 50 runs with the printed means and deviations, four of them losses; over 10"
        " runs none is",
        source="yang2019, Table III",
        holds=All(
            Exhaustive(lambda: [(50, 9), (10, 0)], lambda case: len(contradicted(case[0])) == case[1]),
            Exhaustive(lambda: [4], lambda number: sum(losses(contradicted(50))) == number),
        ),
        fails=(
            every_mark.but("every difference significant over 50 runs is marked"),
            NearMiss(
                "eleven such cells at the worst of their rounding, as at the printed values",
                Exhaustive(lambda: [0, 1], lambda rounding: len(contradicted(50, rounding)) == 11),
            ),
            every_mark.but(
                "the marks follow from 10 trials: every marked difference is significant over 10 runs",
                holds=lambda c: c[4] == "." or forced(c[3], 10),
                alters="hypothesis",
            ),
        ),
        premises=(STUDENT, TRIANGLE),
    ),
]

ERRATA = [Erratum("Y-E6", everywhere(marked), "gain.unmarked_cells_of_table_three_are_significant_over_fifty_runs")]
