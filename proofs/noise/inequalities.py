"""Inequalities of the literature on which statements about samples rest; each is cited once, here.

Main definitions: ``HOEFFDING``, ``KEARNS_SAUL``, ``CAUCHY_SCHWARZ``, ``UNION``, ``MOMENTS``, ``LINEAR``.
"""

from __future__ import annotations

from splitcrit.proof import ALL, Premise

EVERY_SAMPLE = {"N": ALL, "eta": ALL}

HOEFFDING = Premise("Hoeffding's inequality for a sum of independent bounded variables", widens=EVERY_SAMPLE)
KEARNS_SAUL = Premise(
    "Kearns-Saul inequality: E exp(t(X - p)) <= exp(t^2 (1 - 2p)/(4 log((1 - p)/p))) for X = 1 with probability p",
    widens=EVERY_SAMPLE,
)
CAUCHY_SCHWARZ = Premise("Cauchy-Schwarz inequality")
UNION = Premise("Boole's inequality (the union bound)")
MOMENTS = Premise(
    "independent summands: the mean of a sum is the sum of the means, its variance the sum of the variances",
    widens={"N": ALL},
)
LINEAR = Premise("linearity of expectation", widens={"N": ALL})
