"""The library's functions that the printed definitions are of, as functions of the definitions' arguments."""

from __future__ import annotations

import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arith import total
from splitcrit.arith.base import shares
from splitcrit.arith.exact_numbers import _Exact
from splitcrit.criteria import gain as gains
from splitcrit.criteria import library as criteria
from splitcrit.impurities import Impurity
from splitcrit.impurities import library as impurities
from splitcrit.impurities.search_declaration import RATIO
from splitcrit.losses import Loss, margin_losses, response_losses, simplex
from splitcrit.losses import base as losses
from splitcrit.noise import transitions
from splitcrit.noise.channel import Channel
from splitcrit.nulls import chance_criteria, corner, extremes, formulas, monte_carlo, permutation
from splitcrit.nulls import third_moment as third_code

F, HALF = Fraction, Fraction(1, 2)


class _Stand(_Exact):
    """Rational numbers, with rational functions in the place of log and of the root: those of ``rational.v``."""

    def log(self, x: Any) -> Any:
        return (x - 1) / F(x + 1)

    def xlogx(self, x: Any) -> Any:
        return x * self.log(x) if x else F(0)

    def power(self, x: Any, a: Any) -> Any:
        return 2 * x / F(x + 1) if a == HALF else F(x) ** int(a)


STAND = _Stand()
CUBES = Impurity("cubes", lambda p, m: total([x * x * x for x in p]))


def integers(*numbers: Any) -> list[Any]:
    """Whole Fractions as the integers that a function of counts takes."""
    return [integers(*x) if isinstance(x, list) else int(x) for x in numbers]


def decrease(phi: Any, t: Any) -> Any:
    return gains.Decrease(phi if isinstance(phi, Impurity) else Impurity("phi", phi))(t, STAND)


def on_law(of: Callable[..., Any]) -> Callable[..., Any]:
    return lambda p, **_: of(p, STAND)


def of_action(at: Callable[..., Any]) -> Callable[..., Any]:
    return lambda w, k, **_: at(w, k, STAND)


def channel(rows: Any) -> Channel:
    return Channel("given", lambda K: rows)


def expected(S: Any, t: Any, i: int, j: int, **_: Any) -> Any:
    return channel(S).expected(np.array(t, dtype=object))[i, j]


def corrected(criterion: Any, a: Any, b: Any, gain: Any) -> Any:
    """A corrected gain by the code of the criterion, its table replaced by margins and gain."""
    run = type(criterion).__call__
    names = {**run.__globals__, "_integers": lambda t: (*integers(a, b), gain)}
    return types.FunctionType(run.__code__, names)(criterion, None, STAND)


def invariant(place: int) -> Callable[..., Any]:
    """Return one of the invariants of the third moment, of arrays of Fractions."""

    def run(size: Any, same: Any, across: Any, f: Any, **_: Any) -> Any:
        arrays = [np.array(x, dtype=object) for x in (size, same, across, f)]
        return third_code._invariants(*arrays)[place]

    return run


def one_table(*totals: Any) -> list[Any]:
    """Totals of one table as the arrays of Fractions that code for batches takes."""
    return [np.array(x, dtype=object)[..., None] for x in totals]


def blocks(name: str, part: int) -> Callable[..., Any]:
    """An entry of what the invariants of rows or of classes are computed from."""
    code = getattr(third_code, name)
    parts = types.FunctionType(code.__code__, {**code.__globals__, "_invariants": lambda *found: found})

    def run(n: Any, j: int, k: Any = None, **given: Any) -> Any:
        found = parts(*one_table(given["a"] if "a" in given else given["b"], n))[part]
        return found[j, 0] if k is None else found[j, k, 0]

    return run


def third_of_arrays(a: Any, K: int, **classes: Any) -> Any:
    """The third moment by the code for arrays, the invariants of classes given."""
    code = third_code.third_moment
    names = {**code.__globals__, "_of_columns": lambda *_: tuple(classes.values())}
    return types.FunctionType(code.__code__, names)(*one_table(a), None)[0]


def by_invariants(**given: Any) -> Any:
    """The third moment by invariants, its pairs of numbers put together by the letter of their names."""
    pairs = {letter: tuple(x for name, x in given.items() if name[0] == letter) for letter in "nctdpf"}
    return formulas.third_by_invariants(*pairs.values())


