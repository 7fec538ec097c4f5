"""Inequalities of the literature on which statements about samples rest; each is cited once, here.

Hoeffding's and Kearns and Saul's are theorems of ours, by `sums_of_labels`; what is cited there are steps of calculus.

Main definitions: ``HOEFFDING``, ``KEARNS_SAUL``, ``CAUCHY_SCHWARZ``, ``UNION``, ``MOMENTS``, ``LINEAR``, ``CALCULUS``,
``EXPONENTIAL``, ``INDEPENDENT``.
"""

from __future__ import annotations

from splitcrit.proof import ALL, Premise

EVERY_SAMPLE = {"N": ALL, "eta": ALL}

HOEFFDING = Premise("noise.bounded_sums_deviate_rarely", "theorem", EVERY_SAMPLE)
KEARNS_SAUL = Premise("noise.sums_of_labels_deviate_rarely_of_kearns_saul", "theorem", EVERY_SAMPLE)
CALCULUS = Premise(
    "the mean value theorem: a function whose derivative is not negative does not fall, so that one whose second"
    " derivative is not negative is below its chords, and not negative if it is 0 at a point with its derivative"
)
EXPONENTIAL = Premise("exp x is positive and at least 1 + x, exp(x + y) = exp x exp y, and log is its inverse")
INDEPENDENT = Premise("the mean of a product of independent factors is the product of their means")
CAUCHY_SCHWARZ = Premise("Cauchy-Schwarz inequality")
UNION = Premise("Boole's inequality (the union bound)")
MOMENTS = Premise(
    "independent summands: the mean of a sum is the sum of the means, its variance the sum of the variances",
    widens={"N": ALL},
)
LINEAR = Premise("linearity of expectation", widens={"N": ALL})
