"""The minimised risk of a loss whose best action is not known, found numerically in float64.

At two classes the risk is tabulated once on a grid that is uniform in the log odds: at each node the best
action gives a line ``a (1 - p) + b p`` that touches the impurity there. Between two nodes the value is the cubic
through both values and slopes, or, where the impurity has a kink (seen at the midpoint), the lower of the two lines.

Main definitions: ``NumericRisk``, ``minimise_on_path``, ``golden_section``.

Source: yang2019 eq. (1).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from splitcrit.arguments import Array, of_kind
from splitcrit.arith import EXACT, FLOAT, Arithmetic, Irrational, total
from splitcrit.frozen import complaint
from splitcrit.losses import Loss
from splitcrit.losses.evaluation import check_batches

LOG_ODDS = 40.0  # beyond it a class has probability below 5e-18
CELLS = 1 << 14
CANDIDATES = 2049
GOLDEN = (5**0.5 - 1) / 2
LARGEST = 64  # classes of a search over a simplex, whose steps grow with their square: a few seconds a point


def _logistic_path(theta: Any) -> Any:
    """Two-class actions ``(1 - u, u)`` with log odds ``theta``, both entries accurate."""
    with np.errstate(over="ignore"):
        return np.stack([1 / (1 + np.exp(theta)), 1 / (1 + np.exp(-theta))])


def _path(loss: Loss) -> tuple[Callable[[Any], Any], Array]:
    """A curve through all actions of a loss, and candidates for its parameter: dense in the middle, with both ends."""
    if loss.space == "line":
        return np.sinh, np.linspace(-14.0, 14.0, CANDIDATES)
    return _logistic_path, np.concatenate([[-1000.0], np.linspace(-LOG_ODDS, LOG_ODDS, CANDIDATES), [1000.0]])


def _costs(loss: Loss, w: Any, classes: int) -> Array:
    """The costs ``(classes, ...)`` of actions; a cost that is not a number counts as infinite."""
    with np.errstate(all="ignore"):
        costs = np.stack(np.broadcast_arrays(*[np.asarray(loss.at(w, k, FLOAT), float) for k in range(classes)]))
    return np.asarray(np.where(np.isnan(costs), np.inf, costs))


def _risks(costs: Array, p: Array) -> Array:
    """``sum_k p_k costs_k``, where a class of probability 0 costs nothing."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(p > 0, p * costs, 0.0).sum(axis=0))


def golden_section(value: Callable[[Array], Array], low: Array, high: Array) -> tuple[Array, Array]:
    """Two arguments next to the minimum of each of some functions between two ends, after 60 steps."""
    left = high - GOLDEN * (high - low)
    right = low + GOLDEN * (high - low)
    at_left = value(left)
    at_right = value(right)
    for _ in range(60):
        lower = at_left <= at_right
        low = np.where(lower, low, left)
        high = np.where(lower, right, high)
        fresh = np.where(lower, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        new = value(fresh)
        at_left, at_right = np.where(lower, new, at_right), np.where(lower, at_left, new)
    return left, right


def minimise_on_path(loss: Loss, p: Array) -> Array:
    """The costs ``(classes, m)`` of the best action for each distribution in ``p`` ``(classes, m)``.

    The best of a grid of actions, then golden-section search between its neighbours. Right to about 1e-12
    relative where the risk has one minimum between neighbouring candidates.
    """
    path, theta = _path(loss)
    table = _costs(loss, path(theta), len(p))[:, :, None]
    best = np.concatenate([_risks(table, p[:, None, i : i + 512]).argmin(axis=0) for i in range(0, p.shape[1], 512)])
    low = theta[np.maximum(best - 1, 0)]
    high = theta[np.minimum(best + 1, len(theta) - 1)]

    left, right = golden_section(lambda x: _risks(_costs(loss, path(x), len(p)), p), low, high)
    three = [_costs(loss, path(x), len(p)) for x in (theta[best], left, right)]
    choice = np.argmin([_risks(costs, p) for costs in three], axis=0)
    return np.where(choice == 0, three[0], np.where(choice == 1, three[1], three[2]))


@functools.lru_cache(maxsize=64)
def tabulated(loss: Loss) -> tuple[Array, Array, Array, Array, Array]:
    """The table at two classes: costs (lines), values and slopes per node, kinked cells, values at the ends."""
    s = np.linspace(-LOG_ODDS, LOG_ODDS, 2 * CELLS + 1)  # even places are nodes, odd ones midpoints
    p = _logistic_path(s)
    costs = minimise_on_path(loss, p)
    risk = _risks(costs, p)
    finite = np.where(np.isfinite(costs), costs, 0.0)
    slope = (finite[1] - finite[0]) * p[0] * p[1] * (s[1] - s[0]) * 2
    f = risk[::2]
    g = slope[::2]
    mid = p[:, 1::2]
    cubic = (f[:-1] + f[1:]) / 2 + (g[:-1] - g[1:]) / 8
    lines = np.minimum(_risks(costs[:, :-2:2], mid), _risks(costs[:, 2::2], mid))
    kinked = np.abs(cubic - risk[1::2]) > np.abs(lines - risk[1::2])
    ends = _risks(minimise_on_path(loss, np.eye(2)), np.eye(2))
    return costs[:, ::2], f, g, kinked, ends


def _look_up(loss: Loss, p: Array) -> Array:
    """The least risk of two classes, from the table."""
    costs, values, slopes, kinked, ends = tabulated(loss)
    s = FLOAT.log(p[1]) - FLOAT.log(p[0])
    place = np.clip((s + LOG_ODDS) * (CELLS / (2 * LOG_ODDS)), 0.0, CELLS)
    j = np.minimum(place.astype(np.intp), CELLS - 1)
    x = place - j
    f0 = values[j]
    f1 = values[j + 1]
    g0 = slopes[j]
    g1 = slopes[j + 1]
    rise = f1 - f0
    cubic = f0 + x * (g0 + x * (3 * rise - 2 * g0 - g1 + x * (g0 + g1 - 2 * rise)))
    lines = np.minimum(_risks(costs[:, j], p), _risks(costs[:, j + 1], p))
    value = np.where(kinked[j] | (np.abs(s) > LOG_ODDS), lines, cubic)
    return np.where(p[1] == 0, ends[0], np.where(p[0] == 0, ends[1], value))


def _minimise_on_simplex(loss: Loss, p: Array) -> float:
    """The least risk over the simplex for one distribution of three or more classes."""
    from scipy.optimize import minimize

    classes = len(p)

    def action(logits: Array) -> Array:
        weights = np.exp(logits - logits.max())
        return np.asarray(weights / weights.sum())

    def value(logits: Array) -> float:
        return float(_risks(_costs(loss, action(logits), classes), p))

    starts = [np.log(np.maximum(p, 1e-9)) * power for power in (1.0, 2.0, 0.5)]
    options = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-10}
    runs = [minimize(value, start, method="L-BFGS-B", options=options) for start in starts]
    points = [np.asarray(p), *np.eye(classes)]
    return min([float(run.fun) for run in runs] + [float(_risks(_costs(loss, w, classes), p)) for w in points])