def estimated(reached: Any, samples: Any) -> Any:
    """The p-value by the code for floats, with a root that takes Fractions; the root is its second number."""
    run = monte_carlo.estimated
    names = {**run.__globals__, "np": types.SimpleNamespace(sqrt=STAND.sqrt)}
    return types.FunctionType(run.__code__, names)(reached, samples)[0]


def uncompiled(name: str) -> Callable[..., Any]:
    """A formula of a compiled scan as the plain function that numba compiles, calling the like."""
    from splitcrit.trees.scan import formulas_compiled as compiled

    run = getattr(compiled, name).py_func
    names = {n: getattr(formulas, n, x) for n, x in run.__globals__.items()}
    return lambda **given: types.FunctionType(run.__code__, names)(*given.values())


def scan_sums(left: Any, right: Any, m: Any, rest: Any) -> Any:
    """What a scan combines at a threshold, with the table 1/n of Gini's form."""
    from splitcrit.trees.scan import scan_sums

    table = [F(0), *(F(1, n) for n in range(1, 30))]
    return scan_sums.combined.py_func(RATIO, left, right, int(m), int(rest), table, 0.0)


def cut(statistic: Any) -> Callable[..., Any]:
    return lambda n, b, m, distance, **_: statistic.key(*integers(n, b, m, distance))


