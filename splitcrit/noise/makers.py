"""The channels of the field, each a value that prints as the call that makes it.

Main definitions: ``identity``, ``symmetric``, ``class_conditional``, ``pair_flip``, ``transition_matrix``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.frozen import printable, shown
from splitcrit.noise.channel import Channel
from splitcrit.noise.transitions import ClassConditional, Given, NoNoise, PairFlip, Symmetric, rate, stochastic

#: No noise: every label stays as it is. The neutral element of `compose`.
identity = Channel("identity", NoNoise())


def _call(maker: str, **rates: Any) -> str:
    """The text of the call that makes a channel; numpy scalars print as the numbers they are."""
    plain = {name: x.item() if isinstance(x, np.generic) else x for name, x in rates.items()}
    texts = (f"{name}={x!r}" if printable(x) else f"{name}={shown(x)}" for name, x in plain.items())
    return f"{maker}({', '.join(texts)})"


def symmetric(eta: Any) -> Channel:
    """Uniform noise: a label changes with probability ``eta``, to every other class equally often.

    On ``K`` classes ``p~ = (1 - K eta / (K - 1)) p + eta / (K - 1)``.

    Parameters
    ----------
    eta
        The probability of a change: a number in [0, 1], or a symbol.

    Raises
    ------
    ValueError
        If ``eta`` is a real number outside [0, 1].

    See Also
    --------
    class_conditional : Two classes with different rates.
    pair_flip : Errors in favour of the next class.
    transition_matrix : Any rates.
    flipped : A rate for each sample.

    Notes
    -----
    Proved: noise.positive_share_is_affine_of_symmetric, noise.gini_gain_and_twoing_rescale_of_class_conditional

    References
    ----------
    ghosh2017, section 2; wilton2024, section 2.

    Examples
    --------
    >>> symmetric(0.5).transition(3)
    ((0.5, 0.25, 0.25), (0.25, 0.5, 0.25), (0.25, 0.25, 0.5))
    """
    return Channel(_call("symmetric", eta=eta), Symmetric(rate(eta, "eta")))


def class_conditional(*, tau_pos: Any, tau_neg: Any) -> Channel:
    """Noise of two classes that flips positives (class 1) and negatives (class 0) at rates of their own.

    The share of positives becomes ``p~ = (1 - tau_pos - tau_neg) p + tau_neg``.

    Parameters
    ----------
    tau_pos, tau_neg
        ``P(flip | positive)`` and ``P(flip | negative)``: numbers in [0, 1], or symbols.

    Raises
    ------
    ValueError
        If a rate is a real number outside [0, 1].

    See Also
    --------
    symmetric : One rate for all classes.
    transition_matrix : More classes.

    Notes
    -----
    Proved: noise.pairwise_gains_rescale_of_class_conditional

    References
    ----------
    yang2019, theorem 1.

    Examples
    --------
    >>> class_conditional(tau_pos=0.25, tau_neg=0.5).transition(2)
    ((0.5, 0.5), (0.25, 0.75))
    """
    rates = ClassConditional(rate(tau_pos, "tau_pos"), rate(tau_neg, "tau_neg"))
    return Channel(_call("class_conditional", tau_pos=tau_pos, tau_neg=tau_neg), rates)


def pair_flip(eta: Any) -> Channel:
    """Noise that turns class ``k`` into class ``k + 1`` (modulo ``K``) with probability ``eta``.

    Parameters
    ----------
    eta
        As in `symmetric`, and refused as there.

    See Also
    --------
    symmetric : Errors spread over all other classes.
    transition_matrix : Any rates.

    Notes
    -----
    Proved: noise.gini_gain_rescales_of_pair_flip_of_three_classes

    Examples
    --------
    >>> pair_flip(0.25).on_distribution([1.0, 0.0, 0.0])
    [0.75, 0.25, 0.0]
    """
    return Channel(_call("pair_flip", eta=eta), PairFlip(rate(eta, "eta")))


def transition_matrix(rows: Any) -> Channel:
    """The noise of a full matrix, ``rows[j][k] = P(noisy = k | true = j)``.

    Parameters
    ----------
    rows
        A square array or nested sequence; its rows sum to 1, exactly for rationals, to a relative 1e-12 for floats.

    Raises
    ------
    ValueError
        If the matrix is not square, or real entries are no probabilities, or a row does not sum to 1.

    See Also
    --------
    symmetric : One rate for all classes.
    nearness_matrix : Rates from the distances of the classes.

    Examples
    --------
    >>> transition_matrix([[0.75, 0.25], [0.5, 0.5]])
    transition_matrix(((0.75, 0.25), (0.5, 0.5)))
    """
    checked = stochastic(rows)
    return Channel(f"transition_matrix({checked!r})", Given(checked))