@dataclass(frozen=True)
class NumericRisk:
    """The formula ``inf_w sum_k p_k at(w, k)`` by numerical search, in float64 only.

    Two classes: a table made on first use (about a second), right to 1e-9 relative for a risk that is smooth or
    piecewise linear in ``p``, to 1e-5 in the cells that hold a kink; batch speed. A loss on the line: any number of
    classes, point by point. A loss on the simplex with three or more classes: the best of several descents, of the
    vertices and of ``p`` itself; right to 1e-6 for the losses of this library, slow (milliseconds a point), and at most
    64 classes.

    Raises
    ------
    TypeError
        If it is no loss, or asked in another arithmetic than FLOAT.
    ValueError
        If the loss has actions neither on the simplex nor on the line, or more than 64 classes on the simplex.
    """

    loss: Loss
    error: ClassVar[float] = 2e-5

    def __post_init__(self) -> None:
        of_kind(self.loss, Loss, "a minimum risk is that of a loss", "pass a Loss, such as losses.square")
        if self.loss.space not in ("simplex", "line"):
            rule = "a minimum risk is searched on the simplex or the line only"
            raise ValueError(complaint(rule, f"{self.loss.name} on {self.loss.space!r}", "give the loss its act"))

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        if m is not FLOAT:
            rule = "a minimum risk found numerically exists in FLOAT only"
            refused = Irrational if m is EXACT else TypeError
            raise refused(complaint(rule, m.name, f"give {self.loss.name} its act to have a formula"))
        if self.loss.space == "simplex" and len(p) > LARGEST:
            rule = f"a minimum risk is searched on a simplex of at most {LARGEST} classes"
            raise ValueError(complaint(rule, len(p), f"give {self.loss.name} its act to have a formula"))
        sizes = (len(p),) if self.loss.space == "simplex" else ()
        check_batches(self.loss, lambda w, m: total([self.loss.at(w, k, m) for k in range(len(p))]), sizes)
        rows = np.stack(np.broadcast_arrays(*[np.asarray(x, float) for x in p]))
        flat = rows.reshape(len(rows), -1)
        if len(flat) == 2:
            risks = _look_up(self.loss, flat)
        elif self.loss.space == "line":
            risks = _risks(minimise_on_path(self.loss, flat), flat)
        else:
            risks = np.array([_minimise_on_simplex(self.loss, x) for x in flat.T])
        return risks.reshape(rows.shape[1:])[()]
