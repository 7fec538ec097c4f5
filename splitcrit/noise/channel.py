"""A noise channel and its three actions: on class distributions, on count tables, on label vectors.

Main definitions: ``Channel``, ``compose``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array, generator, is_number, masked, of_kind, whole
from splitcrit.arith import namespace, of_other_library, total
from splitcrit.arith.array_libraries import working_dtype
from splitcrit.data.counting import as_array, cell, count_array, demand
from splitcrit.frozen import NamedValue, complaint
from splitcrit.noise.labels import classes_of, codes_of
from splitcrit.noise.shares import shares_of
from splitcrit.noise.transitions import Composed, Transition
from splitcrit.table.array_counts import device_counts

MOST = 2**12  # classes of a matrix that is written out


@final
@dataclass(frozen=True, repr=False)
class Channel(NamedValue):
    """Label noise: every label changes independently, by a law that depends on its true class alone.

    ``T = transition(K)`` holds ``T[j][k] = P(noisy = k | true = j)``; its rows sum to 1.

    Parameters
    ----------
    name
        The call that makes the channel; it prints as this.
    transition
        A function from the number of classes to the rows of the matrix.

    Notes
    -----
    ``first @ second`` applies ``first``, then ``second``; its matrix is the product in the same order.

    References
    ----------
    ghosh2017, section 2; wilton2024, section 2.

    Examples
    --------
    >>> from splitcrit.noise import symmetric
    >>> symmetric(0.25).on_distribution((1.0, 0.0))
    (0.75, 0.25)
    """

    name: str
    transition: Transition

    def __post_init__(self) -> None:
        of_kind(self.name, str, "a channel has a text as its name", "pass the call that makes it")
        rule = "a channel has a function from the number of classes to the rows of its matrix"
        of_kind(self.transition, Callable, rule, "pass one, or use transition_matrix(rows)")

    def __matmul__(self, second: Channel) -> Channel:
        return compose(self, second) if isinstance(second, Channel) else NotImplemented

    def matrix(self, K: int) -> NDArray[np.float64]:
        """The transition matrix of ``K`` classes in float64."""
        size = whole(K, "the number of classes of a transition matrix", 1, MOST)
        return np.array([[float(entry) for entry in row] for row in self.transition(size)], dtype=np.float64)

    def on_distribution(self, p: Any) -> Any:
        """The law of the noisy label, ``p~_k = sum_j p_j T[j][k]``.

        Parameters
        ----------
        p
            Class first: a tuple, a list or an array ``(K, ...)`` of floats, Fractions, symbols or arrays; an array may
            be of any library, and stays on its device. The map is linear: differences of laws may be passed too.

        Returns
        -------
        The same kind of thing as ``p``; float arrays stay float arrays.
        """
        if of_other_library(p):
            entries = [p[k, ...] for k in range(p.shape[0])]
            return namespace(p).stack(self.on_distribution(entries))
        p = shares_of(p)
        T = self.transition(len(p))
        noisy = [total([_times(p[j], T[j][k]) for j in range(len(p))]) for k in range(len(p))]
        if isinstance(p, np.ndarray):
            return np.array(noisy, dtype=object if p.dtype == object else None)
        return tuple(noisy) if isinstance(p, tuple) else noisy

    def expected(self, counts: Any) -> Any:
        """The expected noisy counts of count tables ``(..., r, k)``; objects (Fractions) stay exact.

        Other counts give float64. Those of another library stay on their device.

        Raises
        ------
        ValueError
            If counts are negative, not finite, ragged or without rows and columns.
        TypeError
            If they are no real numbers.

        Examples
        --------
        >>> from splitcrit.noise import class_conditional
        >>> class_conditional(tau_pos=0.5, tau_neg=0.25).expected([[8, 0], [0, 8]])
        array([[6., 2.],
               [4., 4.]])
        """
        if of_other_library(counts):
            return namespace(counts).stack(self.on_distribution(_classes_of(device_counts(counts))), axis=-1)
        class_first = np.moveaxis(_tables(counts), -1, 0)
        try:
            return np.moveaxis(np.asarray(self.on_distribution(class_first)), 0, -1)
        except OverflowError:
            rule = "expected counts under a rate in float64 are finite"
            remedy = "give the rate as a Fraction"
            raise ValueError(complaint(rule, "an integer above 1e308", remedy)) from None

    def random(self, counts: Any, *, rng: Any = None) -> NDArray[np.int64]:
        """Random noisy counts of integer tables ``(..., r, k)``; row totals are kept.

        Parameters
        ----------
        counts
            Non-negative integers; every one is split by a multinomial draw over the noisy classes.
        rng
            Anything ``numpy.random.default_rng`` takes.
        """
        clean, draws = _whole(_tables(counts)), generator(rng)
        noisy = np.zeros(clean.shape, dtype=np.int64)
        for true, law in enumerate(self.matrix(clean.shape[-1])):
            noisy += draws.multinomial(clean[..., true], law / law.sum())
        return noisy

    def flip(self, labels: Any, *, rng: Any = None, classes: Any = None) -> Array:
        """A copy of a label vector in which every label went through the channel.

        Parameters
        ----------
        labels
            A vector of any dtype; it is left as it is.
        rng
            Anything ``numpy.random.default_rng`` takes.
        classes
            The classes in the channel's order; the sorted labels by default.

        Raises
        ------
        ValueError
            If a label is not among the classes, or the classes repeat.

        Examples
        --------
        >>> from splitcrit.noise import pair_flip
        >>> pair_flip(1).flip(["a", "b", "c"])
        array(['b', 'c', 'a'], dtype='<U1')
        """
        values = as_array(labels, "labels")
        if masked(labels):
            raise ValueError(complaint("labels must be present", "a masked label", "drop the unlabelled observations"))
        if values.ndim != 1:
            raise ValueError(complaint("labels must form a vector", f"{values.ndim} dimensions", "pass one column"))
        known = classes_of(values, classes)
        codes, draws = codes_of(values, known), generator(rng)
        noisy = np.empty_like(codes)
        for true, law in enumerate(self.matrix(len(known))):
            of_true = codes == true
            reached = np.cumsum(law)
            places = draws.random(int(of_true.sum()))
            noisy[of_true] = np.searchsorted(reached[:-1] / reached[-1], places, side="right")
        return known[noisy]


def compose(first: Channel, second: Channel) -> Channel:
    """The channel that applies ``first`` and then ``second``; ``first @ second`` is the same.

    Parameters
    ----------
    first, second : Channel
        Of the same number of classes, or of any.

    See Also
    --------
    transition_matrix : A single step.

    Examples
    --------
    >>> from splitcrit.noise import symmetric
    >>> compose(symmetric(0.5), symmetric(0.25)).transition(2)
    ((0.5, 0.5), (0.5, 0.5))
    """
    for channel in (first, second):
        of_kind(channel, Channel, "compose takes two channels", "pass values such as symmetric(0.1)")
    return Channel(f"compose({first.name}, {second.name})", Composed(first.transition, second.transition))


def _classes_of(counts: Any) -> list[Any]:
    """The counts ``(..., r, k)`` of another library as floats ``(..., r)``, one array a class."""
    return [namespace(counts).astype(counts[..., k], working_dtype(counts)) for k in range(counts.shape[-1])]


def _times(share: Any, probability: Any) -> Any:
    """Multiply; a numeric array meets a Fraction as a float, so that it does not become an array of objects."""
    numeric = (isinstance(share, np.ndarray | np.generic) and share.dtype != object) or of_other_library(share)
    return share * float(probability) if numeric and isinstance(probability, Real) else share * probability


def _tables(counts: Any) -> Array:
    """Checked counts: exact objects as they are, others as int64 or float64."""
    checked = count_array(counts)
    entries = np.asarray(counts)
    return entries if entries.dtype == object else checked


def _whole(counts: Array) -> NDArray[np.int64]:
    """Counts as int64; only whole observations can flip."""
    entries, most = counts.ravel().tolist(), 2**62 // counts.shape[-1]  # so that sums of a row are below 2**63
    good = np.array([is_number(x) and 0 <= x <= most and x == int(x) for x in entries], dtype=bool)
    rule = f"random noise acts on integer counts from 0 to {most}"
    demand(good.reshape(counts.shape), counts, ValueError, rule, cell, "use expected(), of any counts or weights")
    return counts.astype(np.int64)