RUNS: dict[str, Callable[..., Any]] = {
    **{
        f"py_{name}": on_law(getattr(impurities, f"_{name}"))
        for name in ("gini", "spread", "entropy", "bayes_sum", "sqrt_gini", "matushita", "misclassification")
    },
    "py_gce_half": on_law(impurities.GCE(HALF)),
    "py_gce_whole": lambda q, p, **_: impurities.gce(q).of(p, STAND),
    "py_ne": lambda lam, p, **_: impurities.NE(lam)(p, STAND),
    "py_response_variance": lambda v, p, **_: impurities._Variance(tuple(v))(p, STAND),
    "py_absolute_deviation": lambda v, p, **_: impurities._AbsoluteDeviation(tuple(v))(p, STAND),
    **{
        f"py_{name}": of_action(getattr(simplex, f"_{name}"))
        for name in ("square", "mae", "zero_one", "cross_entropy", "infinity", "one_vs_rest_errors")
    },
    "py_gce_loss_half": of_action(simplex._GCE(HALF)),
    "py_gce_loss_whole": lambda q, w, k, **_: simplex._GCE(q)(w, k, STAND),
    "py_ne_loss": lambda lam, wrong, w, k, **_: simplex._NE(lam, wrong)(w, k, STAND),
    "py_pairwise": lambda score_pos, score_neg: simplex.pairwise(score_pos, score_neg, STAND),
    "py_hinge_0": lambda w: margin_losses._hinge(w, 0, STAND),
    "py_hinge_1": lambda w: margin_losses._hinge(w, 1, STAND),
    "py_sign": lambda p: margin_losses._sign(p, STAND),
    "py_squared_error": lambda v, w, k, **_: response_losses._Squared(tuple(v))(w, k, STAND),
    "py_absolute_error": lambda v, w, k, **_: response_losses._Absolute(tuple(v))(w, k, STAND),
    "py_mean_response": lambda v, p, **_: response_losses._Mean(tuple(v))(p, STAND),
    "py_half_log_odds": lambda p, k, **_: simplex._half_log_odds(p, STAND)[k],
    "py_from_square": lambda p, **_: Impurity.from_loss(simplex.square).of(p, STAND),
    "py_from_cross_entropy": lambda p, **_: Impurity.from_loss(simplex.cross_entropy).of(p, STAND),
    "py_from_squared_error": lambda v, p, **_: Impurity.from_loss(response_losses.squared_error(tuple(v))).of(p, STAND),
    "py_gain_ratio": lambda t, **_: criteria.normalised(impurities.entropy).score(t, STAND),
    **{
        f"py_{of}_{part}": blocks(name, place)
        for of, name in (("rows", "_of_rows"), ("classes", "_of_columns"))
        for part, place in (("same", 1), ("across", 2), ("f", 3))
    },
    "py_third_moment_of_arrays": third_of_arrays,
    "py_risk": lambda cost, p, **_: losses.risk(Loss("cost", lambda w, k, m: cost[k]), None, p, STAND),
    "py_shares": lambda c, n, k, **_: shares(c, n, STAND)[k],
    "py_decrease": lambda t, **_: decrease(CUBES, t),
    **{
        f"py_decrease_{name}": lambda t, name=name, **_: decrease(getattr(impurities, name), t)
        for name in ("gini", "entropy", "bayes_sum", "misclassification", "sqrt_gini", "matushita")
    },
    "py_decrease_ne": lambda lam, t, **_: decrease(impurities.NE(lam), t),
    "py_decrease_variance": lambda v, t, **_: decrease(impurities._Variance(tuple(v)), t),
    "py_pairwise_gain": lambda t: criteria._pairwise_gain(t, STAND),
    "py_crossing": lambda t, k, **_: criteria._crossings(t)[0][k],
    "py_twoing": lambda t, **_: criteria._twoing(t, STAND),
    "py_one_vs_rest": lambda t, **_: criteria._one_vs_rest(t, STAND),
    "py_sum_minority": lambda t, **_: criteria._sum_minority(t, STAND),
    "py_upper_entropy": lambda s, c, **_: criteria.ImpreciseGain(s).upper_entropy(c, STAND),
    "py_imprecise_gain": lambda s, t, **_: criteria.ImpreciseGain(s)(t, STAND),
    "py_symmetric": lambda K, eta, j, k: transitions.Symmetric(eta)(K)[j][k],
    "py_class_conditional": lambda tau_pos, tau_neg, j, k: transitions.ClassConditional(tau_pos, tau_neg)(2)[j][k],
    **{
        f"py_class_conditional_{j}{k}": lambda tau_pos, tau_neg, j=j, k=k: transitions.ClassConditional(
            tau_pos, tau_neg
        )(2)[j][k]
        for j in (0, 1)
        for k in (0, 1)
    },
    **{f"py_pair_flip_{K}": lambda eta, j, k, K=K: transitions.PairFlip(eta)(K)[j][k] for K in (2, 3, 4)},
    "py_on_distribution": lambda S, p, j, **_: channel(S).on_distribution(tuple(p))[j],
    "py_expected": expected,
    "py_composed": lambda S, T, K, j, k: transitions.Composed(lambda _: S, lambda _: T)(K)[j][k],
    "py_exact_mean": lambda a, b, **_: permutation.exact_mean(*integers(a, b)).fraction(),
    "py_exact_variance": lambda a, b, **_: permutation.exact_variance(*integers(a, b)).fraction(),
    "py_exact_third": lambda a, b, **_: third_code.exact_third(*integers(a, b)).fraction(),
    "py_sgini": lambda a, b, gain, **_: corrected(chance_criteria.SGini(), a, b, gain),
    "py_agini": lambda a, b, alpha, gain, **_: corrected(chance_criteria.AGini(alpha, "permutation"), a, b, gain),
    **{f"py_invariants_{place}": invariant(place) for place in range(5)},
    "py_third_by_invariants": by_invariants,
    "py_estimated": estimated,
    "py_exact_mean_of_two": lambda m, rest, b, other, **_: permutation.exact_mean(
        *integers([m, rest], [b, other])
    ).fraction(),
    "py_exact_variance_of_two": lambda m, rest, b, other, **_: permutation.exact_variance(
        *integers([m, rest], [b, other])
    ).fraction(),
    "py_key_of_pairwise_gain": cut(extremes.PairwiseGain()),
    "py_key_of_gini_gain": cut(extremes.GiniGain()),
    "py_key_of_sgini": cut(extremes.StandardisedGain()),
    "py_scan_sums": scan_sums,
    "py_ways_up": corner.ways_up,
    "py_ways_down": corner.ways_down,
    "py_covariance_of": lambda p, row, column, **_: corner.covariance_of(
        *(np.array([F(x) for x in given], object) for given in (p, row, column))
    ),
    "py_total_of_corners": lambda times, many, covariances, **_: corner.total_of_corners(times, many, covariances),
    "py_slope_given": lambda slope, times, slopes, totals, room, **_: corner.slope_given(
        slope, list(zip(times, slopes, totals, strict=True)), room
    ),
    "py_scan_spread": lambda **given: uncompiled("spread")(**given),
    "py_scan_independent_spread": lambda **given: uncompiled("independent_spread")(**given),
}
