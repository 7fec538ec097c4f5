"""Laws fitted to the gains of permuted labels, and how surprising the gain of the labels is under them.

Main definitions: ``fitted_surprise``, ``gamma_fit``, ``normal_surprise``; ``LAWS``.
Source: wang2024, Sections 1 and 5.1.2, after altmann2010.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.gamma_tails import surprise

Law = Literal["normal", "lognormal", "gamma", "ks"]
LAWS: tuple[Law, ...] = ("normal", "lognormal", "gamma")


def fitted_surprise(gain: float, drawn: Array, law: Law = "normal", least_spread: float = 0.0) -> float:
    """Return ``-log`` of the upper tail at ``gain`` of a law fitted to the gains that were drawn.

    Examples
    --------
    >>> round(fitted_surprise(0.0, np.array([-1.0, 0.0, 1.0])), 4)  # log 2
    0.6931
    """
    if np.ptp(drawn) == 0 and not least_spread:
        return float(np.log(1 + len(drawn))) if gain > drawn[0] else 0.0
    raised = np.where(drawn > 0, drawn, drawn[drawn > 0].min(initial=np.inf) / 2)
    if law == "ks":
        law = min(LAWS, key=lambda name: kolmogorov_distance(name, drawn if name == "normal" else raised))
    if law == "normal":
        return normal_surprise(gain, float(drawn.mean()), max(float(drawn.std()), least_spread), len(drawn))
    if law == "lognormal":
        logs = np.log(raised)
        return normal_surprise(
            float(np.log(gain)) if gain > 0 else -np.inf, float(logs.mean()), float(logs.std()), len(drawn)
        )
    shape, scale = gamma_fit(raised)
    return float(surprise(np.array([shape]), np.array([max(gain, 0.0) / scale]))[0])


def normal_surprise(gain: float, mean: float, spread: float, size: int) -> float:
    """Return ``-log`` of a normal tail; without spread what ``size`` draws can say, ``log(1 + size)`` or 0."""
    from scipy.special import log_ndtr

    if spread == 0:
        return float(np.log(1 + size)) if gain > mean else 0.0
    return float(-log_ndtr((mean - gain) / spread))


def gamma_fit(values: Array) -> tuple[float, float]:
    """Return shape and scale of the gamma law of greatest likelihood for positive values that are not all equal.

    Examples
    --------
    >>> shape, scale = gamma_fit(np.array([1.0, 2.0, 4.0]))
    >>> round(shape, 4), round(shape * scale, 4)
    (3.4012, 2.3333)
    """
    from scipy.stats import gamma

    shape, _, scale = gamma.fit(values, floc=0)
    return float(shape), float(scale)


def kolmogorov_distance(law: str, values: Array) -> float:
    """Return the Kolmogorov distance of values and the law fitted to them."""
    from scipy.stats import gamma, ks_1samp, lognorm, norm

    known, fixed = {"normal": (norm, {}), "lognormal": (lognorm, {"floc": 0}), "gamma": (gamma, {"floc": 0})}[law]
    return float(ks_1samp(values, known(*known.fit(values, **fixed)).cdf, method="asymp").statistic)
