"""Noise that looks at the features: rates by distance from a margin, and confusions of classes that lie close.

Main definitions: ``margin_rates``, ``flipped``, ``nearness_matrix``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array, between, finite, generator, whole
from splitcrit.arguments import codes as class_codes
from splitcrit.frozen import complaint

LARGEST = 1e100  # of a feature


def margin_rates(margin: Any, *, top: float = 0.4, scale: float | None = None) -> NDArray[np.float64]:
    """Instance-dependent flip rates, largest at the boundary: ``top exp(-|margin| / scale)``.

    Parameters
    ----------
    margin : array (n,)
        Signed distances from a decision boundary.
    top : float
        The rate on the boundary.
    scale : float, optional
        The distance at which the rate has fallen to ``top/e``; by default the median distance.

    Raises
    ------
    ValueError
        If ``top`` is no probability, a margin is not finite, or the scale is not positive.

    See Also
    --------
    flipped : Labels drawn by these rates.

    References
    ----------
    ghosh2017, Theorem 5(b).

    Examples
    --------
    >>> margin_rates([0.0, -1.0, 2.0], top=0.5, scale=1.0).round(3)
    array([0.5  , 0.184, 0.068])
    """
    distance = np.abs(finite(margin, "margins", 1))
    top = float(between(top, "the rate on the boundary top", 0, 1, example=0.4))
    with np.errstate(over="ignore"):
        middle = np.median(distance if len(distance) else np.zeros(1))
    if scale is None and not middle > 0:
        raise ValueError(complaint("the median distance is a scale where it is positive", "0 or none", "pass scale="))
    wanted = middle if scale is None else scale
    unit = float(between(wanted, "the scale of margins", 0, np.inf, ends=False, example=1))
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(top * np.exp(-distance / unit))


def flipped(codes: Any, rates: Any, *, classes: int | None = None, rng: Any = None) -> NDArray[np.int64]:
    """Labels each of which changed with its own probability, to another class at random.

    Parameters
    ----------
    codes : integers (n,)
        Classes 0 to K - 1; left as they are.
    rates : array (n,)
    classes : int, optional
        K; by default one more than the largest code.
    rng
        Anything ``numpy.random.default_rng`` takes.

    Raises
    ------
    ValueError
        If there is not one probability a label, or a label is not among the classes.

    See Also
    --------
    margin_rates : Rates that are largest near the boundary.
    symmetric : One rate for all samples.

    Examples
    --------
    >>> flipped([0, 1, 1], [1.0, 1.0, 0.0])
    array([1, 0, 1])
    """
    labels, chances = class_codes(codes, "class codes"), finite(rates, "rates", 1)
    if labels.shape != chances.shape or not ((chances >= 0) & (chances <= 1)).all():
        rule = f"rates are {len(labels)} probabilities, one a label"
        raise ValueError(complaint(rule, f"shape {chances.shape}", "pass numbers in [0, 1]"))
    most = int(labels.max(initial=0))
    k = max(2, most + 1) if classes is None else whole(classes, "the number of classes", 2, 2**53)
    if most >= k:
        raise ValueError(complaint(f"class codes are below classes={k}", most, "pass a larger number of classes"))
    source = generator(rng)
    changed = source.random(len(labels)) < chances
    labels[changed] = (labels[changed] + source.integers(1, k, size=int(changed.sum()))) % k
    return labels


def nearness_matrix(X: Any, codes: Any, *, stay: tuple[float, float] = (0.5, 0.9), ridge: float = 1e-6) -> Array:
    """A transition matrix that confuses each class with those whose means lie near in Mahalanobis distance.

    ``d_ij^2 = (x_i - x_j)^T S_ij^-1 (x_i - x_j)`` with class means and the pooled covariance of the two classes. A
    class stays with a probability that grows with ``sum_j d_ij``, from ``stay[0]`` to ``stay[1]`` over the classes, and
    becomes ``j`` in proportion to ``1/d_ij``.

    Parameters
    ----------
    X : array (n, d)
    codes : integers (n,)
        Classes 0 to K - 1 with two examples or more of each; ``K >= 3``.
    stay : (low, high)
        The smallest and the largest probability of a label to stay. If all sums are equal, every class has the mean.
    ridge : float
        Added to the diagonal of each covariance, in units of its mean diagonal, so that it has an inverse.

    Returns
    -------
    array (K, K)
        Rows sum to 1; for ``transition_matrix``.

    Raises
    ------
    ValueError
        If there are fewer than three classes, a class has fewer than two examples, two classes have one mean, or an
        argument is not of its kind.

    Notes
    -----
    The printed matrix has rows that do not sum to 1; this is its repair. Ridge and pooling are not published.

    References
    ----------
    wilton2024, Algorithm 1.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [1.0], [3.0], [8.0], [10.0]])
    >>> nearness_matrix(X, [0, 0, 1, 1, 2, 2]).round(2)
    array([[0.56, 0.39, 0.05],
           [0.44, 0.5 , 0.06],
           [0.05, 0.05, 0.9 ]])
    """
    points, labels = finite(X, "features", 2), class_codes(codes, "class codes")
    low, high = _stays(stay)
    ridge = float(between(ridge, "ridge", 0, LARGEST, example=1e-6))
    if len(points) != len(labels) or not points.shape[1]:
        rule = "features are a row of one number or more for each class code"
        raise ValueError(complaint(rule, f"shape {points.shape} for {len(labels)} codes", "pass X and y of one length"))
    sizes = np.bincount(labels) if labels.max(initial=0) < max(len(labels), 1) else np.zeros(1, np.int64)
    if len(sizes) < 3 or sizes.min() < 2:
        rule = "confusions by nearness need three classes or more, coded 0, 1, ..., with two examples of each"
        raise ValueError(complaint(rule, f"sizes {sizes.tolist()}", "use class_conditional for two classes"))
    if np.abs(points).max() >= LARGEST:
        rule = f"features are below {LARGEST:g}, so that their squares are finite"
        got = f"{np.abs(points).max():g}"
        raise ValueError(complaint(rule, got, "scale the features down"))
    apart = _distances(points, labels, sizes, ridge)
    if not apart[~np.eye(len(sizes), dtype=bool)].min() > 0:
        raise ValueError(complaint("classes have different means", "two that agree", "merge those classes"))
    far = apart.sum(axis=1)
    spread = float(np.ptp(far))
    equal = spread <= 1e-12 * float(far.max())  # up to rounding
    stays = np.full(len(far), (low + high) / 2) if equal else low + (high - low) * (far - far.min()) / spread
    near = np.divide(1.0, apart, out=np.zeros_like(apart), where=apart > 0)
    matrix = (1 - stays)[:, None] * near / near.sum(axis=1, keepdims=True)
    np.fill_diagonal(matrix, stays)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True))


def _stays(stay: Any) -> tuple[float, float]:
    """The smallest and the largest probability to stay."""
    ends = finite(stay, "the ends of stay", 1)
    if ends.shape != (2,) or not 0 <= ends[0] <= ends[1] <= 1:
        raise ValueError(complaint("stay is two probabilities, the smaller first", stay, "pass (0.5, 0.9)"))
    return float(ends[0]), float(ends[1])


def _distances(points: Array, labels: Array, sizes: Array, ridge: float) -> Array:
    means = np.array([points[labels == k].mean(axis=0) for k in range(len(sizes))])
    scatters = [(c := points[labels == k] - means[k]).T @ c for k in range(len(sizes))]
    apart = np.zeros((len(sizes), len(sizes)))
    for i, j in zip(*np.tril_indices(len(sizes), -1), strict=True):
        pooled = (scatters[i] + scatters[j]) / (sizes[i] + sizes[j] - 2)
        level = float(np.trace(pooled)) / len(pooled)
        pooled = pooled + ridge * (level if level > 0 else 1.0) * np.eye(len(pooled))
        step = means[i] - means[j]
        try:
            apart[i, j] = apart[j, i] = np.sqrt(max(float(step @ np.linalg.solve(pooled, step)), 0.0))
        except np.linalg.LinAlgError:
            rule = "the pooled covariance of two classes has an inverse"
            raise ValueError(complaint(rule, f"none for classes {j} and {i}", "pass a ridge above 0")) from None
    return apart
